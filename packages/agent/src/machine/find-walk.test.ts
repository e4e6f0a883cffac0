import { mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nothingHidden } from "./find-hidden.ts";
import { type WalkOptions, walk } from "./find-walk.ts";
import { noRules } from "./ignore-rules.ts";
import { type TemporaryMachine, temporaryMachine } from "./temporary-machine.ts";

const never = new AbortController().signal;
const everything: WalkOptions = {
  rules: noRules,
  passed: new Set(),
  hidden: nothingHidden,
  wants: () => true,
  links: "drop",
  maxDepth: Number.POSITIVE_INFINITY,
  maxFiles: 100,
};

let here: TemporaryMachine;

beforeEach(async () => {
  here = await temporaryMachine();
});

afterEach(() => here[Symbol.asyncDispose]());

test("goes as deep as it may, and asks about paths relative to the folder", async () => {
  for (const name of ["a", "b/c", "b/d/e"]) await here.put(name, "");
  const asked: string[] = [];
  const wants = (path: string): boolean => asked.push(path) > 0;

  const { paths, isPartial } = await walk(here.root, { ...everything, wants, maxDepth: 1 }, never);

  expect(paths.map((path) => relative(here.root, path)).sort()).toEqual(["a", "b/c"]);
  expect(asked.sort()).toEqual(["a", "b/c"]);
  expect(isPartial).toBe(false);
});

test("lets go of whatever waits when nobody wants it any more, however much that is", async () => {
  for (let at = 0; at < 8_000; at++) mkdirSync(join(here.root, String(at)));
  await here.put("0/a", "");
  const controller = new AbortController();
  const wants = (): boolean => {
    controller.abort(new Error("enough"));
    return true;
  };

  await expect(walk(here.root, { ...everything, wants }, controller.signal)).rejects.toThrow("enough");
  // What failed in a callback would have been noticed by now.
  await new Promise(setImmediate);
});

test("stops at its cap", async () => {
  for (const name of ["a", "b", "c/d"]) await here.put(name, "");

  expect(await walk(here.root, { ...everything, maxFiles: 1 }, never)).toMatchObject({
    paths: { length: 1 },
    isPartial: true,
  });
});
