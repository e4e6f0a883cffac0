// The machine as the client lends it: reads see unsaved buffers, writes go through the editor, commands run in its
// terminals. What the client does not offer, refuses to know, or does not answer, is done locally.

import {
  errorCodes,
  LocalError,
  RpcError,
  type TerminalOutputResponse,
  type WaitForTerminalExitResponse,
} from "@agentao/acp";
import { ABORTED, orAborted } from "../abort/until-aborted.ts";
import { type CommandOptions, type CommandResult, type Machine, MachineError } from "../machine/machine.ts";
import { selectLines } from "../machine/read-text.ts";
import { cleanText } from "../machine/terminal-text.ts";
import type { Client } from "./client.ts";
import { fits } from "./frame-budget.ts";

/** A client that says nothing for so long about a file does not serve files. */
const FILE_MS = 5_000;
const MAX_WHOLE_BYTES = 1024 * 1024;
const TERMINAL_MS = 5_000;
const POLL_MS = 1_000;
const OUTPUT_BYTES = 128 * 1024;

export function clientMachine(client: Client, sessionId: string, local: Machine): Machine {
  const silent = new Set<string>();
  const offers = (path: string): boolean => client.clientSupports(path) && !silent.has(path);
  const isUtf8 = async (path: string, signal: AbortSignal): Promise<boolean> => {
    const look = await local.look(path, signal).catch(() => undefined);
    return (look?.encoding ?? "utf-8") === "utf-8";
  };

  return {
    ...local,
    async readText(path, range, signal) {
      // A client that takes every file for UTF-8 would spoil one that is not.
      if (!offers("fs.readTextFile") || !(await isUtf8(path, signal))) return local.readText(path, range, signal);
      try {
        if ((range?.line ?? 1) > 0)
          return await client.readTextFile({ sessionId, path, ...range }, { signal, timeoutMs: FILE_MS });
        // The protocol does not count from the end. The whole of a large file is not worth it.
        const { bytes } = (await local.stat(path, signal)) ?? { bytes: 0 };
        if (bytes > MAX_WHOLE_BYTES) return await local.readText(path, range, signal);
        return selectLines(await client.readTextFile({ sessionId, path }, { signal, timeoutMs: FILE_MS }), range);
      } catch (cause) {
        if (isMissing(cause)) silent.add("fs.readTextFile");
        if (isAborted(cause)) throw cause;
        // A client knows its open buffers; the disk knows the rest, and says best what is wrong.
        return local.readText(path, range, signal);
      }
    },
    async writeText(path, content, signal) {
      if (!offers("fs.writeTextFile") || !(await isUtf8(path, signal))) return local.writeText(path, content, signal);
      const inside = await local.resolveInside(path, signal);
      if (!fits({ sessionId, path: inside, content })) return local.writeText(path, content, signal);
      try {
        await client.writeTextFile({ sessionId, path: inside, content }, { signal, timeoutMs: FILE_MS });
      } catch (cause) {
        if (!isMissing(cause)) throw refused(cause);
        silent.add("fs.writeTextFile");
        await local.writeText(path, content, signal);
      }
    },
    async run(command, options) {
      const isOurs = options.sandbox !== undefined || options.isBackground === true;
      if (isOurs || !offers("terminal")) return local.run(command, options);
      const result = await runInTerminal(client, sessionId, command, options);
      return result === "missing" ? local.run(command, options) : result;
    },
  };
}

async function runInTerminal(
  client: Client,
  sessionId: string,
  command: string,
  options: CommandOptions,
): Promise<CommandResult | "missing"> {
  const { signal, cwd } = options;
  const env = Object.entries(options.env).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  const start = { sessionId, command: "bash", args: ["-c", command], env, cwd, outputByteLimit: OUTPUT_BYTES };
  if (!fits(start)) return "missing";
  const creating = client.createTerminal(start, { timeoutMs: TERMINAL_MS });
  let terminal: Terminal | typeof ABORTED;
  try {
    terminal = await orAborted(creating, signal);
  } catch (cause) {
    if (isMissing(cause)) return "missing";
    throw refused(cause);
  }
  if (terminal === ABORTED) {
    // It may still come; then nobody wants it.
    creating.then(letGo, () => {});
    return toResult(undefined, "aborted");
  }
  options.onTerminal?.(terminal.id);
  try {
    const { ended, exit } = await watch(terminal, options);
    if (ended !== "by-itself") await terminal.kill({ timeoutMs: TERMINAL_MS }).catch(() => {});
    const last = signal.aborted ? undefined : await terminal.output({ timeoutMs: TERMINAL_MS }).catch(() => undefined);
    return toResult(last && { ...last, exitStatus: last.exitStatus ?? exit }, ended);
  } finally {
    // Not awaited when cancelled: the turn ends now, the client lets go in its own time.
    const released = letGo(terminal);
    if (!signal.aborted) await released;
  }
}

type Terminal = Awaited<ReturnType<Client["createTerminal"]>>;

function letGo(terminal: Terminal): Promise<void> {
  return terminal.release({ timeoutMs: TERMINAL_MS }).catch(() => {});
}

interface Watched {
  readonly ended: CommandResult["ended"];
  readonly exit?: WaitForTerminalExitResponse | undefined;
}

/** Waits for the exit, and looks now and then whether anything still happens. */
async function watch(terminal: Terminal, { inactivityMs, totalMs, signal }: CommandOptions): Promise<Watched> {
  const began = Date.now();
  let lastOutput = "";
  let lastChange = began;
  const exited = terminal.waitForExit({ signal }).then(
    (exit): Watched => ({ ended: "by-itself", exit }),
    // A client that cannot wait still tells what has come out, and with it the exit.
    (): Promise<never> => new Promise(() => {}),
  );
  for (;;) {
    const outcome = await Promise.race([exited, pause(POLL_MS, signal)]);
    if (outcome !== undefined) return outcome;
    if (signal.aborted) return { ended: "aborted" };
    const now = Date.now();
    if (now - began > totalMs) return { ended: "too-long" };
    const seen = await terminal.output({ signal, timeoutMs: TERMINAL_MS }).catch(() => undefined);
    if (seen?.exitStatus != null) return { ended: "by-itself", exit: seen.exitStatus };
    if (seen !== undefined && seen.output !== lastOutput) {
      lastChange = now;
      lastOutput = seen.output;
    }
    if (now - lastChange > inactivityMs) return { ended: "inactive" };
  }
}

function toResult(response: TerminalOutputResponse | undefined, ended: CommandResult["ended"]): CommandResult {
  return {
    output: cleanText(response?.output ?? ""),
    exitCode: response?.exitStatus?.exitCode ?? null,
    signal: response?.exitStatus?.signal ?? null,
    ended,
  };
}

function pause(ms: number, signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve(undefined);
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}

/** Not implemented, `null` where an answer was promised, or silence. */
function isMissing(cause: unknown): boolean {
  if (cause instanceof RpcError) return cause.code === errorCodes.methodNotFound;
  return cause instanceof LocalError && ["unsupported", "timeout", "invalid-response"].includes(cause.type);
}

function isAborted(cause: unknown): cause is LocalError {
  return cause instanceof LocalError && cause.type === "aborted";
}

function refused(cause: unknown): Error {
  if (isAborted(cause)) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new MachineError("failed", `The editor refused: ${reason}`, { cause });
}
