import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { localMachine } from "./local-machine.ts";
import type { FoundText, Machine, TextQuery } from "./machine.ts";
import { type TemporaryMachine, temporaryMachine } from "./temporary-machine.ts";

const ROOT_USER = process.getuid?.() === 0;
const never = new AbortController().signal;
const LONG_AGO = new Date("2020-01-01");

let here: TemporaryMachine;
let machines: Record<"ripgrep" | "scan", Machine>;

beforeEach(async () => {
  here = await temporaryMachine();
  const { root, spillFolder } = here;
  machines = { ripgrep: here.machine, scan: localMachine({ roots: [root], spillFolder, ripgrep: "none" }) };
});

afterEach(() => here[Symbol.asyncDispose]());

const toQuery = (query: Partial<TextQuery>): TextQuery => ({
  folder: here.root,
  pattern: "needle",
  isRegex: false,
  isCaseSensitive: true,
  limit: 100,
  limitEach: 20,
  env: {},
  ...query,
});

async function put(name: string, content: string | Uint8Array): Promise<void> {
  await utimes(await here.put(name, content), LONG_AGO, LONG_AGO);
}

/** `path:line:text`, with paths relative to the root. */
function toLines({ matches }: FoundText): string[] {
  return matches.map(({ path, line, text }) => `${relative(here.root, path)}:${line}:${text}`);
}

