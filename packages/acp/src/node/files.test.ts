import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RpcError } from "../error/rpc-error.ts";
import { createFileHandlers, type FileOptions } from "./files.ts";

const WINDOWS = process.platform === "win32";
const LINUX = process.platform === "linux";
const INVALID_PARAMS = -32602;
const NOT_FOUND = -32002;
const INTERNAL = -32603;
const CANCELLED = -32800;
const PATIENT = { timeout: 10_000 };

let base: string;
let root: string;
let outside: string;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "acp-files-")));
  root = join(base, "root");
  outside = join(base, "outside");
  await mkdir(root);
  await mkdir(outside);
  await writeFile(join(outside, "secret.txt"), "secret");
});

afterEach(async () => {
  await rm(base, { recursive: true, force: true });
});

describe("reading", () => {
  test("returns the text of a file as it is, with its line endings and its byte order mark", async () => {
    const path = await put("a.txt", "\uFEFFone\r\ntwo\nthrée\r\r\n\n€");

    expect(await read(path)).toBe("\uFEFFone\r\ntwo\nthrée\r\r\n\n€");
  });

  test.each([
    { range: { line: 1, limit: 1 }, content: "one\n" },
    { range: { line: 0, limit: 1 }, content: "one\n" },
    { range: { line: 2, limit: 2 }, content: "two\r\nthree\n" },
    { range: { line: 3 }, content: "three\n\nfive" },
    { range: { limit: 2 }, content: "one\ntwo\r\n" },
    { range: { line: 4, limit: 1 }, content: "\n" },
    { range: { line: 5, limit: 9 }, content: "five" },
    { range: { line: 6 }, content: "" },
    { range: { line: 1, limit: 0 }, content: "" },
    { range: { line: null, limit: null }, content: "one\ntwo\r\nthree\n\nfive" },
  ])("C-315 selects lines, counted from 1: $range", async ({ range, content }) => {
    const path = await put("a.txt", "one\ntwo\r\nthree\n\nfive");

    expect(await read(path, range)).toBe(content);
  });

  test("C-315 selects lines wherever the chunks of a long file end", async () => {
    const lines = Array.from({ length: 30_000 }, (_, at) => `${at + 1} ${"é".repeat(at % 17)}\n`);
    const path = await put("long.txt", lines.join(""));

    for (const line of [1, 4_000, 12_345, 29_999]) {
      expect(await read(path, { line, limit: 5_000 })).toBe(lines.slice(line - 1, line + 4_999).join(""));
    }
  });

  test("C-315 prefers unsaved text over the disk, also for a file that does not exist yet", async () => {
    const saved = await put("saved.txt", "old\n");
    const fresh = join(root, "fresh.txt");
    const unsaved = new Map([
      [saved, "new\nlines\n"],
      [fresh, "fresh"],
    ]);
    const overlay = { read: (path: string) => unsaved.get(path) };

    expect(await read(saved, { line: 2 }, { overlay })).toBe("lines\n");
    expect(await read(fresh, {}, { overlay })).toBe("fresh");
  });

  test("C-315 finds unsaved text by the real path, when the agent named a link to it", async () => {
    const path = await put("a.txt", "old");
    await symlink(path, join(root, "link.txt"));
    const overlay = { read: (asked: string) => (asked === path ? "new" : undefined) };

    expect(await read(join(root, "link.txt"), {}, { overlay })).toBe("new");
  });

  test("C-318 does not serve unsaved text from outside of the roots", async () => {
    const overlay = { read: () => "secret" };

    expect(await faultOf(read(join(outside, "secret.txt"), {}, { overlay }))).toMatchObject({ code: INVALID_PARAMS });
  });

  test("C-317 says that a file is missing", async () => {
    const path = join(root, "no", "such.txt");

    expect(await faultOf(read(path))).toEqual({
      code: NOT_FOUND,
      message: `${path} does not exist. Check the path, or list its folder.`,
      data: { path },
    });
  });

  test("refuses a file that is too long, and says how to read a part of it", async () => {
    const path = await put("big.txt", "0123456789\n".repeat(10));

    expect(await faultOf(read(path, {}, { maxReadBytes: 100 }))).toEqual({
      code: INVALID_PARAMS,
      message: `${path} is too long to be read at once (over 100 bytes). Read a part of it with line and limit.`,
      data: { path, maxBytes: 100 },
    });
    expect(await read(path, { line: 2, limit: 9 }, { maxReadBytes: 100 })).toBe("0123456789\n".repeat(9));
    expect(await faultOf(read(path, { line: 1, limit: 10 }, { maxReadBytes: 100 }))).toMatchObject({
      code: INVALID_PARAMS,
      message: expect.stringContaining("Ask for fewer lines"),
    });
  });

  test("reads the first lines of a huge file without reading the rest", async () => {
    const path = await put("huge.txt", "first\nsecond\n");
    await truncate(path, 2 ** 40);

    expect(await read(path, { limit: 2 })).toBe("first\nsecond\n");
  });

  test("refuses what is not UTF-8 rather than change it", async () => {
    const path = join(root, "latin1.txt");
    await writeFile(path, Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]));

    expect(await faultOf(read(path))).toEqual({
      code: INVALID_PARAMS,
      message: `${path} is not UTF-8 text. Use a tool that reads other encodings or binary files.`,
      data: { path },
    });
  });

  test.each([{ line: -1 }, { line: 1.5 }, { limit: -1 }])("refuses a range that is none: %o", async (range) => {
    const path = await put("a.txt", "text");

    expect(await faultOf(read(path, range))).toMatchObject({ code: INVALID_PARAMS });
  });

  test("stops when the request is cancelled", async () => {
    const path = await put("huge.txt", "");
    await truncate(path, 2 ** 40);
    const controller = new AbortController();
    const answer = faultOf(
      handlers().readTextFile({ sessionId: "s", path, line: 2 ** 31 }, { signal: controller.signal }),
    );
    setImmediate(() => controller.abort());

    expect(await answer).toMatchObject({ code: CANCELLED });
  });

  test("reads files of the system, whose size is told as 0", { skip: !LINUX }, async () => {
    expect(await read("/proc/self/comm", {}, { roots: ["/"] })).not.toBe("");
  });
});

