import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { createInstructions } from "./instructions.ts";

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

test("tells the person's first, then from the repository down to the working directory", async () => {
  const folder = await folderWith({
    "home/AGENTAO.md": "I like tabs.",
    "home/AGENTS.md": "I like tea.",
    "home/CLAUDE.md": "Not for us.",
    "AGENTS.md": "Above the repository.",
    "repo/.git/HEAD": "",
    "repo/AGENTS.md": "Use npm.",
    "repo/packages/CLAUDE.md": "Packages are small.",
    "repo/packages/one/AGENTAO.md": "One is a parser.",
    "repo/packages/one/AGENTS.md": "One has tests.",
    "repo/packages/one/CLAUDE.md": "One is fast.",
    "repo/packages/two/AGENTS.md": "Elsewhere.",
    "other/AGENTS.md": "Other is the website.",
  });
  const cwd = join(folder, "repo/packages/one");

  const instructions = createInstructions({ cwd, roots: [cwd, join(folder, "other")], home: join(folder, "home") });

  expect(await instructions.read()).toBe(
    [
      "Instructions from ~/.agentao/AGENTS.md:\n\nI like tea.",
      "Instructions from ~/.agentao/AGENTAO.md:\n\nI like tabs.",
      `Instructions from ${folder}/other/AGENTS.md:\n\nOther is the website.`,
      "Instructions from AGENTS.md:\n\nUse npm.",
      "Instructions from packages/CLAUDE.md:\n\nPackages are small.",
      "Instructions from packages/one/CLAUDE.md:\n\nOne is fast.",
      "Instructions from packages/one/AGENTS.md:\n\nOne has tests.",
      "Instructions from packages/one/AGENTAO.md:\n\nOne is a parser.",
    ].join("\n\n"),
  );
});

test("looks only into the working directory where there is no repository", async () => {
  const folder = await folderWith({ "AGENTS.md": "Above.", "work/AGENTS.md": "Here." });
  expect(await read(join(folder, "work"))).toBe("Instructions from AGENTS.md:\n\nHere.");
});

test("names a further root inside the repository by its way from there, and reads no root twice", async () => {
  const folder = await folderWith({ ".git/HEAD": "", "AGENTS.md": "Top.", "a/AGENTS.md": "A.", "b/AGENTS.md": "B." });

  const text = await read(join(folder, "a"), { roots: [folder, join(folder, "b"), join(folder, "a")] });

  expect(text).toBe(
    "Instructions from b/AGENTS.md:\n\nB.\n\nInstructions from AGENTS.md:\n\nTop.\n\nInstructions from a/AGENTS.md:\n\nA.",
  );
});

test("lets a further root import what is in it, and nothing above", async () => {
  const folder = await folderWith({
    "out.md": "No.",
    "above/AGENTS.md": "@docs/a.md",
    "above/docs/a.md": "Yes.",
    "above/repo/.git/HEAD": "",
    "beside/AGENTS.md": "@../out.md",
  });

  const text = await read(join(folder, "above/repo"), { roots: [join(folder, "above"), join(folder, "beside")] });

  expect(text).toBe(
    `Instructions from ${folder}/beside/AGENTS.md:\n\n@../out.md\n\nInstructions from ${folder}/above/docs/a.md:\n\nYes.`,
  );
});

test("answers nothing where nobody says anything", async () => {
  const folder = await folderWith({ "AGENTS.md": " \n", "CLAUDE.md": "---\nname: x\n---\n" });
  expect(await read(folder)).toBeUndefined();
  expect(await read(join(folder, "gone"), { home: join(folder, "gone too") })).toBeUndefined();
});

test("leaves out front matter, byte order marks and Windows line ends", async () => {
  const folder = await folderWith({ "AGENTS.md": "\uFEFF---\r\nname: x\r\n---\r\n\r\n# Rules\r\nUse npm.\r\n" });
  expect(await read(folder)).toBe("Instructions from AGENTS.md:\n\n# Rules\nUse npm.");
});

