import { chmod, mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { localMachine } from "./local-machine.ts";
import type { FoundFiles } from "./machine.ts";
import { type TemporaryMachine, temporaryMachine } from "./temporary-machine.ts";

const ROOT_USER = process.getuid?.() === 0;
const never = new AbortController().signal;
const LONG_AGO = new Date("2020-01-01");

let here: TemporaryMachine;

beforeEach(async () => {
  here = await temporaryMachine();
});

afterEach(() => here[Symbol.asyncDispose]());

async function putAll(...names: string[]): Promise<void> {
  for (const name of names) await utimes(await here.put(name, ""), LONG_AGO, LONG_AGO);
}

async function find(pattern: string, { folder = ".", limit = 100 } = {}): Promise<FoundFiles> {
  const found = await here.machine.findFiles({ folder: join(here.root, folder), pattern, limit }, never);
  return { ...found, paths: found.paths.map((path) => relative(here.root, path)) };
}

const names = async (pattern: string, folder?: string) => (await find(pattern, folder ? { folder } : {})).paths;

test("places of credentials are not entered, unless they are named", async () => {
  await putAll(".ssh/key", ".netrc", ".aws/key", "a/.agentao/mcp-auth/key", "a/key");
  const { root, spillFolder } = here;
  const machine = localMachine({ roots: [root], spillFolder, home: root });
  const found = async (pattern: string) =>
    (await machine.findFiles({ folder: root, pattern, limit: 9 }, never)).paths.map((path) => relative(root, path));

  expect(await found("{**,.*/**}/{key,.netrc}")).toEqual(["a/key"]);
  expect(await found(".ssh/*")).toEqual([".ssh/key"]);
  expect(await found("a/.agentao/mcp-auth/*")).toEqual(["a/.agentao/mcp-auth/key"]);
  const tree = await machine.listTree(root, { entries: 100, entriesEach: 100, depth: 5 }, never);
  expect([...tree.below.keys()]).toEqual(["a"]);
  expect([...(tree.below.get("a")?.below.get(".agentao")?.below.keys() ?? [])]).toEqual([]);
  const named = await machine.listTree(join(root, ".ssh"), { entries: 100, entriesEach: 100, depth: 5 }, never);
  expect(named.listing.entries.map(({ name }) => name)).toEqual(["key"]);
});

describe("patterns", () => {
  beforeEach(() =>
    putAll("a.ts", "b.js", ".env", "src/a.ts", "src/b.tsx", "src/deep/c.ts", ".github/w/ci.yml", "[x].md"),
  );

  test.each([
    ["*.ts", ["a.ts"]],
    ["**/*.ts", ["a.ts", "src/a.ts", "src/deep/c.ts"]],
    ["src/*.{ts,tsx}", ["src/a.ts", "src/b.tsx"]],
    ["./src/**", ["src/a.ts", "src/b.tsx", "src/deep/c.ts"]],
    ["src/**/c.ts", ["src/deep/c.ts"]],
    ["**", ["[x].md", "a.ts", "b.js", "src/a.ts", "src/b.tsx", "src/deep/c.ts"]],
    ["src/a.ts", ["src/a.ts"]],
    ["{src/deep,nowhere}/*", ["src/deep/c.ts"]],
    ["?.js", ["b.js"]],
    [".env", [".env"]],
    [".*", [".env"]],
    [".github/**", [".github/w/ci.yml"]],
    ["**/.github/**/*.yml", [".github/w/ci.yml"]],
    ["\\[x\\].md", ["[x].md"]],
    ["*.py", []],
  ])("%s", async (pattern, paths) => {
    expect(await names(pattern)).toEqual(paths);
  });

  test("start in the folder, unless they lead elsewhere", async () => {
    await writeFile(join(here.outside, "o.ts"), "");

    expect(await names("*.ts", "src")).toEqual(["src/a.ts"]);
    expect(await names("../*.ts", "src")).toEqual(["a.ts"]);
    expect(await names(`${here.outside}/*.ts`)).toEqual(["../outside/o.ts"]);
  });
});

describe("what is left out", () => {
  test("what ignore files name, at every level, unless a nearer one takes it back", async () => {
    await putAll(
      "a.log",
      "keep.log",
      "src/b.log",
      "src/c.gen",
      "src/d.txt",
      "other/c.gen",
      "tmp/x.txt",
      "deep/tmp/x.txt",
    );
    await here.put(".gitignore", "*.log\n!keep.log\n/tmp/\n# deep\n");
    await here.put("src/.gitignore", "!b.log\n*.gen\n");

    expect(await names("**/*.*")).toEqual(["deep/tmp/x.txt", "keep.log", "other/c.gen", "src/b.log", "src/d.txt"]);
  });

  test("what .ignore and the repository's own list name; .ignore wins", async () => {
    await putAll("a.one", "b.two", "c.three", "d.txt");
    await here.put(".gitignore", "*.one\n");
    await here.put(".ignore", "!*.one\n*.two\n");
    await here.put(".git/info/exclude", "*.three\n");

    expect(await names("*.*")).toEqual(["a.one", "d.txt"]);
  });

  test("what the files above the folder name, up to its repository", async () => {
    await putAll("sub/a.one", "sub/a.two", "sub/repo/a.one", "sub/repo/a.two");
    await here.put(".gitignore", "*.one\n");
    await here.put(".ignore", "*.two\n");
    await here.put("sub/repo/.git/HEAD", "");
    await here.put(".git/HEAD", "");

    expect(await names("**/*", "sub")).toEqual(["sub/repo/a.one"]);
    expect(await names("*", "sub/repo")).toEqual(["sub/repo/a.one"]);
  });

  test("vendor folders, unless they are named", async () => {
    await putAll("a.js", "node_modules/x/a.js", "src/build/b.js", "x/dist/c.js", ".venv/d.js", "x/target");
    await here.put(".gitignore", "node_modules\n");

    expect(await names("**/*.js")).toEqual(["a.js"]);
    expect(await names("**/target")).toEqual(["x/target"]);
    expect(await names("node_modules/**/*.js")).toEqual(["node_modules/x/a.js"]);
    expect(await names("**/node_modules/**/*.js")).toEqual(["node_modules/x/a.js"]);
    expect(await names("**/*.js", "node_modules/x")).toEqual(["node_modules/x/a.js"]);
    expect(await names("**/{build,dist}/*.js")).toEqual(["src/build/b.js", "x/dist/c.js"]);
    expect(await names(".venv/*")).toEqual([".venv/d.js"]);
  });

  test("an ignored folder that is named is looked through", async () => {
    await putAll("out/a.js", "out/b.map");
    await here.put(".gitignore", "out/\n*.js\n");
    await here.put("out/.gitignore", "*.map\n");

    expect(await names("*.{js,map}", "out")).toEqual(["out/a.js"]);
  });
});

describe("odd trees", () => {
  test("links to folders are not followed, links to files are files", async () => {
    await putAll("src/a.ts");
    await symlink("..", join(here.root, "src/loop.ts"));
    await symlink("a.ts", join(here.root, "src/link.ts"));
    await symlink("nowhere", join(here.root, "src/dead.ts"));
    await symlink(here.outside, join(here.root, "out"));
    await writeFile(join(here.outside, "secret.ts"), "");

    expect((await names("**/*.ts")).toSorted()).toEqual(["src/a.ts", "src/link.ts"]);
  });

  test("names may hold anything", async () => {
    await putAll("a\nb.ts", " .ts", "*.ts", "ü.ts");
    await writeFile(Buffer.concat([Buffer.from(`${here.root}/`), Buffer.from([0xff, 0x2e, 0x74, 0x73])]), "");

    expect((await names("*.ts")).toSorted()).toEqual([" .ts", "*.ts", "a\nb.ts", "ü.ts", "\uFFFD.ts"]);
  });

  test("so may those of folders", async () => {
    await putAll("a\\b/c*d/x.ts");

    expect(await names("**/*.ts")).toEqual(["a\\b/c*d/x.ts"]);
    expect(await names("**/*.ts", "a\\b")).toEqual(["a\\b/c*d/x.ts"]);
  });

  test.skipIf(ROOT_USER)("a folder that cannot be read has nothing in it", async () => {
    await putAll("a.ts", "closed/b.ts");
    await chmod(join(here.root, "closed"), 0);

    expect(await names("**/*.ts")).toEqual(["a.ts"]);
    await chmod(join(here.root, "closed"), 0o700);
  });

  test("a folder that is missing, or is none, is refused", async () => {
    await putAll("a.ts");

    await expect(find("*", { folder: "none" })).rejects.toMatchObject({ code: "not-found" });
    await expect(find("*", { folder: "a.ts" })).rejects.toMatchObject({ code: "not-a-folder" });
  });
});

test("what was modified within a day comes first, newest first", async () => {
  await putAll("b", "a", "c", "d");
  const now = Date.now() / 1000;
  await utimes(join(here.root, "c"), now - 3600, now - 3600);
  await utimes(join(here.root, "d"), now - 60, now - 60);

  expect(await names("*")).toEqual(["d", "c", "a", "b"]);
});

test("no more than asked for, with the count of all", async () => {
  await putAll("a", "b", "c");

  expect(await find("*", { limit: 2 })).toEqual({ paths: ["a", "b"], total: 3, isPartial: false });
});

test("says that it saw only a part of what is too much", { timeout: 60_000 }, async () => {
  await mkdir(join(here.root, "many"));
  const all = Array.from({ length: 20_010 }, (_, at) => join(here.root, "many", String(at)));
  for (let at = 0; at < all.length; at += 500)
    await Promise.all(all.slice(at, at + 500).map((path) => writeFile(path, "")));

  expect(await find("**", { limit: 0 })).toEqual({ paths: [], total: 20_000, isPartial: true });
});

test("ends with the signal's reason", async () => {
  await putAll("a/b/c");
  const controller = new AbortController();
  const finding = here.machine.findFiles({ folder: here.root, pattern: "**", limit: 1 }, controller.signal);
  controller.abort(new Error("enough"));

  await expect(finding).rejects.toThrow("enough");
});
