// Stands between a client and an agent: every byte goes through as it came, both ways and at once; a recorder gets a copy.
// Never changes, delays or reorders anything.

import type { Readable, Writable } from "node:stream";
import { untilWritable } from "../io/until-writable.ts";
import { type Child, type Exit, startChild } from "./child.ts";
import { Recorder, type Summary } from "./recorder.ts";
import type { RecordedEnd } from "./recording.ts";

export interface ProxyOptions {
  readonly command: readonly string[];
  readonly record?: string | undefined;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Its reason is the name of a signal, which is handed on to the agent. */
  readonly signal: AbortSignal;
}

export interface ProxyEnd extends Exit {
  readonly by: RecordedEnd["by"];
  readonly summary: Summary;
}

/** Resolves when the agent has ended and all it wrote has been handed on. Rejects when it cannot be started. */
export async function runProxy(options: ProxyOptions): Promise<ProxyEnd> {
  const { stdin, stdout, stderr, signal, command } = options;
  const recorder = new Recorder({ file: options.record, command });
  const child = await startChild(command, options).catch((cause: unknown) => {
    recorder.end({ by: "agent", exitCode: null, signal: null });
    throw cause;
  });
  let by: RecordedEnd["by"] | undefined;
  child.stderr.pipe(stderr, { end: false });
  // Whoever no longer reads the agent's stderr must not make it wait.
  stderr.on("error", () => child.stderr.resume());
  pump(stdin, child.stdin, (chunk) => recorder.take("client", chunk), recorder);
  pump(child.stdout, stdout, (chunk) => recorder.take("agent", chunk), recorder);
  // An agent may close its output and go on: the client is told.
  child.stdout.once("end", () => stdout.end());

  const clientGone = (): void => {
    by ??= "client";
    child.stdin.end();
  };
  stdin.once("end", clientGone);
  stdin.once("error", clientGone);
  // A client that no longer reads is gone: the agent's next word would break its pipe too.
  const unheard = (): void => {
    clientGone();
    child.stdout.resume();
    void child.end("SIGTERM");
  };
  stdout.on("error", unheard);
  const stop = (): void => {
    by ??= "signal";
    void child.end(toSignal(signal.reason));
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });

  const exit = await ended(child);
  signal.removeEventListener("abort", stop);
  stdin.off("end", clientGone);
  // Otherwise a client that keeps its end open would keep this process.
  stdin.destroy();
  by ??= "agent";
  return { ...exit, by, summary: recorder.end({ ...exit, by }) };
}

/** One direction. What cannot be written waits at its source, and so does what cannot be looked at in time. */
function pump(source: Readable, target: Writable, tap: (chunk: Uint8Array) => void, recorder: Recorder): void {
  source.on("data", (chunk: Uint8Array) => {
    const hasRoom = target.destroyed || target.write(chunk);
    tap(chunk);
    let reasons = 0;
    const release = (): void => {
      reasons--;
      if (reasons === 0) source.resume();
    };
    if (!hasRoom) {
      reasons++;
      void untilWritable(target).then(release);
    }
    if (recorder.isFull) {
      reasons++;
      recorder.whenRoom(release);
    }
    if (reasons > 0) source.pause();
  });
}

/** What an agent leaves behind may hold its pipes; after its exit they get this long in silence. */
const LINGER_MS = 500;

async function ended(child: Child): Promise<Exit> {
  const exit = await child.exited;
  let last = performance.now();
  child.stdout.on("data", () => {
    last = performance.now();
  });
  const lingering = new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      // A client that reads slowly is waited for.
      if (child.stdout.isPaused()) last = performance.now();
      if (performance.now() - last < LINGER_MS) return;
      clearInterval(timer);
      resolve();
    }, 50);
    void child.closed.then(() => {
      clearInterval(timer);
      resolve();
    });
  });
  await lingering;
  child.stdin.destroy();
  child.stdout.destroy();
  child.stderr.destroy();
  return exit;
}

function toSignal(reason: unknown): NodeJS.Signals {
  return reason === "SIGINT" || reason === "SIGHUP" ? reason : "SIGTERM";
}