describe.each(["ripgrep", "scan"] as const)("by %s", (how) => {
  const search = (query: Partial<TextQuery> = {}, signal = never) => machines[how].searchText(toQuery(query), signal);
  const lines = async (query: Partial<TextQuery> = {}) => toLines(await search(query));

  test("does not enter places of credentials, unless they are named", async () => {
    for (const name of [".ssh/key", ".netrc", ".config/gh/hosts", "work/.agentao/mcp-auth/x", "work/.ssh/a", "file"]) {
      await put(name, "needle");
    }
    const { root, spillFolder } = here;
    const machine = localMachine({
      roots: [root],
      spillFolder,
      home: root,
      ...(how === "scan" && { ripgrep: "none" }),
    });
    const found = async (query: Partial<TextQuery>) => toLines(await machine.searchText(toQuery(query), never));

    expect(await found({})).toEqual(["file:1:needle", "work/.ssh/a:1:needle"]);
    expect(await found({ filePattern: "**/key" })).toEqual([]);
    expect(await found({ folder: join(root, "work/.agentao") })).toEqual([]);
    expect(await found({ folder: join(root, ".ssh") })).toEqual([".ssh/key:1:needle"]);
    expect(await found({ folder: join(root, ".netrc") })).toEqual([".netrc:1:needle"]);
    expect(await found({ folder: join(root, "work/.agentao/mcp-auth") })).toHaveLength(1);
  });

  test("finds lines, and counts them", async () => {
    await put("b.txt", "one\nneedle two\n\nneedle needle");
    await put("a/a.txt", "a needle\n");
    await put("empty.txt", "");

    expect(await search()).toEqual({
      matches: [
        { path: join(here.root, "a/a.txt"), line: 1, text: "a needle" },
        { path: join(here.root, "b.txt"), line: 2, text: "needle two" },
        { path: join(here.root, "b.txt"), line: 4, text: "needle needle" },
      ],
      total: 3,
      files: 2,
      ended: "by-itself",
    });
  });

  test.each<[pattern: string, query: Partial<TextQuery>, found: number[]]>([
    ["a.c", {}, [1]],
    ["a.c", { isRegex: true }, [1, 2]],
    ["A.C", { isCaseSensitive: false }, [1]],
    ["^ab", { isRegex: true, isCaseSensitive: false }, [2, 3]],
    ["b$", { isRegex: true }, [4]],
    ["--files", {}, [5]],
    ["-e", {}, [5]],
    ["$(x)", {}, [6]],
    ["a(?=b)", { isRegex: true }, [2]],
    ["(\\w)\\1", { isRegex: true }, [5, 7]],
    ["ÄÖ", { isCaseSensitive: false }, [8]],
    ["\\bx\\b", { isRegex: true }, [6]],
    ["(?i)ÄÖ", { isRegex: true }, [8]],
    ["\\d{2,}|ll", { isRegex: true }, [7]],
  ])("%s as %o", async (pattern, query, found) => {
    await put("t", ["a.c", "abc", "AB", "rb", "--files -ee", "$(x)", "hello", "äö"].join("\r\n"));

    expect((await search({ pattern, ...query })).matches.map(({ line }) => line)).toEqual(found);
  });

  test("refuses an expression that is not valid", async () => {
    await put("a", "x");

    const refused = expect(search({ pattern: "a(b", isRegex: true })).rejects;
    await refused.toMatchObject({
      name: "MachineError",
      message: expect.stringMatching(/^The pattern is not a valid reg/),
    });
  });

  test("reads text in its encodings, and nothing binary", async () => {
    await put("bom.txt", "\uFEFFneedle\r\n");
    await put("le.txt", Buffer.from("\uFEFFa\nneedle ü\n", "utf16le"));
    await put("be.txt", Buffer.from("\uFEFFneedle", "utf16le").swap16());
    await put("bad.txt", Buffer.concat([Buffer.from("needle "), Buffer.from([0xff, 0x0a])]));
    await put("binary", "needle\n\0");
    await put("late", `needle\n${"hay\n".repeat(200_000)}\0`);

    expect(await lines()).toEqual([
      "bad.txt:1:needle \uFFFD",
      "be.txt:1:needle",
      "bom.txt:1:needle",
      "le.txt:2:needle ü",
    ]);
  });

  test("shows what is around the match of a very long line", async () => {
    await put("min.js", `${"x".repeat(3_000_000)}needle${"y".repeat(3_000_000)}\nneedle`);

    expect(await lines()).toEqual([`min.js:1:…${"x".repeat(100)}needle${"y".repeat(294)}…`, "min.js:2:needle"]);
  });

  test("only in files that match: names anywhere, paths below the folder", async () => {
    for (const name of ["a.ts", "b.tsx", "c.js", "src/d.ts", "src/x/e.ts", ".f.ts", "src/.g/h.ts"])
      await put(name, "needle");
    const files = async (filePattern: string) =>
      (await search({ filePattern })).matches.map(({ path }) => relative(here.root, path));

    expect(await files("*.ts")).toEqual([".f.ts", "a.ts", "src/.g/h.ts", "src/d.ts", "src/x/e.ts"]);
    expect(await files("*.{js,tsx}")).toEqual(["b.tsx", "c.js"]);
    expect(await files("*.js, *.tsx")).toEqual(["b.tsx", "c.js"]);
    expect(await files("src/*.ts")).toEqual(["src/d.ts"]);
    expect(await files("**/x/*.ts")).toEqual(["src/x/e.ts"]);
    expect(await files("src/**")).toEqual(["src/.g/h.ts", "src/d.ts", "src/x/e.ts"]);
    expect(await files("!*.ts")).toEqual(["b.tsx", "c.js"]);
    expect(await files("[ab].ts*")).toEqual(["a.ts", "b.tsx"]);
    expect(await files("a.ts")).toEqual(["a.ts"]);
  });

  test("a file that is ignored stays so when a pattern matches it", async () => {
    await put("a.log", "needle");
    await put("b.log", "needle");
    await put(".gitignore", "a.log");

    expect(await lines({ filePattern: "*.log" })).toEqual(["b.log:1:needle"]);
  });

  test("leaves out vendor folders and ignored ones, unless they are named", async () => {
    for (const name of ["a", "node_modules/x/b", "dist/c", "out/d", ".git/e", "build"]) await put(name, "needle");
    await put(".gitignore", "node_modules/\nout/\n");

    expect(await lines()).toEqual(["a:1:needle", "build:1:needle"]);
    expect(await lines({ folder: join(here.root, "out") })).toEqual(["out/d:1:needle"]);
    expect(await lines({ folder: join(here.root, "node_modules") })).toEqual(["node_modules/x/b:1:needle"]);
    expect(await lines({ filePattern: "dist/*" })).toEqual(["dist/c:1:needle"]);
    expect(await lines({ filePattern: "**/node_modules/**" })).toEqual(["node_modules/x/b:1:needle"]);
  });

  test("a single file, whatever its name and whatever ignores it", async () => {
    await put("a{b}[c]*!.txt", "needle\n".repeat(30));
    await put("a.txt", "needle");
    await put(".ignore", "*.txt");

    expect(await search({ folder: join(here.root, "a{b}[c]*!.txt") })).toMatchObject({
      total: 30,
      files: 1,
      matches: { length: 30 },
    });
  });

  test("a few of every file, what is worked on first, no more than asked for", async () => {
    for (const name of ["a", "b", "c"]) await put(name, "needle\n".repeat(5));
    await utimes(join(here.root, "c"), new Date(), new Date());

    const found = await search({ limitEach: 2, limit: 5 });

    expect(toLines(found).map((line) => line.slice(0, 3))).toEqual(["c:1", "c:2", "a:1", "a:2", "b:1"]);
    expect(found).toMatchObject({ total: 15, files: 3, ended: "by-itself" });
  });

  test("stops when there are too many", async () => {
    await put("a", "needle\n".repeat(30_000));

    expect(await search()).toMatchObject({ total: 10_000, ended: "too-many", matches: { length: 20 } });
  });

  test("follows no links, and ends where they go in circles", async () => {
    await put("a/b", "needle");
    await symlink("..", join(here.root, "a/loop"));
    await symlink("b", join(here.root, "a/link"));
    await writeFile(join(here.outside, "c"), "needle");
    await symlink(here.outside, join(here.root, "out"));

    expect(await lines()).toEqual(["a/b:1:needle"]);
  });

  test.skipIf(ROOT_USER)("finds nothing in what cannot be read", async () => {
    await put("a", "needle");
    await put("b", "needle");
    await put("closed/c", "needle");
    await chmod(join(here.root, "b"), 0);
    await chmod(join(here.root, "closed"), 0);

    expect(await lines()).toEqual(["a:1:needle"]);
    await chmod(join(here.root, "closed"), 0o700);
  });

  test("says that the folder is not there", async () => {
    await expect(search({ folder: join(here.root, "none") })).rejects.toMatchObject({ code: "not-found" });
  });

  test("ends with the signal's reason", async () => {
    await put("a", "needle");
    const controller = new AbortController();
    const searching = search({}, controller.signal);
    controller.abort(new Error("enough"));

    await expect(searching).rejects.toThrow("enough");
  });
});

