import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TemporaryMachine, temporaryMachine } from "../../machine/temporary-machine.ts";
import { text } from "../../message/message.ts";
import { planTool, runTool, type ScriptedRoom, scriptedRoom, told } from "../scripted-room.ts";
import { glob } from "./glob.ts";

const LONG_AGO = new Date("2020-01-01");

let here: TemporaryMachine;
let room: ScriptedRoom;

beforeEach(async () => {
  here = await temporaryMachine();
  room = scriptedRoom(here.machine, here.root);
});

afterEach(() => here[Symbol.asyncDispose]());

async function put(...names: string[]): Promise<void> {
  for (const name of names) await utimes(await here.put(name, ""), LONG_AGO, LONG_AGO);
}

test("announces the folder it looks in, and where a pattern leads out of it", () => {
  const plan = (input: Record<string, unknown>) => planTool(glob, input, room);

  expect(plan({ pattern: "**/*.ts", path: "src" })).toEqual({
    title: "Find **/*.ts in src",
    kind: "search",
    locations: [{ path: join(here.root, "src") }],
    effect: { type: "read", paths: [join(here.root, "src")] },
  });
  expect(plan({ pattern: "/etc/ssh/*.conf" }).effect).toEqual({ type: "read", paths: [here.root, "/etc/ssh"] });
  expect(plan({ pattern: "../{a,b}/*" }).effect).toEqual({ type: "read", paths: [here.root, join(here.root, "..")] });
  expect(plan({ pattern: "src/../../x" }).effect).toEqual({ type: "read", paths: [here.root, join(here.root, "..")] });
});

test("lists files, and leads the client to them", async () => {
  await put("b.ts", "src/a.ts", "c.js");

  expect(await runTool(glob, { pattern: "**/*.ts" }, room)).toEqual({
    told: [text("Found 2 file(s):\nb.ts\nsrc/a.ts")],
    content: [text("```\nb.ts\nsrc/a.ts\n```")],
    locations: [{ path: join(here.root, "b.ts") }, { path: join(here.root, "src/a.ts") }],
  });
});

test("says how many more there are", async () => {
  for (let at = 100; at < 303; at++) await put(`${at}`);

  const outcome = await runTool(glob, { pattern: "*" }, room);

  const lines = told(outcome).split("\n");
  expect(lines).toHaveLength(1 + 200 + 1);
  expect(lines[0]).toBe("Found 203 file(s):");
  expect(lines.slice(-2)).toEqual(["299", "… and 3 more. Narrow the pattern or name a directory to see them."]);
  expect(outcome.locations).toHaveLength(20);
});

test("says that there is nothing, and where it did not look", async () => {
  await put("src/a.ts");

  expect(told(await runTool(glob, { pattern: "*.ts" }, room))).toBe(
    "No files found matching pattern: *.ts. Use **/*.ts to look in the folders below, too.",
  );
  expect(told(await runTool(glob, { pattern: "**/*.py" }, room))).toBe("No files found matching pattern: **/*.py.");
});

test("says that a part is missing when the tree is too large", async () => {
  const findFiles = async () => ({ paths: [join(here.root, "a")], total: 1, isPartial: true });
  const large = scriptedRoom({ ...here.machine, findFiles }, here.root);

  expect(told(await runTool(glob, { pattern: "*" }, large))).toBe(
    "Found at least 1 file(s):\na\nThe tree is too large to be looked through: there may be others. Name a directory.",
  );
});

test("quotes names that would break the list, and names others in full", async () => {
  await put("a\nb");
  await writeFile(join(here.outside, "o"), "");
  await utimes(join(here.outside, "o"), LONG_AGO, LONG_AGO);

  expect(told(await runTool(glob, { pattern: "*" }, room))).toBe('Found 1 file(s):\n"a\\nb"');
  expect(told(await runTool(glob, { pattern: "*", directory: here.outside }, room))).toBe(
    `Found 1 file(s):\n${join(here.outside, "o")}`,
  );
});

test("refuses an empty pattern, and a folder that is not there", async () => {
  expect(glob.parse({ pattern: " " })).toEqual({ problem: "pattern must not be empty" });
  await expect(runTool(glob, { pattern: "*", directory: "none" }, room)).rejects.toThrow("none does not exist");
});
