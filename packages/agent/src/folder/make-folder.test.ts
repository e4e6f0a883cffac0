import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeFolder, makeFolderSync } from "./make-folder.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentao-folder-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe.each([
  { name: "waiting", make: makeFolder },
  { name: "at once", make: async (path: string, mode?: number) => makeFolderSync(path, mode) },
])("$name", ({ make }) => {
  test("makes a folder and those above it, and leaves one that is there", async () => {
    const path = join(folder, "a/b/c");
    await make(path, 0o700);
    await make(path, 0o755);
    expect([path, join(folder, "a")].map((one) => statSync(one).mode & 0o777)).toEqual([0o700, 0o700]);
  });

  test("says what is in the way", async () => {
    writeFileSync(join(folder, "file"), "");
    symlinkSync("nowhere", join(folder, "link"));
    await expect(make(join(folder, "file"))).rejects.toMatchObject({ code: "EEXIST" });
    await expect(make(join(folder, "file/below"))).rejects.toMatchObject({ code: "ENOTDIR" });
    await expect(make(join(folder, "link/below"))).rejects.toMatchObject({ code: "EEXIST" });
  });

  test("makes what several want at once", async () => {
    const path = join(folder, "x/y/z");
    await Promise.all([make(path), make(path), make(join(path, "w"))]);
    expect(statSync(join(path, "w")).isDirectory()).toBe(true);
  });

  test.skipIf(process.platform !== "linux")("gives up where nothing can be made", async () => {
    await expect(make("/proc/agentao/home")).rejects.toMatchObject({ code: "ENOENT" });
  });
});