describe("writing", () => {
  test("C-316 creates a file that is missing, with its folders", async () => {
    const path = join(root, "a", "b", "c.txt");

    await write(path, "hello €\r\n");

    expect(await readFile(path, "utf8")).toBe("hello €\r\n");
    expect(await filesIn(root)).toEqual(["a", "a/b", "a/b/c.txt"]);
  });

  test.skipIf(WINDOWS)("gives a new file the mode any new file gets", async () => {
    await write(join(root, "new.txt"), "");

    expect((await stat(join(root, "new.txt"))).mode).toBe((await stat(await put("usual.txt", ""))).mode);
  });

  test.skipIf(WINDOWS)("replaces a file and keeps its mode", async () => {
    const path = await put("run.sh", "old");
    await chmod(path, 0o751);

    await write(path, "new");

    expect(await readFile(path, "utf8")).toBe("new");
    expect((await stat(path)).mode & 0o7777).toBe(0o751);
    expect(await filesIn(root)).toEqual(["run.sh"]);
  });

  test("replaces atomically: who has the old file open keeps reading the old text", async () => {
    const path = await put("a.txt", "old");
    await using reader = await open(path);

    await write(path, "new");

    expect(await reader.readFile("utf8")).toBe("old");
  });

  test("leaves other names of the same file alone", async () => {
    const path = await put("a.txt", "old");
    await link(path, join(outside, "other-name.txt"));

    await write(path, "new");

    expect(await readFile(join(outside, "other-name.txt"), "utf8")).toBe("old");
  });

  test("writes through a link to its target inside of the roots; the link stays a link", async () => {
    const path = await put("target.txt", "old");
    await symlink("target.txt", join(root, "link.txt"));
    await symlink("sub/missing.txt", join(root, "dangling.txt"));

    await write(join(root, "link.txt"), "new");
    await write(join(root, "dangling.txt"), "made");

    expect(await readFile(path, "utf8")).toBe("new");
    expect(await readlink(join(root, "link.txt"))).toBe("target.txt");
    expect(await readFile(join(root, "sub", "missing.txt"), "utf8")).toBe("made");
    expect((await lstat(join(root, "dangling.txt"))).isSymbolicLink()).toBe(true);
  });

  test("refuses a read-only file and leaves it as it is", async () => {
    const path = await put("locked.txt", "old");
    await chmod(path, 0o444);

    expect(await faultOf(write(path, "new"))).toEqual({
      code: INTERNAL,
      message: `${path} is read-only. Ask the user to allow writing it, or write another file.`,
      data: { path },
    });
    expect(await readFile(path, "utf8")).toBe("old");
    expect(await filesIn(root)).toEqual(["locked.txt"]);
  });

  test("refuses a path below a file", async () => {
    const path = join(await put("file.txt", ""), "below.txt");

    expect(await faultOf(write(path, ""))).toMatchObject({ code: INVALID_PARAMS, data: { path } });
  });

  test.skipIf(!LINUX)("leaves nothing behind when the disk does not take the whole text", async () => {
    const path = await put("a.txt", "old");
    const params = { path, content: "x".repeat(1024 * 1024) };

    // Node ignores SIGXFSZ, so a write past the limit fails as it does on a full disk.
    expect(await inHost("writeTextFile", params, "", ["prlimit", "--fsize=262144"])).toEqual({
      code: INTERNAL,
      message: `${path} would become larger than is allowed here. Write less.`,
      data: { path, code: "EFBIG" },
    });
    expect(await readFile(path, "utf8")).toBe("old");
    expect(await filesIn(root)).toEqual(["a.txt"]);
  });

  test("does nothing for a request that is already cancelled", async () => {
    const path = join(root, "sub", "a.txt");
    const context = { signal: AbortSignal.abort() };
    const params = { sessionId: "s", path, content: "text" };

    expect(await faultOf(handlers().writeTextFile(params, context))).toMatchObject({ code: CANCELLED });
    expect(await filesIn(root)).toEqual([]);
  });

  test("leaves nothing half done when it is cancelled on the way", async () => {
    const path = await put("a.txt", "old");
    const content = "x".repeat(8 * 1024 * 1024);
    const controller = new AbortController();
    const answer = faultOf(handlers().writeTextFile({ sessionId: "s", path, content }, { signal: controller.signal }));
    await expect.poll(async () => (await readdir(root)).length, { interval: 0, ...PATIENT }).toBe(2);
    controller.abort();

    expect(await answer).toMatchObject({ code: CANCELLED });
    expect(await readFile(path, "utf8")).toBe("old");
    expect(await filesIn(root)).toEqual(["a.txt"]);
  });
});

