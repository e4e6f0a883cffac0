// A small process that outlives us by a moment: it holds one end of a pipe whose other end closes when we die, however we
// die, and then kills the process groups it was told about. Commands themselves know nothing of it.
//
// It stands beside the commands, not between them and us: exit statuses stay exact, no command has a child it did not
// start, and we reap it ourselves, so that nothing is left even where process 1 reaps nobody.

import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

export interface Watchdog {
  /** From now on the group dies with us. */
  hold(groupId: number): void;
  free(groupId: number): void;
  /** Makes a FIFO, which Node cannot; false when that fails. */
  makeFifo(path: string): Promise<boolean>;
}

/** How long it stays when it is not needed: starting it costs more than keeping it between two commands. */
const LINGER_MS = 3_000;

// In a session of its own, and deaf to what ends us gently: it must be there when we are not, also when nobody hears an
// answer any more that it is about to give.
const SCRIPT = `trap "" HUP INT TERM PIPE
live=" "
while read -r verb what; do
  case $verb in
    hold) live="$live$what " ;;
    free) live="\${live%% $what *} \${live#* $what }" ;;
    fifo) mkfifo -m 600 "$what" 2>&-; echo $? ;;
  esac
done
for group in $live; do kill -KILL "-$group"; done`;

export function createWatchdog({ lingerMs = LINGER_MS } = {}): Watchdog {
  const held = new Set<number>();
  let dog: Dog | undefined;
  let leave: NodeJS.Timeout | undefined;

  const wake = (): Dog => {
    clearTimeout(leave);
    if (dog !== undefined) return dog;
    const awake = startDog();
    dog = awake;
    awake.child.once("close", () => {
      if (dog === awake) dog = undefined;
    });
    // One that was killed had groups to watch.
    for (const groupId of held) awake.tell("hold", groupId);
    return awake;
  };

  const rest = (): void => {
    clearTimeout(leave);
    if (held.size > 0) return;
    leave = setTimeout(() => {
      dog?.end();
      dog = undefined;
    }, lingerMs).unref();
  };

  return {
    hold(groupId) {
      const awake = wake();
      held.add(groupId);
      awake.tell("hold", groupId);
    },
    free(groupId) {
      held.delete(groupId);
      dog?.tell("free", groupId);
      rest();
    },
    async makeFifo(path) {
      if (/[\n\\]|^\s|\s$/.test(path)) return false;
      const isMade = await wake().ask("fifo", path);
      rest();
      return isMade;
    },
  };
}

interface Dog {
  readonly child: ChildProcess;
  tell(verb: "hold" | "free", groupId: number): void;
  ask(verb: "fifo", path: string): Promise<boolean>;
  end(): void;
}

function startDog(): Dog {
  const child = spawn("/bin/sh", ["-c", SCRIPT], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin" },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  const stdin = child.stdin as Writable;
  const stdout = child.stdout as Readable;
  const waiting: ((answer: string) => void)[] = [];
  const release = (): void => {
    for (const answer of waiting.splice(0)) answer("");
  };
  stdout.setEncoding("latin1").on("data", (answers: string) => {
    for (const answer of answers.trimEnd().split("\n")) waiting.shift()?.(answer);
  });
  // One that could not be started, or was killed, answers nobody; the next command starts another.
  for (const source of [child, stdin, stdout]) source.on("error", release);
  child.once("close", release);
  keepAlive(child, false);

  return {
    child,
    tell: (verb, groupId) => void stdin.write(`${verb} ${groupId}\n`),
    async ask(verb, path) {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return false;
      keepAlive(child, true);
      const answer = await new Promise<string>((resolve) => {
        waiting.push(resolve);
        stdin.write(`${verb} ${path}\n`);
      });
      if (waiting.length === 0) keepAlive(child, false);
      return answer === "0";
    },
    end: () => void stdin.end(),
  };
}

/** A watchdog is no reason for a program not to end. */
function keepAlive(child: ChildProcess, isReason: boolean): void {
  for (const source of [child, child.stdin, child.stdout]) {
    (source as unknown as { ref(): void; unref(): void })[isReason ? "ref" : "unref"]();
  }
}