test("takes once what is said twice", async () => {
  const folder = await folderWith({
    ".git/HEAD": "",
    "AGENTS.md": "Use npm.\n",
    "CLAUDE.md": "---\nname: x\n---\r\nUse npm.\r\n\r\n",
    "sub/AGENTS.md": "Use npm.",
  });
  expect(await read(join(folder, "sub"))).toBe("Instructions from sub/AGENTS.md:\n\nUse npm.");
  expect(await read(folder)).toBe("Instructions from AGENTS.md:\n\nUse npm.");
});

test("takes a file once that goes by two names", async () => {
  const folder = await folderWith({ "CLAUDE.md": "Use npm." });
  await symlink("CLAUDE.md", join(folder, "AGENTS.md"));
  expect(await read(folder)).toBe("Instructions from AGENTS.md:\n\nUse npm.");
});

test("follows a link of a project only within it", async () => {
  const folder = await folderWith({
    "shared/rules.md": "Private.",
    "keys/id_rsa": "PRIVATE",
    "work/a/b.md": "Use npm.",
  });
  await symlink(join(folder, "shared/rules.md"), join(folder, "work/AGENTS.md"));
  await symlink(join(folder, "keys/id_rsa"), join(folder, "work/CLAUDE.md"));
  await symlink("a/b.md", join(folder, "work/AGENTAO.md"));
  expect(await read(join(folder, "work"))).toBe("Instructions from AGENTAO.md:\n\nUse npm.");
});

test("follows a link of the person to Markdown elsewhere, and to nothing else", async () => {
  const folder = await folderWith({ "dotfiles/rules.md": "Use npm.", "keys/id_rsa": "PRIVATE", "home/a.txt": "" });
  await symlink(join(folder, "dotfiles/rules.md"), join(folder, "home/AGENTS.md"));
  await symlink(join(folder, "keys/id_rsa"), join(folder, "home/AGENTAO.md"));
  const instructions = createInstructions({ cwd: join(folder, "keys"), roots: [], home: join(folder, "home") });
  expect(await instructions.read()).toBe("Instructions from ~/.agentao/AGENTS.md:\n\nUse npm.");
});

test.each([
  ["a neighbour", "@AGENTS.md\n", { "AGENTS.md": "Use npm." }, "Instructions from AGENTS.md:\n\nUse npm."],
  ["a file further down", "@./docs/a.md", { "docs/a.md": "Use npm." }, "Instructions from docs/a.md:\n\nUse npm."],
  ["nothing for a circle", "@AGENTS.md", { "AGENTS.md": "@CLAUDE.md" }, undefined],
  ["nothing for itself", "@CLAUDE.md", {}, undefined],
  ["the line for what is not there", "@docs/a.md", {}, "Instructions from CLAUDE.md:\n\n@docs/a.md"],
  ["the line for what is outside", "@../out.md", { "../out.md": "No." }, "Instructions from CLAUDE.md:\n\n@../out.md"],
  ["the line for what is no Markdown", "@.env", { ".env": "KEY=1" }, "Instructions from CLAUDE.md:\n\n@.env"],
])("takes, for a file that only imports, %s", async (_, line, files, expected) => {
  const folder = join(await folderWith({ "work/.git/HEAD": "", "work/CLAUDE.md": line }), "work");
  for (const [name, content] of Object.entries(files)) await put(folder, name, content);
  expect(await read(folder)).toBe(expected);
});

test("does not import what a link leads out of the repository", async () => {
  const folder = await folderWith({ "out.md": "No.", "work/.git/HEAD": "", "work/CLAUDE.md": "@in.md" });
  await symlink("../out.md", join(folder, "work/in.md"));
  expect(await read(join(folder, "work"))).toBe("Instructions from CLAUDE.md:\n\n@in.md");
});

test("passes over folders, pipes, binary files and what may not be read", async () => {
  const folder = await folderWith({
    "AGENTS.md/x": "",
    "sub/CLAUDE.md": "a\0b",
    ".git/HEAD": "",
    "sub/AGENTS.md": "No.",
  });
  execFileSync("mkfifo", [join(folder, "CLAUDE.md"), join(folder, "sub/AGENTAO.md")]);
  await chmod(join(folder, "sub/AGENTS.md"), 0);
  const isRoot = process.getuid?.() === 0;
  expect(await read(join(folder, "sub"))).toBe(isRoot ? "Instructions from sub/AGENTS.md:\n\nNo." : undefined);
});