describe.skipIf(WINDOWS)("without rights", () => {
  test("says that a file may not be read", async () => {
    const path = await put("private.txt", "text");
    await chmod(path, 0);

    expect(await asNobody("readTextFile", { path })).toEqual({
      code: INTERNAL,
      message: `No permission to read ${path}. Ask the user to grant it.`,
      data: { path, code: "EACCES" },
    });
  });

  test("says that a folder may not be written, and leaves nothing in it", async () => {
    await chmod(root, 0o555);
    const path = join(root, "new.txt");

    expect(await asNobody("writeTextFile", { path, content: "text" })).toEqual({
      code: INTERNAL,
      message: `No permission to write ${path}. Ask the user to grant it.`,
      data: { path, code: "EACCES" },
    });
    expect(await filesIn(root)).toEqual([]);
  });

  test("writes in place where the folder may not be written but the file may", async () => {
    const path = await put("a.txt", "a longer text than the new one");
    await chmod(path, 0o666);
    await chmod(root, 0o555);
    const { ino } = await stat(path);

    expect(await asNobody("writeTextFile", { path, content: "new" })).toEqual({});

    expect(await readFile(path, "utf8")).toBe("new");
    expect((await stat(path)).ino).toBe(ino);
  });

  test.skipIf(process.getuid?.() !== 0)("keeps the owner of a file that belongs to somebody else", async () => {
    const path = await put("a.txt", "old");
    await chmod(path, 0o666);
    await chmod(root, 0o777);

    expect(await asNobody("writeTextFile", { path, content: "new" })).toEqual({});

    expect(await readFile(path, "utf8")).toBe("new");
    expect((await stat(path)).uid).toBe(0);
    expect(await filesIn(root)).toEqual(["a.txt"]);
  });
});

