// What `agentao chat` is asked for on its command line.

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { SessionWish } from "../front/front.ts";
import { UsageError } from "../manual/usage-error.ts";

export interface ChatOptions {
  readonly session: SessionWish;
  /** Absolute. */
  readonly cwd: string;
  readonly isCwdGiven: boolean;
  /** The command of another agent. */
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly mode: string | undefined;
}

export function parseChatOptions(args: readonly string[], cwd: string): ChatOptions {
  const { values, positionals } = parse(withResumeValue(args));
  if (positionals.length > 0) throw new UsageError(`unexpected argument "${positionals[0]}"`);
  if (values.resume !== undefined && values.continue)
    throw new UsageError("--resume and --continue exclude each other");
  const id = values.resume;
  const isNewest = values.continue === true || id === "";
  const session: SessionWish =
    id !== undefined && id !== "" ? { type: "stored", id } : { type: isNewest ? "newest" : "new" };
  return {
    session,
    cwd: resolve(cwd, values.cwd ?? "."),
    isCwdGiven: values.cwd !== undefined,
    agent: values.agent,
    model: values.model,
    mode: values.mode,
  };
}

/** `--resume` may stand alone. */
function withResumeValue(args: readonly string[]): string[] {
  return args.map((arg, at) => {
    const next = args[at + 1];
    const isAlone = next === undefined || next.startsWith("-");
    return ["--resume", "-r"].includes(arg) && isAlone ? "--resume=" : arg;
  });
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        resume: { type: "string", short: "r" },
        continue: { type: "boolean", short: "c" },
        agent: { type: "string" },
        model: { type: "string", short: "m" },
        mode: { type: "string" },
        cwd: { type: "string", short: "C" },
      },
    });
  } catch (cause) {
    throw new UsageError((cause as Error).message.split(". ")[0] ?? "bad arguments");
  }
}
