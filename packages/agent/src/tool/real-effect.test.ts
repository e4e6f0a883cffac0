import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { localMachine } from "../machine/local-machine.ts";
import { type TemporaryMachine, temporaryMachine } from "../machine/temporary-machine.ts";
import { realEffect } from "./real-effect.ts";

const never = new AbortController().signal;
let here: TemporaryMachine;

beforeEach(async () => {
  here = await temporaryMachine();
});

afterEach(() => here[Symbol.asyncDispose]());

const at = (...names: string[]): string => join(here.root, ...names);
const real = (effect: Parameters<typeof realEffect>[0]) =>
  realEffect(effect, { machine: here.machine, roots: [here.root] }, never);

describe.skipIf(process.platform === "win32")("the real places of a call", () => {
  test("are those it was given, where no link is on the way", async () => {
    await here.put("a/b.txt", "b");
    const effect = { type: "write", paths: [at("a/b.txt"), at("new/c.txt")] } as const;
    expect(await real(effect)).toBe(effect);
  });

  test("are named beside those that lead there, for files to come, too", async () => {
    await mkdir(at(".git/hooks"), { recursive: true });
    await symlink(".git/hooks", at("docs"));
    expect(await real({ type: "write", paths: [at("docs/x")] })).toEqual({
      type: "write",
      paths: [at("docs/x"), at(".git/hooks/x")],
    });
  });

  test("are named outside of the roots as well", async () => {
    await mkdir(join(here.outside, ".ssh"));
    await symlink(join(here.outside, ".ssh"), at("notes"));
    await symlink(here.outside, join(here.outside, "again"));
    const key = join(here.outside, ".ssh/id");
    expect(await real({ type: "read", paths: [at("notes/id"), join(here.outside, "again/.ssh/id")] })).toEqual({
      type: "read",
      paths: [at("notes/id"), join(here.outside, "again/.ssh/id"), key],
    });
  });

  test("are told by the roots as they are named, where a root is a link itself", async () => {
    const root = join(here.outside, "named");
    await symlink(here.root, root);
    await symlink(".git", at("docs"));
    await mkdir(at(".git"));
    const machine = localMachine({ roots: [root], spillFolder: here.spillFolder });
    const effect = await realEffect(
      { type: "write", paths: [join(root, "a"), join(root, "docs/x")] },
      { machine, roots: [root] },
      never,
    );
    expect(effect).toEqual({ type: "write", paths: [join(root, "a"), join(root, "docs/x"), join(root, ".git/x")] });
  });

  test("do not matter for what names no place", async () => {
    const effect = { type: "command", command: "ls", cwd: here.root } as const;
    expect(await real(effect)).toBe(effect);
  });
});