// Linux can tell where an open file is; what the other systems do instead is tested here, too.
describe.each(["descriptor", "identity"] as const)("C-158 C-318 containment by %s", (openCheck) => {
  const check = { openCheck: LINUX ? openCheck : "identity" } as const;

  const escapes: { name: string; path: () => Promise<string> }[] = [
    { name: "another folder", path: async () => join(outside, "secret.txt") },
    { name: "..", path: async () => `${root}/sub/../../outside/secret.txt` },
    {
      name: "a folder whose name begins like the root's",
      path: async () => {
        await mkdir(`${root}-evil`);
        await writeFile(`${root}-evil/secret.txt`, "secret");
        return `${root}-evil/secret.txt`;
      },
    },
    {
      name: "a linked file",
      path: async () => {
        await symlink(join(outside, "secret.txt"), join(root, "link.txt"));
        return join(root, "link.txt");
      },
    },
    {
      name: "a relative link",
      path: async () => {
        await symlink("../outside/secret.txt", join(root, "link.txt"));
        return join(root, "link.txt");
      },
    },
    {
      name: "a linked folder",
      path: async () => {
        await symlink(outside, join(root, "folder"));
        return join(root, "folder", "secret.txt");
      },
    },
    {
      name: "a chain of links",
      path: async () => {
        await symlink(outside, join(root, "one"));
        await symlink("one", join(root, "two"));
        return join(root, "two", "secret.txt");
      },
    },
    {
      name: "a link to a missing file",
      path: async () => {
        await symlink(join(outside, "missing.txt"), join(root, "dangling.txt"));
        return join(root, "dangling.txt");
      },
    },
    {
      name: "a missing folder behind a linked one",
      path: async () => {
        await symlink(outside, join(root, "folder"));
        return join(root, "folder", "missing", "deep.txt");
      },
    },
    {
      name: "a missing folder and ..",
      path: async () => {
        await symlink(outside, join(root, "folder"));
        return `${root}/missing/../folder/secret.txt`;
      },
    },
  ];

  test.each(escapes)("leaves no way out by $name", async ({ path: prepare }) => {
    const path = await prepare();
    const before = await filesIn(base);

    for (const answer of [await faultOf(read(path, {}, check)), await faultOf(write(path, "taken over", check))]) {
      expect(answer).toMatchObject({ code: INVALID_PARAMS, message: expect.stringContaining("is outside of") });
    }
    expect(await filesIn(base)).toEqual(before);
    expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("secret");
  });

  test("reads and writes below a root that is itself a link", async () => {
    await symlink(root, join(base, "linked-root"));
    const options = { ...check, roots: [join(base, "linked-root")] };

    await write(join(root, "sub", "a.txt"), "text", options);

    expect(await read(join(base, "linked-root", "sub", "a.txt"), {}, options)).toBe("text");
  });

  test("takes / as a root", async () => {
    const options = { ...check, roots: ["/"] };

    await write(join(root, "sub", "a.txt"), "text", options);

    expect(await read(join(root, "sub", "a.txt"), {}, options)).toBe("text");
  });

  test("contains nothing in a root that does not exist", async () => {
    const roots = [join(base, "gone")];

    expect(await faultOf(write(join(base, "gone", "a.txt"), "", { ...check, roots }))).toMatchObject({
      code: INVALID_PARAMS,
    });
    expect(await filesIn(base)).toEqual(["outside", "outside/secret.txt", "root"]);
  });

  test("refuses a ring of links", async () => {
    await symlink("b", join(root, "a"));
    await symlink("a", join(root, "b"));

    expect(await faultOf(read(join(root, "a"), {}, check))).toMatchObject({ code: INVALID_PARAMS });
    expect(await faultOf(write(join(root, "a"), "", check))).toMatchObject({ code: INVALID_PARAMS });
  });

  test("refuses folders", async () => {
    const path = join(root, "folder");
    await mkdir(path);

    for (const answer of [await faultOf(read(path, {}, check)), await faultOf(write(path, "", check))]) {
      expect(answer).toEqual({
        code: INVALID_PARAMS,
        message: `${path} is a folder; name a file in it.`,
        data: { path },
      });
    }
  });

  test.skipIf(WINDOWS)("refuses pipes, sockets and devices at once, without opening them", async () => {
    const fifo = join(root, "fifo");
    execFileSync("mkfifo", [fifo]);
    const socket = join(root, "socket");
    const server = createServer().listen(socket);
    await once(server, "listening");
    const options = { ...check, roots: [root, "/dev"] };

    for (const path of [fifo, socket, "/dev/zero"]) {
      for (const answer of [await faultOf(read(path, {}, options)), await faultOf(write(path, "", options))]) {
        expect(answer).toMatchObject({ code: INVALID_PARAMS, message: expect.stringContaining("only regular files") });
      }
    }
    server.close();
  });
});