test("reads again when a file appears, changes or goes, and when an import does", async () => {
  const folder = await folderWith({ "a.txt": "" });
  const instructions = createInstructions({ cwd: folder, roots: [] });
  const seen = [await instructions.read()];

  await put(folder, "AGENTS.md", "One.");
  seen.push(await instructions.read());
  await put(folder, "AGENTS.md", "Three.");
  seen.push(await instructions.read());
  await put(folder, "AGENTS.md", "@a.md");
  seen.push(await instructions.read());
  await put(folder, "a.md", "Imported.");
  seen.push(await instructions.read());
  await put(folder, "a.md", "Imported again.");
  seen.push(await instructions.read());
  await rm(join(folder, "AGENTS.md"));
  seen.push(await instructions.read());

  expect(seen).toEqual([
    undefined,
    "Instructions from AGENTS.md:\n\nOne.",
    "Instructions from AGENTS.md:\n\nThree.",
    "Instructions from AGENTS.md:\n\n@a.md",
    "Instructions from a.md:\n\nImported.",
    "Instructions from a.md:\n\nImported again.",
    undefined,
  ]);
});

test("does not read again what did not change", async () => {
  const folder = await folderWith({ "AGENTS.md": "Use npm." });
  const path = join(folder, "AGENTS.md");
  await utimes(path, 1000, 1000);
  const instructions = createInstructions({ cwd: folder, roots: [] });
  const first = await instructions.read();

  // The same size and time in the same file: only a second look would tell.
  await writeFile(path, "Use bun.");
  await utimes(path, 1000, 1000);

  expect(await instructions.read()).toBe(first);
});

test("cuts a long file at a line border, and says how much is missing", async () => {
  const line = `${"x".repeat(99)}\n`;
  const folder = await folderWith({ "AGENTS.md": line.repeat(1000) });

  const text = await read(folder);

  // 327 lines of 100 bytes are all that fits into 32 KiB.
  const kept = line.repeat(327).trimEnd();
  const note = `[${100_000 - kept.length} more bytes of AGENTS.md are left out here. Read the file when you need them.]`;
  expect(text).toBe(`Instructions from AGENTS.md:\n\n${kept}\n\n${note}`);
});

test("gives the nearest files what they need, and those further away the rest", async () => {
  const kilobytes = (letter: string, count: number) => `${letter.repeat(1023)}\n`.repeat(count).trimEnd();
  const folder = await folderWith({
    ".git/HEAD": "",
    "AGENTS.md": kilobytes("a", 10),
    "b/AGENTS.md": kilobytes("b", 20),
    "b/c/AGENTS.md": kilobytes("c", 30),
    "b/c/d/AGENTS.md": kilobytes("d", 30),
  });

  const text = (await read(join(folder, "b/c/d"))) ?? "";

  const letters = [..."abcd"].map((letter) => text.split(letter.repeat(1023)).length - 1);
  expect(letters).toEqual([0, 4, 30, 30]);
  expect(text.match(/^\[.*\]$/gm)).toEqual([
    "[10239 more bytes of AGENTS.md are left out here. Read the file when you need them.]",
    "[16384 more bytes of b/AGENTS.md are left out here. Read the file when you need them.]",
  ]);
});

test("cuts a text without lines between two characters", async () => {
  const folder = await folderWith({ "a.txt": "" });
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 3 }), fc.constantFrom("é", "漢", "😀", "x"), async (shift, character) => {
      await put(folder, "AGENTS.md", "-".repeat(shift) + character.repeat(40_000));
      const kept = (await read(folder))?.split("\n")[2] ?? "";
      const bytes = Buffer.byteLength(kept);
      expect(kept).not.toContain("\uFFFD");
      expect(bytes).toBeLessThanOrEqual(32 * 1024);
      expect(bytes).toBeGreaterThan(32 * 1024 - 4);
    }),
    { numRuns: 30 },
  );
});

function read(cwd: string, more: { roots?: string[]; home?: string } = {}): Promise<string | undefined> {
  return createInstructions({ cwd, roots: [], ...more }).read();
}

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "agentao-instructions-")));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) await put(folder, name, content);
  return folder;
}

async function put(folder: string, name: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), content);
}
