import { afterEach, beforeEach, expect, test } from "vitest";
import type { Machine } from "../machine/machine.ts";
import { type TemporaryMachine, temporaryMachine } from "../machine/temporary-machine.ts";
import type { Client } from "./client.ts";
import { clientMachine } from "./client-machine.ts";

const never = new AbortController().signal;

let here: TemporaryMachine;

beforeEach(async () => {
  here = await temporaryMachine();
});

afterEach(() => here[Symbol.asyncDispose]());

test("counts lines from the end in what the client has, which cannot do that itself", async () => {
  const { machine, asked } = lent("one\nunsaved\nthree\n");
  const path = await here.put("a.txt", "one\ntwo\nthree\n");

  expect(await machine.readText(path, { line: -2, limit: 1 }, never)).toBe("unsaved\n");
  expect(asked).toEqual([{ sessionId: "s", path }]);
});

test("reads the end of a large file from the disk", async () => {
  const { machine, asked } = lent("unsaved\n");
  const path = await here.put("a.txt", "a line\n".repeat(200_000));

  expect(await machine.readText(path, { line: -1 }, never)).toBe("a line\n");
  expect(asked).toEqual([]);
});

test("reads and writes what is not UTF-8 itself", async () => {
  const { machine, asked } = lent("\uFFFDt\uFFFD\n");
  const path = await here.put("a.txt", Buffer.from("été\n", "latin1"));

  expect(await machine.readText(path, undefined, never)).toBe("été\n");
  await machine.writeText(path, "août\n", never);

  expect(Buffer.from(await here.machine.readBytes(path, 100, never))).toEqual(Buffer.from("août\n", "latin1"));
  expect(asked).toEqual([]);
});

test.skipIf(process.platform === "win32")(
  "runs what goes on in the background in no terminal of the client",
  async () => {
    const { machine } = lent("");

    const { output } = await machine.run("echo ours", here.command({ isBackground: true }));

    expect(output).toBe("ours\n");
  },
);

test("runs what is confined in no terminal of the client", async () => {
  const confined: unknown[] = [];
  const local = {
    ...here.machine,
    run: async (command: string) => ({ ...DONE, output: String(confined.push(command)) }),
  };
  const { machine } = lent("", local);

  await machine.run("npm test", here.command({ sandbox: { writable: [], network: false } }));

  expect(confined).toEqual(["npm test"]);
});

const DONE = { exitCode: 0, signal: null, ended: "by-itself" } as const;

/** A machine whose client has one text for every file. */
function lent(content: string, local: Machine = here.machine) {
  const asked: unknown[] = [];
  const client: Pick<Client, "clientSupports" | "readTextFile" | "writeTextFile"> = {
    clientSupports: () => true,
    readTextFile: async (params) => {
      asked.push(params);
      return content;
    },
    writeTextFile: async (params) => {
      asked.push(params);
    },
  };
  return { machine: clientMachine(client as Client, "s", local), asked };
}