describe.skipIf(!LINUX)("C-158 a folder that is swapped for a link out while it is being used", () => {
  let answers: Set<unknown>;
  const note = (answer: unknown) => answers.add(answer instanceof RpcError ? "refused" : answer);

  beforeEach(async () => {
    answers = new Set();
    await mkdir(join(root, "folder"));
    await writeFile(join(root, "folder", "secret.txt"), "harmless");
    await mkdir(join(outside, "made"));
    await symlink(outside, join(root, "way-out"));
  });

  test("is never followed by a read", async () => {
    await whileSwapping(async () => {
      const attempts = Array.from({ length: 8 }, () => read(join(root, "folder", "secret.txt")).then(note, note));
      await Promise.all(attempts);
    });

    expect(answers).not.toContain("secret");
  });

  test("is never followed by a write, not even for a moment", async () => {
    for (const folder of [outside, join(outside, "made")]) await utimes(folder, 0, 0);

    await whileSwapping(async (round) => {
      await write(join(root, "folder", "made", `${round % 7}.txt`), "harmless").then(note, note);
    });

    expect(await filesIn(outside)).toEqual(["made", "secret.txt"]);
    expect([(await stat(outside)).mtimeMs, (await stat(join(outside, "made"))).mtimeMs]).toEqual([0, 0]);
  });
});

describe("requests", () => {
  test("refuses a relative path", async () => {
    expect(await faultOf(read("a.txt"))).toEqual({
      code: INVALID_PARAMS,
      message: 'path must be an absolute path, not "a.txt".',
      data: { path: "a.txt" },
    });
    expect(await faultOf(write("./a.txt", ""))).toMatchObject({ code: INVALID_PARAMS });
  });

  test("refuses a path with a NUL character", async () => {
    expect(await faultOf(read(join(root, "a\0b")))).toMatchObject({ code: INVALID_PARAMS });
  });

  test("refuses a name that is too long for the file system", async () => {
    expect(await faultOf(write(join(root, "n".repeat(300)), ""))).toMatchObject({ code: INVALID_PARAMS });
  });

  test("C-318 keeps to the roots of the session that asks, and refuses one it does not know", async () => {
    const path = await put("a.txt", "text");
    const roots = new Map([
      ["inside", [root]],
      ["elsewhere", [outside]],
    ]);
    const { readTextFile } = handlers({ roots: (sessionId) => roots.get(sessionId) });

    expect(await readTextFile({ sessionId: "inside", path })).toEqual({ content: "text" });
    expect(await faultOf(readTextFile({ sessionId: "elsewhere", path }))).toMatchObject({ code: INVALID_PARAMS });
    expect(await faultOf(readTextFile({ sessionId: "unknown", path }))).toEqual({
      code: NOT_FOUND,
      message: "This session is not known here.",
      data: { sessionId: "unknown" },
    });
  });
});

