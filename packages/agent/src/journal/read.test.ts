import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Entry } from "./entry.ts";
import { type Damage, readEntries } from "./read.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "read-"));
  path = join(folder, "journal.jsonl");
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

test("gives every entry once and in order, whatever the lengths of the lines", async () => {
  const lengths = fc.array(fc.oneof(fc.nat(50), fc.nat(2000), fc.constantFrom(65_535, 65_536, 200_000)), {
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(lengths, fc.constantFrom("x", "é", "😀"), async (all, letter) => {
      const entries = all.map((length, at) => ({ at, type: "title", title: letter.repeat(length) }));
      await writeFile(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));

      expect(await read()).toEqual({ entries, damage: [] });
    }),
    { numRuns: 40 },
  );
});

test("reports what it did not read", async () => {
  await writeFile(
    path,
    `{"at":1,"type":"interrupted"}\nnonsense\r\n\n[]\n${"x".repeat(100_000)}\n{"at":2,"type":"x"}\r\n{"at":3`,
  );

  expect(await read()).toEqual({
    entries: [
      { at: 1, type: "interrupted" },
      { at: 2, type: "x" },
    ],
    damage: [{ skippedLines: 3, tornBytes: 7 }],
  });
});

test("lets the event loop turn while it reads", async () => {
  const line = `${JSON.stringify({ at: 1, type: "title", title: "x".repeat(300) })}\n`;
  await writeFile(path, line.repeat(10_000));
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);

  const pieces: number[] = [];
  for await (const entries of readEntries(path)) pieces.push(entries.length);
  isOver = true;

  expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(10_000);
  expect(Math.max(...pieces)).toBeLessThan(300);
  expect(turns).toBeGreaterThanOrEqual(pieces.length);
});

test("lets go of the file when nobody wants the rest", async () => {
  await writeFile(path, '{"at":1,"type":"interrupted"}\n'.repeat(5000));

  for await (const _ of readEntries(path)) break;

  await rm(path);
  expect(existsSync(path)).toBe(false);
  await expect(read()).rejects.toMatchObject({ code: "ENOENT" });
});

async function read(): Promise<{ entries: Entry[]; damage: Damage[] }> {
  const entries: Entry[] = [];
  const damage: Damage[] = [];
  for await (const some of readEntries(path, { onDamage: (found) => damage.push(found) })) {
    expect(some).not.toEqual([]);
    entries.push(...some);
  }
  return { entries, damage };
}