test("a newline in a name is no end of it", async () => {
  await put("a\nb:1:", "needle");
  const nowhere = Buffer.concat([Buffer.from(`${here.root}/`), Buffer.from([0xfe])]);
  await writeFile(nowhere, "needle");

  expect(
    (await machines.ripgrep.searchText(toQuery({}), never)).matches.map(({ path }) => relative(here.root, path)),
  ).toEqual(["a\nb:1:", "\uFFFD"]);
});

test("an expression that takes forever is refused without ripgrep", async () => {
  await put("a", `${"a".repeat(60)}!`);

  await expect(machines.scan.searchText(toQuery({ pattern: "^(a+)+$", isRegex: true }), never)).rejects.toThrow(
    "takes too long",
  );
});

describe("the child", () => {
  const slow = '#!/bin/sh\necho $$ >"$0.pid"\nsleep 300 &\nwait\n';

  /** A ripgrep on PATH that never ends, where ours is not to be found. */
  async function startSlow(signal: AbortSignal) {
    const { createRipgrep } = await import("./ripgrep.ts");
    const { createHits } = await import("./search-hits.ts");
    const { toSearch } = await import("./search-query.ts");
    const program = await here.put("bin/rg", slow);
    await chmod(program, 0o755);
    const env = { PATH: dirname(program) };
    const search = await toSearch(toQuery({ env }), { roots: [here.root], home: here.outside });
    const searching = createRipgrep({ own: async () => undefined }).search(
      search,
      createHits({ limitEach: 1 }),
      { maxMs: 150 },
      signal,
    );
    return { searching, pid: () => here.get("bin/rg.pid").catch(() => "") };
  }

  async function groupOf(pid: () => Promise<string>): Promise<number> {
    for (;;) {
      const text = (await pid()).trim();
      if (text !== "") return Number(text);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async function gone(group: number): Promise<void> {
    for (;;) {
      const alive = execFileSync("ps", ["-eo", "pgid=,stat="], { encoding: "utf8" })
        .split("\n")
        .some((row) => row.trim().startsWith(`${group} `) && !row.includes("Z"));
      if (!alive) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  test("is gone with all it started when the signal fires", async () => {
    const controller = new AbortController();
    const { searching, pid } = await startSlow(controller.signal);
    searching.catch(() => {});
    const group = await groupOf(pid);
    controller.abort(new Error("enough"));

    await expect(searching).rejects.toThrow("enough");
    await gone(group);
  });

  test("is gone when it takes too long", async () => {
    const { searching, pid } = await startSlow(never);

    expect(await searching).toBe("too-long");
    await gone(await groupOf(pid));
  });
});

const path = fc
  .tuple(
    fc.array(fc.constantFrom("a", "b", "c d"), { maxLength: 3 }),
    fc.constantFrom("x.ts", "y.ts", ".hid", "b", "#b", "!a"),
  )
  .map(([folders, file]) => [...folders, file].join("/"));
const segment = fc.constantFrom(
  "a",
  "b",
  "c d",
  "*.ts",
  "x.ts",
  "X.TS",
  "*",
  "**",
  "[ab]",
  "[!a]",
  "?",
  ".*",
  "\\!a",
  "\\#b",
);
const rule = fc
  .tuple(
    fc.constantFrom("", "", "!", "/", "!/", "#"),
    fc.array(segment, { minLength: 1, maxLength: 2 }),
    fc.constantFrom("", "", "/", " "),
  )
  .map(([start, segments, end]) => start + segments.join("/") + end);
const ignoreFile = fc.record({
  folder: fc.constantFrom("", "a/", "a/b/"),
  file: fc.constantFrom(".gitignore", ".gitignore", ".ignore", ".rgignore", ".git/info/exclude", ".git/HEAD"),
  rules: fc.array(rule, { minLength: 1, maxLength: 4 }),
});
const tree = fc.record({
  paths: fc.uniqueArray(path, { minLength: 1, maxLength: 25 }),
  ignores: fc.uniqueArray(ignoreFile, { minLength: 1, maxLength: 5, selector: ({ folder, file }) => folder + file }),
  start: fc.constantFrom("", "", "a", "a/b"),
});

// With a fixed seed: rules that name the parents of what is in a folder that a nearer file took back are not told apart.
test("ripgrep and we agree on what is left out", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(tree, async ({ paths, ignores, start }) => {
      const root = await mkdtemp(join(here.root, "tree-"));
      try {
        await mkdir(join(root, start), { recursive: true });
        for (const { folder, file, rules } of ignores) await putIn(root, folder + file, rules.join("\n"));
        for (const path of paths) await putIn(root, path, "a needle\n");
        const query = toQuery({ folder: join(root, start), limit: 1_000 });
        const [byRipgrep, byScan] = [
          await machines.ripgrep.searchText(query, never),
          await machines.scan.searchText(query, never),
        ];
        const plain = ({ matches }: FoundText) => matches.map(({ path }) => relative(root, path)).sort();
        expect(plain(byScan)).toEqual(plain(byRipgrep));
      } finally {
        await rm(root, { recursive: true });
      }
    }),
    { numRuns: 80, seed: 11 },
  );
});

/** Nothing where a file stands in the way of a folder, or a folder in that of a file. */
async function putIn(root: string, name: string, content: string): Promise<void> {
  const path = join(root, name);
  await mkdir(dirname(path), { recursive: true })
    .then(() => writeFile(path, content))
    .catch(() => {});
}
