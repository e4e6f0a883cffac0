import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BackgroundCommands, createBackground, MAX_BACKGROUND } from "./background.ts";
import type { CommandOptions, CommandResult } from "./machine.ts";
import { type TemporaryMachine, temporaryMachine } from "./temporary-machine.ts";

let here: TemporaryMachine;
let background: BackgroundCommands;

beforeEach(async () => {
  here = await temporaryMachine();
  background = createBackground(here.machine);
});

afterEach(async () => {
  await background.close();
  await here[Symbol.asyncDispose]();
});

describe.skipIf(process.platform === "win32")("a command in the background", () => {
  test("is named at once, and tells what is new until it has ended", async () => {
    const { id, pid } = await start("echo one; until [ -e go ]; do sleep 0.02; done; echo two; exit 3");

    expect({ id, isAlive: isAlive(pid) }).toEqual({ id: "bg_1", isAlive: true });
    await expect.poll(() => background.check(id)?.output).toBe("one\n");
    expect(background.check(id)).toMatchObject({ id, pid, output: "", leftOut: 0 });
    await here.put("go", "");
    await expect.poll(() => background.list()[0]?.ended).toEqual({ exitCode: 3, signal: null, ended: "by-itself" });
    expect(background.check(id)).toMatchObject({ output: "two\n", ended: { exitCode: 3 } });
    expect(background.check(id)?.output).toBe("");
  });

  test("goes on when the call that started it is cancelled later", async () => {
    const call = new AbortController();
    const { pid } = await start("exec sleep 60", { signal: call.signal });

    call.abort();
    await new Promise((resolve) => setTimeout(resolve, 30));

    expect(isAlive(pid)).toBe(true);
  });

  test("is not started by a call that is cancelled before", async () => {
    await expect(start("touch made", { signal: AbortSignal.abort() })).rejects.toThrow("was not started");

    expect(background.list()).toEqual([]);
  });

  test("is ended with everything it started", async () => {
    const { id, pid } = await start("sleep 600 & echo $!; wait");
    await expect.poll(() => background.check(id)?.output).not.toBe("");

    const report = await background.stop(id);

    expect(report?.ended).toEqual({ exitCode: null, signal: "SIGTERM", ended: "aborted" });
    expect(isAlive(pid)).toBe(false);
  });

  test("may clean up, but not refuse", async () => {
    const polite = await start('trap "echo cleaned; exit 0" TERM; echo up; while :; do sleep 0.02; done');
    const deaf = await start('trap "" TERM; echo up; while :; do sleep 0.02; done');
    await expect.poll(() => background.list().length).toBe(2);
    for (const { id } of [polite, deaf]) await expect.poll(() => background.check(id)?.output).toBe("up\n");

    const [first, second] = await Promise.all([background.stop(polite.id), background.stop(deaf.id)]);

    expect(first).toMatchObject({ output: expect.stringContaining("cleaned\n"), ended: { exitCode: 0 } });
    expect(second).toMatchObject({ ended: { signal: "SIGKILL" } });
  });

  test("is told by head and tail when it ended before anybody looked, with all of it in a file", async () => {
    const { id } = await start("seq 1 100000");
    await expect.poll(() => background.list()[0]?.ended).toBeDefined();

    const report = background.check(id);

    expect(report?.output).toMatch(/^1\n2\n.*characters left out here.*\n100000\n$/s);
    expect(await readFile(report?.outputFile as string, "utf8")).toMatch(/\n50000\n/);
  });

  test("names the file of its long output while it runs", async () => {
    const { id } = await start("seq 1 100000; exec sleep 60");

    await expect.poll(() => background.check(id)?.outputFile).toBeDefined();
  });

  test("is gone when the session is, and no other can be started", async () => {
    const pids = [(await start("exec sleep 600")).pid, (await start('trap "" TERM; sleep 600')).pid];

    await background.close();

    expect(pids.map(isAlive)).toEqual([false, false]);
    await expect(start("true")).rejects.toThrow("The session is closed");
  });
});

test("there are never too many, and those that ended are forgotten some time", async () => {
  const ends: ((result: CommandResult) => void)[] = [];
  const run = (_: string, { onStart, signal }: CommandOptions): Promise<CommandResult> => {
    onStart?.(ends.length + 1);
    return new Promise((resolve) => {
      ends.push(resolve);
      signal.addEventListener("abort", () => resolve({ ...DONE, ended: "aborted" }));
    });
  };
  const many = createBackground({ run });
  for (let count = 0; count < MAX_BACKGROUND; count++) await many.start("x", here.command());

  await expect(many.start("x", here.command())).rejects.toThrow(`${MAX_BACKGROUND} commands run`);
  ends[0]?.(DONE);
  await Promise.resolve();
  expect((await many.start("x", here.command())).id).toBe(`bg_${MAX_BACKGROUND + 1}`);

  for (let count = 0; count < 100; count++) {
    ends.at(-1)?.(DONE);
    await Promise.resolve();
    await many.start("x", here.command());
  }
  expect(many.list().length).toBeLessThanOrEqual(MAX_BACKGROUND + 33);
  expect(many.check("bg_1")).toBeUndefined();
  expect(await many.stop("none")).toBeUndefined();
  await many.close();
});

test("what is new is bounded, and never cut in an escape code", async () => {
  let write = (_: string): void => {};
  const run = (_: string, { onStart, onOutput }: CommandOptions): Promise<CommandResult> => {
    onStart?.(1);
    write = onOutput as typeof write;
    return new Promise(() => {});
  };
  const one = createBackground({ run });
  const { id } = await one.start("x", here.command());

  write("\u001b[1mbold\u001b[3");
  expect(one.check(id)).toMatchObject({ output: "bold", leftOut: 0 });
  write("1mred");
  expect(one.check(id)).toMatchObject({ output: "red" });
  for (let count = 0; count < 100; count++) write("x".repeat(10_000));
  const report = one.check(id);
  expect((report?.output.length ?? 0) + (report?.leftOut ?? 0)).toBe(1_000_000);
  expect(report?.output.length).toBeLessThanOrEqual(60_000);
});

const DONE: CommandResult = { output: "", exitCode: 0, signal: null, ended: "by-itself" };

function start(command: string, more: Partial<CommandOptions> = {}) {
  return background.start(command, here.command(more));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
