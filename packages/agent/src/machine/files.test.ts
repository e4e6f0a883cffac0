import { execFileSync } from "node:child_process";
import { constants, readFileSync } from "node:fs";
import {
  chmod,
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openFolderOf } from "./contained-folder.ts";
import { type FolderListing, MachineError, type MachineErrorCode } from "./machine.ts";
import { type TemporaryMachine, temporaryMachine } from "./temporary-machine.ts";

const LINUX = process.platform === "linux";
const ROOT_USER = process.getuid?.() === 0;
const never = new AbortController().signal;

let here: TemporaryMachine;
let outsideFolder: FileHandle;

beforeEach(async () => {
  here = await temporaryMachine();
  await writeFile(join(here.outside, "secret.txt"), "secret");
});

afterEach(() => here[Symbol.asyncDispose]());

describe("reading", () => {
  test("returns text as it is, with line endings and byte order mark", async () => {
    const path = await here.put("a.txt", "\uFEFFone\r\ntwo\nthrée\r\r\n\n€");

    expect(await here.machine.readText(path, undefined, never)).toBe("\uFEFFone\r\ntwo\nthrée\r\r\n\n€");
  });

  test.each([
    { range: { line: 1, limit: 1 }, text: "one\n" },
    { range: { line: 2, limit: 2 }, text: "two\r\nthree\n" },
    { range: { line: 3 }, text: "three\n\nfive" },
    { range: { limit: 2 }, text: "one\ntwo\r\n" },
    { range: { line: 4, limit: 1 }, text: "\n" },
    { range: { line: 5, limit: 9 }, text: "five" },
    { range: { line: 6 }, text: "" },
    { range: { line: 1, limit: 0 }, text: "" },
    { range: {}, text: "one\ntwo\r\nthree\n\nfive" },
    { range: { line: -1 }, text: "five" },
    { range: { line: -2, limit: 1 }, text: "\n" },
    { range: { line: -4, limit: 2 }, text: "two\r\nthree\n" },
    { range: { line: -5 }, text: "one\ntwo\r\nthree\n\nfive" },
    { range: { line: -9, limit: 1 }, text: "one\n" },
  ])("selects lines, counted from 1 or from the end: $range", async ({ range, text }) => {
    const path = await here.put("a.txt", "one\ntwo\r\nthree\n\nfive");

    expect(await here.machine.readText(path, range, never)).toBe(text);
  });

  test("selects lines wherever the chunks of a long file end", async () => {
    const lines = Array.from({ length: 60_000 }, (_, at) => `${at + 1} ${"é".repeat(at % 17)}\n`);
    const path = await here.put("long.txt", lines.join(""));

    expect(await here.machine.readText(path, { line: 20_001, limit: 30_000 }, never)).toBe(
      lines.slice(20_000, 50_000).join(""),
    );
    expect(await here.machine.readText(path, { line: -40_000, limit: 30_000 }, never)).toBe(
      lines.slice(20_000, 50_000).join(""),
    );
    expect(await here.machine.readText(path, { line: -1 }, never)).toBe(lines.at(-1));
    expect(await here.machine.countLines(path, never)).toBe(60_000);
  });

  test.each([
    { text: "", last: "" },
    { text: "\n", last: "\n" },
    { text: "\n\n", last: "\n" },
    { text: "one\n", last: "one\n" },
    { text: "one\n\n", last: "\n" },
  ])("finds the last line: $text", async ({ text, last }) => {
    expect(await here.machine.readText(await here.put("a.txt", text), { line: -1 }, never)).toBe(last);
  });

  test.skipIf(!LINUX)("does not scan twice to find a line far behind, unless the file has changed", async () => {
    const path = await here.put("long.txt", "a line of text\n".repeat(1_000_000));
    await utimes(path, 1_000, 1_000);
    const readFar = () => here.machine.readText(path, { line: 999_999, limit: 1 }, never);
    const first = await costOf(readFar);
    const second = await costOf(readFar);

    expect([first.result, second.result]).toEqual(["a line of text\n", "a line of text\n"]);
    expect(first.bytes).toBeGreaterThan(14_000_000);
    expect(second.bytes).toBeLessThan(2_000_000);

    await writeFile(path, `\n${"a line of text\n".repeat(999_999)}${"x".repeat(13)}\n`);
    await utimes(path, 2_000, 2_000);
    expect(await here.machine.readText(path, { line: 1_000_001 }, never)).toBe(`${"x".repeat(13)}\n`);
  });

  test.each([
    { text: "", lines: 0 },
    { text: "one", lines: 1 },
    { text: "one\n", lines: 1 },
    { text: "one\n\ntwo", lines: 3 },
  ])("counts lines: $lines", async ({ text, lines }) => {
    expect(await here.machine.countLines(await here.put("a.txt", text), never)).toBe(lines);
  });

  test("reads a range of a 200 MB file without reading all of it", async () => {
    const path = await here.put("huge.txt", `first\nsecond\n${"and so on\n".repeat(1_000)}`);
    await truncate(path, 200_000_000);
    const before = bytesRead();

    expect(await here.machine.readText(path, { line: 2, limit: 1 }, never)).toBe("second\n");

    expect(await here.machine.readText(path, { line: -1 }, never).catch((error) => error.code)).toBe("too-large");
    expect(bytesRead() - before).toBeLessThan(20_000_000);
    expect(await here.machine.countLines(path, never)).toBeUndefined();
  });

  test("refuses to read more than fits at once, whole or as one line", async () => {
    const path = await here.put("long.txt", "x".repeat(17 * 1024 * 1024));

    expect(await refusal(here.machine.readText(path, undefined, never))).toEqual({
      code: "too-large",
      message: `${path} has more than 16 MiB to read at once. Read a part of it.`,
    });
    expect(await refusal(here.machine.readText(path, { line: 1, limit: 1 }, never))).toEqual({
      code: "too-large",
      message: `${path} has more than 16 MiB to read at once. Its lines are too long to be read as text.`,
    });
  });

  test("reads outside of the roots", async () => {
    expect(await here.machine.readText(join(here.outside, "secret.txt"), undefined, never)).toBe("secret");
  });

  test.each([
    { name: "a NUL", bytes: Buffer.from("text\0text") },
    { name: "control characters", bytes: Buffer.from([0xff, 0x01, 0x02, 0x80]) },
  ])("says that a file is not text: $name", async ({ bytes }) => {
    const path = await here.put("a.bin", bytes);

    expect(await refusal(here.machine.readText(path, undefined, never))).toEqual({
      code: "not-text",
      message: `${path} is not text`,
    });
  });

  test.each([
    { name: "UTF-16", bytes: Buffer.from("\uFEFFune\r\ndeux été\r\n", "utf16le"), encoding: "utf-16le", bom: "\uFEFF" },
    { name: "Latin-1", bytes: Buffer.from("une\r\ndeux été\r\n", "latin1"), encoding: "windows-1252", bom: "" },
    { name: "UTF-8", bytes: Buffer.from("une\r\ndeux été\r\n"), encoding: "utf-8", bom: "" },
  ])("reads what is text in another encoding: $name", async ({ bytes, encoding, bom }) => {
    const path = await here.put("a.txt", bytes);

    expect(await here.machine.readText(path, undefined, never)).toBe(`${bom}une\r\ndeux été\r\n`);
    expect(await here.machine.readText(path, { line: 2, limit: 1 }, never)).toBe("deux été\r\n");
    expect(await here.machine.readText(path, { line: -1 }, never)).toBe("deux été\r\n");
    expect(await here.machine.countLines(path, never)).toBe(2);
    expect(await here.machine.look(path, never)).toEqual({
      bytes: bytes.length,
      head: Uint8Array.from(bytes),
      encoding,
    });
  });

  test("reads what is plain at first and in another encoding later", async () => {
    const path = await here.put("a.txt", Buffer.from(`${"plain\n".repeat(20_000)}été\n`, "latin1"));

    expect(await here.machine.readText(path, { line: -1 }, never)).toBe("été\n");
    expect((await here.machine.readText(path, undefined, never)).endsWith("\nété\n")).toBe(true);
  });

  test("says what else cannot be read", async () => {
    const { root, machine } = here;
    const file = await here.put("a.txt", "");

    expect(await refusal(machine.readText(join(root, "none"), undefined, never))).toEqual({
      code: "not-found",
      message: `File ${join(root, "none")} does not exist`,
    });
    expect(await refusal(machine.readText(root, undefined, never))).toEqual({
      code: "not-a-file",
      message: `${root} is a folder`,
    });
    expect(await codeOf(machine.readText(join(file, "below"), undefined, never))).toBe("not-a-folder");
    expect(await codeOf(machine.readText(join(root, "a\0b"), undefined, never))).toBe("failed");
  });

  test.skipIf(!LINUX)("refuses pipes and devices instead of waiting for them", async () => {
    const fifo = join(here.root, "fifo");
    execFileSync("mkfifo", [fifo]);

    for (const path of [fifo, "/dev/zero", "/dev/null"]) {
      expect(await refusal(here.machine.readText(path, undefined, never))).toEqual({
        code: "not-a-file",
        message: `${path} is a pipe, a socket or a device, not a file`,
      });
      expect(await codeOf(here.machine.readBytes(path, 100, never))).toBe("not-a-file");
    }
  });

  test.skipIf(ROOT_USER)("says that it has no permission to read", async () => {
    const path = await here.put("a.txt", "");
    await chmod(path, 0);

    expect(await refusal(here.machine.readText(path, undefined, never))).toEqual({
      code: "denied",
      message: `No permission to read ${path}`,
    });
  });

  test("reads bytes up to a limit", async () => {
    const path = await here.put("a.bin", Buffer.from([0, 1, 255]));

    expect([...(await here.machine.readBytes(path, 3, never))]).toEqual([0, 1, 255]);
    expect(await codeOf(here.machine.readBytes(path, 2, never))).toBe("too-large");
  });

  test("throws the reason of a signal that has fired", async () => {
    const path = await here.put("a.txt", "");
    const reason = new Error("stop");

    await expect(here.machine.readText(path, undefined, AbortSignal.abort(reason))).rejects.toBe(reason);
    await expect(here.machine.stat(path, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test("tells what is at a path", async () => {
    const path = await here.put("a.txt", "four");

    expect(await here.machine.stat(path, never)).toEqual({ type: "file", bytes: 4 });
    expect(await here.machine.stat(here.root, never)).toMatchObject({ type: "folder" });
    expect(await here.machine.stat(join(here.root, "none"), never)).toBeUndefined();
    expect(await here.machine.stat(join(path, "none"), never)).toBeUndefined();
  });
});

describe("writing", () => {
  test("creates the file and its folders", async () => {
    await here.machine.writeText(join(here.root, "a/b/c.txt"), "text €", never);

    expect(await here.get("a/b/c.txt")).toBe("text €");
  });

  test("replaces atomically, keeps the mode and leaves nothing beside it", async () => {
    const path = await here.put("run.sh", "old");
    await chmod(path, 0o750);
    await using reader = await open(path, constants.O_RDONLY);

    await here.machine.writeText(path, "new", never);

    expect(await here.get("run.sh")).toBe("new");
    expect(await reader.readFile("utf8")).toBe("old");
    expect((await stat(path)).mode & 0o777).toBe(0o750);
    expect(await readdir(here.root)).toEqual(["run.sh"]);
  });

  test("writes through a link that stays inside", async () => {
    const target = await here.put("target.txt", "old");
    await symlink(target, join(here.root, "link.txt"));
    await symlink("made-by-link.txt", join(here.root, "dangling.txt"));

    await here.machine.writeText(join(here.root, "link.txt"), "new", never);
    await here.machine.writeText(join(here.root, "dangling.txt"), "made", never);

    expect(await here.get("target.txt")).toBe("new");
    expect(await here.get("made-by-link.txt")).toBe("made");
  });

  test.each([
    { name: "by its own name", path: "../outside/secret.txt" },
    { name: "by a link to a file", path: "file-link" },
    { name: "by a link to nothing yet", path: "new-link" },
    { name: "by a link to a folder", path: "folder-link/secret.txt" },
    { name: "by a folder below a link", path: "folder-link/new/secret.txt" },
    { name: "by a link to a link", path: "link-link/secret.txt" },
  ])("refuses what leads out of the roots: $name", async ({ path }) => {
    await symlink(join(here.outside, "secret.txt"), join(here.root, "file-link"));
    await symlink(join(here.outside, "new.txt"), join(here.root, "new-link"));
    await symlink(here.outside, join(here.root, "folder-link"));
    await symlink("folder-link", join(here.root, "link-link"));

    const named = join(here.root, path);
    const refused = await refusal(here.machine.writeText(named, "changed", never));

    expect(refused.code).toBe("outside");
    expect(refused.message).toMatch(/^PathPolicy: refused '.*' — resolves to '.*', outside project_root '.*'$/);
    expect(await codeOf(here.machine.resolveInside(named, never))).toBe("outside");
    expect(await readdir(here.outside)).toEqual(["secret.txt"]);
    expect(await readFile(join(here.outside, "secret.txt"), "utf8")).toBe("secret");
  });

  test.skipIf(!LINUX).each([
    { name: "up and out, by dots", path: () => `${here.root}/new/../../outside/secret.txt` },
    { name: "by the root folder of a process", path: () => `/proc/self/root${here.outside}/secret.txt` },
    { name: "by the folder of a process", path: () => `/proc/self/cwd/${"../".repeat(20)}${here.outside}/secret.txt` },
    { name: "by a name that begins like the root", path: () => `${here.root}-too/secret.txt` },
    { name: "by the root's name in other letters", path: () => here.root.replace(/root$/, "ROOT/secret.txt") },
    { name: "by the root's parent", path: () => `${here.root}/..` },
    { name: "by a link to the root folder of a process", path: () => `${here.root}/process${here.outside}/secret.txt` },
    { name: "by a chain of links that ends nowhere yet", path: () => `${here.root}/chain/new.txt` },
    { name: "by a link whose target has dots", path: () => `${here.root}/dots/secret.txt` },
    { name: "by an open folder of this process", path: () => `/proc/self/fd/${outsideFolder.fd}/secret.txt` },
  ])("refuses every other way out: $name", async ({ path }) => {
    await symlink("/proc/self/root", join(here.root, "process"));
    await symlink("chained", join(here.root, "chain"));
    await symlink(join(here.outside, "nowhere"), join(here.root, "chained"));
    await symlink("./../root/../outside", join(here.root, "dots"));
    await using folder = await open(here.outside, constants.O_RDONLY | constants.O_DIRECTORY);
    outsideFolder = folder;

    expect(await codeOf(here.machine.writeText(path(), "changed", never))).toBe("outside");
    expect(await codeOf(here.machine.resolveInside(path(), never))).toBe("outside");
    expect(await readdir(here.outside)).toEqual(["secret.txt"]);
    expect(await readFile(join(here.outside, "secret.txt"), "utf8")).toBe("secret");
    expect(await readdir(join(here.root, ".."))).toEqual(["outside", "root"]);
  });

  test("refuses links without an end", async () => {
    await symlink("there", join(here.root, "here"));
    await symlink("here", join(here.root, "there"));

    expect(await codeOf(here.machine.writeText(join(here.root, "here"), "x", never))).toBe("failed");
  });

  test("takes dots behind a link for what they look like, and stays inside", async () => {
    await symlink(here.outside, join(here.root, "link"));

    await here.machine.writeText(`${here.root}/link/../secret.txt`, "mine", never);

    expect(await here.get("secret.txt")).toBe("mine");
    expect(await readFile(join(here.outside, "secret.txt"), "utf8")).toBe("secret");
  });

  test("leaves the other names of a file as they are", async () => {
    await link(join(here.outside, "secret.txt"), join(here.root, "hard.txt"));

    await here.machine.writeText(join(here.root, "hard.txt"), "mine", never);

    expect(await here.get("hard.txt")).toBe("mine");
    expect(await readFile(join(here.outside, "secret.txt"), "utf8")).toBe("secret");
  });

  test.skipIf(ROOT_USER)("does not write through a hard link where it cannot be replaced", async () => {
    await mkdir(join(here.root, "closed"));
    const path = join(here.root, "closed/hard.txt");
    await link(join(here.outside, "secret.txt"), path);
    await chmod(join(here.root, "closed"), 0o555);

    expect(await codeOf(here.machine.writeText(path, "mine", never))).toBe("denied");
    await chmod(join(here.root, "closed"), 0o755);
    expect(await readFile(join(here.outside, "secret.txt"), "utf8")).toBe("secret");
  });

  test.skipIf(!LINUX)("never writes outside while the file itself is swapped for a link", async () => {
    const path = await here.put("file.txt", "x");
    const written = Array.from({ length: 60 }, async () => {
      await here.machine.writeText(path, "x", never).catch((error: unknown) => {
        expect(error).toBeInstanceOf(MachineError);
      });
    });
    const swapped = (async () => {
      for (let round = 0; round < 60; round++) {
        await rm(path, { force: true });
        await symlink(join(here.outside, "secret.txt"), path).catch(() => {});
      }
    })();
    await Promise.all([...written, swapped]);

    expect(await readFile(join(here.outside, "secret.txt"), "utf8")).toBe("secret");
  });

  test("keeps the encoding, and says what cannot be written in it", async () => {
    const path = await here.put("a.txt", Buffer.from("été\n", "latin1"));

    await here.machine.writeText(path, "août\n", never);
    expect(await readFile(path)).toEqual(Buffer.from("août\n", "latin1"));
    expect(await refusal(here.machine.writeText(path, "\u4e00\n", never))).toEqual({
      code: "failed",
      message: `${path} is written in windows-1252, which has no "\u4e00". Use another character, or convert the file to UTF-8 first`,
    });
    expect(await readdir(here.root)).toEqual(["a.txt"]);
  });

  test("answers where a path inside really leads", async () => {
    await mkdir(join(here.root, "real"));
    await symlink("real", join(here.root, "link"));

    expect(await here.machine.resolveInside(join(here.root, "link/a/b.txt"), never)).toBe(
      join(here.root, "real/a/b.txt"),
    );
  });

  test.skipIf(!LINUX)("refuses a folder that leads out by the time it is opened", async () => {
    await mkdir(join(here.outside, "folder"));
    await symlink(here.outside, join(here.root, "swapped"));
    const path = join(here.root, "swapped/folder/a.txt");
    // As if it had been looked up before the swap.
    const place = { path, real: path, roots: [here.root] };

    expect(await codeOf(openFolderOf(place))).toBe("outside");
    expect(await codeOf(openFolderOf({ ...place, real: join(here.root, "swapped/folder/new/a.txt") }))).toBe("outside");
    expect(await readdir(join(here.outside, "folder"))).toEqual([]);
  });

  test.skipIf(!LINUX)("never writes outside while a folder on the way is swapped for a link", async () => {
    const folder = join(here.root, "folder");
    await mkdir(folder);
    const written = Array.from({ length: 60 }, async (_, at) => {
      await here.machine.writeText(join(folder, `deep/${at}.txt`), "x", never).catch((error: unknown) => {
        expect(error).toBeInstanceOf(MachineError);
      });
    });
    const swapped = (async () => {
      for (let round = 0; round < 60; round++) {
        await rename(folder, `${folder}-${round}`);
        await symlink(here.outside, folder);
        await rm(folder);
        await mkdir(folder);
      }
    })();
    await Promise.all([...written, swapped]);

    expect(await readdir(here.outside)).toEqual(["secret.txt"]);
  });

  test("refuses a folder, a pipe and a file nobody may write", async () => {
    const { root, machine } = here;
    const path = await here.put("read-only.txt", "old");
    await chmod(path, 0o444);
    expect(await refusal(machine.writeText(path, "new", never))).toEqual({
      code: "denied",
      message: `${path} is read-only`,
    });
    expect(await here.get("read-only.txt")).toBe("old");
    await mkdir(join(root, "folder"));
    expect(await codeOf(machine.writeText(join(root, "folder"), "new", never))).toBe("not-a-file");
    expect(await codeOf(machine.writeText(join(path, "below.txt"), "new", never))).toBe("not-a-folder");
    if (!LINUX) return;
    execFileSync("mkfifo", [join(root, "fifo")]);
    expect(await codeOf(machine.writeText(join(root, "fifo"), "new", never))).toBe("not-a-file");
  });

  test("writes nothing when the signal has fired", async () => {
    const path = join(here.root, "a.txt");

    await expect(here.machine.writeText(path, "text", AbortSignal.abort())).rejects.toThrow("aborted");

    expect(await readdir(here.root)).toEqual([]);
  });
});

describe("listing", () => {
  test("puts folders first, tells sizes, and where links lead", async () => {
    await here.put("b.txt", "four");
    await here.put("a.txt", "");
    await here.put("src/main.ts", "");
    await symlink("src", join(here.root, "to-folder"));
    await symlink("b.txt", join(here.root, "to-file"));
    await symlink("nowhere", join(here.root, "to-nothing"));
    await link(join(here.root, "b.txt"), join(here.root, "hard.txt"));

    expect(await here.machine.listFolder(here.root, 100, never)).toEqual({
      entries: [
        { name: "src", type: "folder" },
        { name: "to-folder", type: "folder", link: "src" },
        { name: "a.txt", type: "file", bytes: 0 },
        { name: "b.txt", type: "file", bytes: 4 },
        { name: "hard.txt", type: "file", bytes: 4 },
        { name: "to-file", type: "file", bytes: 4, link: "b.txt" },
        { name: "to-nothing", type: "other", link: "nowhere" },
      ],
      total: 7,
    } satisfies FolderListing);
  });

  test("returns no more than asked for, and says how many there are", async () => {
    for (const name of ["c", "a", "b"]) await here.put(name, "");

    const { entries, total } = await here.machine.listFolder(here.root, 2, never);

    expect({ names: entries.map(({ name }) => name), total }).toEqual({ names: ["a", "b"], total: 3 });
  });

  test("says what cannot be listed", async () => {
    const path = await here.put("a.txt", "");

    expect(await refusal(here.machine.listFolder(path, 1, never))).toEqual({
      code: "not-a-folder",
      message: `${path} is not a folder`,
    });
    expect(await codeOf(here.machine.listFolder(`${path}-none`, 1, never))).toBe("not-found");
  });
});

async function costOf<T>(action: () => Promise<T>): Promise<{ result: T; bytes: number }> {
  const before = bytesRead();
  const result = await action();
  return { result, bytes: bytesRead() - before };
}

/** By this process, as Linux counts. */
function bytesRead(): number {
  return LINUX ? Number(/rchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1]) : 0;
}

async function refusal(action: Promise<unknown>): Promise<{ code: MachineErrorCode; message: string }> {
  const error = await action.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(MachineError);
  const { code, message } = error as MachineError;
  return { code, message };
}

async function codeOf(action: Promise<unknown>): Promise<MachineErrorCode> {
  return (await refusal(action)).code;
}
