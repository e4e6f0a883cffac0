// Commands that outlive the call that started them, for as long as their session lives. Bounded in number and in what is
// kept of their output. They are ended with the session, and with this process, however it dies.

import type { CommandOptions, CommandResult, Machine } from "./machine.ts";
import { cleanText } from "./terminal-text.ts";

export type BackgroundOptions = Pick<CommandOptions, "cwd" | "env" | "sandbox" | "signal">;

export interface BackgroundCommand {
  /** "bg_1": short, for a model has to repeat it. */
  readonly id: string;
  readonly command: string;
  readonly pid: number;
  /** Nothing while it runs. A sentence when the machine failed. */
  readonly ended?: Pick<CommandResult, "exitCode" | "signal" | "ended"> | { readonly problem: string } | undefined;
}

export interface BackgroundReport extends BackgroundCommand {
  /** What was written since the last report; the end of it where that was long. Without escape codes. */
  readonly output: string;
  /** How many characters before `output` are left out. */
  readonly leftOut: number;
  /** Where all of it can be read, when it was long. */
  readonly outputFile?: string | undefined;
}

export interface BackgroundCommands {
  /** Throws `MachineError` when it cannot be started, and an error when there are too many. The signal is the call's. */
  start(command: string, options: BackgroundOptions): Promise<BackgroundCommand>;
  /** In the order they were started. */
  list(): readonly BackgroundCommand[];
  /** Nothing for an id that is not known. */
  check(id: string): BackgroundReport | undefined;
  /** Asks it to end, then makes it; resolves when it is gone. Nothing for an id that is not known. */
  stop(id: string): Promise<BackgroundReport | undefined>;
  /** Ends all of them, and what other commands left behind; none can be started any more. Never rejects. */
  close(): Promise<void>;
}

export const MAX_BACKGROUND = 16;
/** Of those that ended, the last ones can still be asked about. */
const MAX_ENDED = 32;
const MAX_NEW_CHARS = 30_000;
/** From SIGTERM to SIGKILL. */
const GRACE_MS = 500;

export function createBackground(machine: Pick<Machine, "run" | "close">): BackgroundCommands {
  const running = new Map<string, Running>();
  let last = 0;
  let isClosed = false;

  const isLive = (one: Running): boolean => one.state().ended === undefined;
  const forgetOldest = (): void => {
    const ended = [...running].filter(([, one]) => !isLive(one));
    for (const [id] of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) running.delete(id);
  };

  return {
    async start(command, options) {
      if (isClosed) throw new Error("The session is closed");
      if ([...running.values()].filter(isLive).length >= MAX_BACKGROUND) {
        throw new Error(
          `${MAX_BACKGROUND} commands run in the background already. Stop one that is not needed any more`,
        );
      }
      const id = `bg_${++last}`;
      const one = run(machine, id, command, options);
      // Also while it is being started: whoever closes must not miss it.
      running.set(id, one);
      try {
        await one.started;
      } catch (cause) {
        running.delete(id);
        throw cause;
      }
      forgetOldest();
      return one.state();
    },
    list: () => [...running.values()].map((one) => one.state()),
    check: (id) => running.get(id)?.report(),
    async stop(id) {
      const one = running.get(id);
      await one?.stop();
      return one?.report();
    },
    async close() {
      isClosed = true;
      await Promise.all([...running.values()].map((one) => one.stop()));
      await machine.close?.();
    },
  };
}

interface Running {
  /** Rejects when it could not be started. */
  readonly started: Promise<void>;
  state(): BackgroundCommand;
  report(): BackgroundReport;
  stop(): Promise<void>;
}

function run(machine: Pick<Machine, "run">, id: string, command: string, options: BackgroundOptions): Running {
  const { signal, ...place } = options;
  const stop = new AbortController();
  const news = createNews();
  let pid: number | undefined;
  let outputFile: string | undefined;
  let ended: BackgroundCommand["ended"];
  let began = (): void => {};
  const beginning = new Promise<void>((resolve) => {
    began = resolve;
  });
  const work = machine.run(command, {
    ...place,
    isBackground: true,
    inactivityMs: Number.POSITIVE_INFINITY,
    totalMs: Number.POSITIVE_INFINITY,
    graceMs: GRACE_MS,
    onOutput: news.write,
    onOutputFile(path) {
      outputFile = path;
    },
    onStart(groupId) {
      pid = groupId;
      began();
    },
    signal: stop.signal,
  });
  const over = work.then(
    ({ output, exitCode, signal, ended: how }) => {
      news.end(output);
      ended = { exitCode, signal, ended: how };
    },
    (cause: unknown) => {
      ended = { problem: cause instanceof Error ? cause.message : String(cause) };
    },
  );
  const cancel = (): void => stop.abort();
  signal.addEventListener("abort", cancel);
  if (signal.aborted) cancel();
  const starting = async (): Promise<void> => {
    try {
      await Promise.race([beginning, work]);
    } finally {
      signal.removeEventListener("abort", cancel);
    }
    if (pid === undefined) throw new Error("The command was not started");
  };
  const state = (): BackgroundCommand => ({ id, command, pid: pid ?? 0, ...(ended !== undefined && { ended }) });

  return {
    started: starting(),
    state,
    report: () => ({ ...state(), ...news.take(), ...(outputFile !== undefined && { outputFile }) }),
    async stop() {
      stop.abort();
      await over;
    },
  };
}

/** What was written since somebody looked. */
function createNews() {
  let pending = "";
  let leftOut = 0;
  let wasTaken = false;

  return {
    write(piece: string): void {
      pending += piece;
      if (pending.length <= 2 * MAX_NEW_CHARS) return;
      const kept = pending.slice(-MAX_NEW_CHARS).replace(/^[\udc00-\udfff]/, "");
      leftOut += pending.length - kept.length;
      pending = kept;
    },
    /** Where nobody has looked yet, the head and tail of everything say more than the end alone. */
    end(whole: string): void {
      if (wasTaken) return;
      pending = whole;
      leftOut = 0;
    },
    take(): Pick<BackgroundReport, "output" | "leftOut"> {
      const held = UNFINISHED_CODE.exec(pending)?.[0] ?? "";
      const taken = { output: cleanText(pending.slice(0, pending.length - held.length)), leftOut };
      pending = held;
      leftOut = 0;
      wasTaken = true;
      return taken;
    },
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes begin with one
const UNFINISHED_CODE = /\u001b(?:\[[0-?]{0,20})?$/;