/** Another process puts the link where the folder was, and back, as fast as it can. */
async function whileSwapping(action: (round: number) => Promise<void>): Promise<void> {
  const swapper = spawn(process.execPath, ["--input-type=module", "--eval", SWAP_ENDLESSLY, root]);
  const isGone = once(swapper, "exit");
  await once(swapper.stdout, "data");
  try {
    for (let round = 0; round < 150; round++) await action(round);
  } finally {
    swapper.kill("SIGKILL");
    await isGone;
  }
}

/** What is created in place of the folder meanwhile is cleared away. */
const SWAP_ENDLESSLY = `
  import { renameSync, rmSync } from "node:fs";
  const [folder, aside, link] = ["folder", "aside", "way-out"].map((name) => process.argv[1] + "/" + name);
  const tryRename = (from, to) => { try { renameSync(from, to); return true; } catch { return false; } };
  process.stdout.write("ready");
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    renameSync(folder, aside);
    if (tryRename(link, folder)) renameSync(folder, link);
    while (!tryRename(aside, folder)) try { rmSync(folder, { recursive: true }); } catch {}
  }
`;

function handlers(options: Partial<FileOptions> = {}) {
  return createFileHandlers({ roots: [root], ...options });
}

async function read(
  path: string,
  range: { line?: number | null; limit?: number | null } = {},
  options: Partial<FileOptions> = {},
): Promise<string> {
  return (await handlers(options).readTextFile({ sessionId: "s", path, ...range })).content;
}

async function write(path: string, content: string, options: Partial<FileOptions> = {}): Promise<void> {
  expect(await handlers(options).writeTextFile({ sessionId: "s", path, content })).toEqual({});
}

async function put(name: string, content: string): Promise<string> {
  await writeFile(join(root, name), content);
  return join(root, name);
}

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).sort();
}

async function faultOf(promise: Promise<unknown>): Promise<{ code: number; message: string; data: unknown }> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RpcError)) throw new Error("expected an RpcError", { cause: error });
  return { code: error.code, message: error.message, data: error.data };
}

/** Rights do not hold back the superuser, who runs the tests in many containers. */
async function asNobody(method: string, params: object): Promise<unknown> {
  await chmod(base, 0o711);
  return inHost(method, params, "if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }");
}

async function bundle(source: string, outfile: string): Promise<void> {
  await build({ entryPoints: [source], outfile, bundle: true, platform: "node", format: "esm", target: "node20" });
}

/** Answers a request in a process of its own, whose rights and limits are nobody else's. */
async function inHost(method: string, params: object, prepare: string, wrapper: string[] = []): Promise<unknown> {
  const script = join(base, "host.mjs");
  const request = JSON.stringify({ sessionId: "s", ...params });
  await writeFile(
    script,
    `import { createFileHandlers } from "./library.mjs";
     ${prepare}
     const answer = createFileHandlers({ roots: [${JSON.stringify(root)}] })[${JSON.stringify(method)}](${request});
     const told = await answer.catch(({ code, message, data }) => ({ code, message, data }));
     process.stdout.write(JSON.stringify(told));`,
  );
  await bundle(join(import.meta.dirname, "files.ts"), join(base, "library.mjs"));
  const [file, ...args] = [...wrapper, process.execPath, script];
  return JSON.parse(execFileSync(file as string, args, { encoding: "utf8" }));
}
