// Starts the command of a `terminal/create`: checks what the agent asked for, then spawns it in a group of its own with
// its input closed and its output piped. Every failure is an `RpcError` that says what to change.

import type { ChildProcess } from "node:child_process";
import { RpcError } from "../error/rpc-error.ts";
import type { CreateTerminalRequest } from "../v1/generated/type.ts";
import { toInvocation } from "./command-line.ts";
import { stat } from "./file-system.ts";
import { spawnGroup } from "./process-group.ts";
import { errorCode, locate, parseAbsolute, type Roots, rootsOf } from "./roots.ts";

export type StartOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly roots?: Roots | undefined;
  readonly defaultCwd?: string | ((sessionId: string) => string | undefined) | undefined;
};

/** Both are called directly around the start, so that no started command is ever without an owner. */
export type StartHooks = {
  /** The last moment to refuse, by throwing. */
  beforeStart(): void;
  onStart(child: ChildProcess): void;
};

export async function startCommand(
  params: CreateTerminalRequest,
  options: StartOptions,
  hooks: StartHooks,
): Promise<void> {
  const { command } = params;
  const args = params.args ?? [];
  refuseUnlessSpawnable(command, args);
  const env = toEnvironment(params.env ?? [], options.env);
  const cwd = await toCwd(params, options);
  const { file, ...invocation } = await toInvocation(command, args, env);
  hooks.beforeStart();
  const child = spawnOrRefuse(command, () =>
    spawnGroup(file, invocation.args, { ...invocation, cwd, env, stdio: ["ignore", "pipe", "pipe"] }),
  );
  const problem = new Promise<Error>((resolve) => child.on("error", resolve));
  if (child.pid === undefined) throw toSpawnError(await problem, command);
  hooks.onStart(child);
}

function refuseUnlessSpawnable(command: string, args: readonly string[]): void {
  if (command.trim() === "") throw RpcError.invalidParams("command must not be empty.");
  if ([command, ...args].some((word) => word.includes("\0"))) {
    throw RpcError.invalidParams("command and args must not contain a NUL character.");
  }
}

function toEnvironment(
  variables: readonly { readonly name: string; readonly value: string }[],
  base: StartOptions["env"],
): Record<string, string | undefined> {
  // Without a prototype, so that "__proto__" is a name like any other.
  const env: Record<string, string | undefined> = Object.assign(Object.create(null), base);
  for (const { name, value } of variables) {
    if (name === "" || name.includes("=") || `${name}${value}`.includes("\0")) {
      throw RpcError.invalidParams(`env has a variable that no environment can hold: "${name}".`, { name });
    }
    env[name] = value;
  }
  return env;
}

async function toCwd({ cwd, sessionId }: CreateTerminalRequest, options: StartOptions): Promise<string> {
  const asked = cwd ?? defaultCwdOf(sessionId, options);
  if (asked === undefined) throw RpcError.invalidParams("cwd is missing, and there is no default here. Name a folder.");
  const path = parseAbsolute(asked, "cwd");
  try {
    const { real } = options.roots === undefined ? { real: path } : await locate(path, sessionId, options.roots);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    if (error instanceof RpcError) throw error;
  }
  throw RpcError.invalidParams(`cwd must be an existing folder, and ${path} is none. Create it or name another.`, {
    cwd: path,
  });
}

function defaultCwdOf(sessionId: string, { defaultCwd, roots }: StartOptions): string | undefined {
  const named = typeof defaultCwd === "function" ? defaultCwd(sessionId) : defaultCwd;
  return named ?? (roots === undefined ? undefined : rootsOf(roots, sessionId)[0]);
}

/** Some failures are thrown, others emitted; which ones differs between versions of Node. */
function spawnOrRefuse(command: string, spawn: () => ChildProcess): ChildProcess {
  try {
    return spawn();
  } catch (error) {
    throw toSpawnError(error, command);
  }
}

function toSpawnError(error: unknown, command: string): RpcError {
  const code = errorCode(error);
  const shown = command.length > 100 ? `${command.slice(0, 100)}…` : command;
  switch (code) {
    case "ENOENT":
      return RpcError.invalidParams(
        `The command "${shown}" was not found. Install it, name it by its full path, or pass a whole command line ` +
          "without args to have it run by a shell.",
        { command: shown, code },
      );
    case "EACCES":
    case "EPERM":
      return RpcError.invalidParams(
        `The command "${shown}" may not be executed. Make it executable, or check that it is a file and its cwd may be entered.`,
        { command: shown, code },
      );
    case "E2BIG":
      return RpcError.invalidParams(`The command "${shown}" has too many or too long arguments. Pass them in a file.`, {
        command: shown,
        code,
      });
    default:
      return RpcError.internal(
        `The command "${shown}" could not be started${code === undefined ? "" : ` (${code})`}. Retry later.`,
        code === undefined ? { command: shown } : { command: shown, code },
        { cause: error },
      );
  }
}
