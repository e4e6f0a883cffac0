import { appendFile, open, rename, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TemporaryMachine, temporaryMachine } from "../../machine/temporary-machine.ts";
import { text } from "../../message/message.ts";
import { planTool, runTool, type ScriptedRoom, scriptedRoom, told } from "../scripted-room.ts";
import { fingerprintOf } from "../seen-files.ts";
import { readFile } from "./read-file.ts";

let here: TemporaryMachine;
let room: ScriptedRoom;

beforeEach(async () => {
  here = await temporaryMachine();
  room = scriptedRoom(here.machine, here.root, { env: { HOME: here.outside } });
});

afterEach(() => here[Symbol.asyncDispose]());

test("announces the path and the lines it will read", () => {
  const path = join(here.root, "src/a.ts");

  expect(planTool(readFile, { file_path: "src/a.ts" }, room)).toEqual({
    title: "Read src/a.ts",
    kind: "read",
    locations: [{ path }],
    effect: { type: "read", paths: [path] },
  });
  expect(planTool(readFile, { path: `file://${path}`, offset: 5, limit: 10 }, room)).toEqual({
    title: "Read src/a.ts:5-14",
    kind: "read",
    locations: [{ path, line: 5 }],
    effect: { type: "read", paths: [path] },
  });
});

test("returns lines with their numbers, and the person sees them plain", async () => {
  const path = await here.put("a.md", "\uFEFFone\r\n\r\n```\r\n");

  expect(await runTool(readFile, { file_path: "a.md" }, room)).toEqual({
    told: [text(`File: ${path} (3 lines, CRLF line endings)\n\n     1\tone\n     2\t\n     3\t\`\`\``)],
    content: [text("````md\none\n\n```\n````")],
  });
});

test("says where to go on", async () => {
  const path = await here.put("a.txt", "1\n2\n3\n4\n5\n");

  expect(told(await runTool(readFile, { file_path: path, offset: "2", limit: "2" }, room))).toBe(
    `File: ${path} (5 lines)\nShowing lines 2-3\n\n     2\t2\n     3\t3\n\n` +
      "[Truncated: showing lines 2–3 of 5 total. Use offset=4 to continue reading.]",
  );
  expect(told(await runTool(readFile, { file_path: path, offset: 4, limit: 2 }, room))).toBe(
    `File: ${path} (5 lines)\nShowing lines 4-5\n\n     4\t4\n     5\t5`,
  );
  expect(told(await runTool(readFile, { file_path: path, offset: 6 }, room))).toBe(
    `Error: ${path} has no line 6, only 5`,
  );
});

test("reads 2000 lines unless told otherwise, and no more than can be told whole", async () => {
  const short = await here.put("short.txt", "x\n".repeat(3_000));
  const wide = await here.put("wide.txt", `${"w".repeat(992)}\n`.repeat(100));

  expect(told(await runTool(readFile, { file_path: short }, room))).toContain("showing lines 1–2000 of 3000 total");
  const wideTold = told(await runTool(readFile, { file_path: wide, limit: 100 }, room));
  expect(wideTold).toContain("showing lines 1–38 of 100 total. Use offset=39");
  expect(wideTold.length).toBeLessThan(40_000);
});

test("bounds long lines, and says so", async () => {
  const path = await here.put("a.txt", `${"x".repeat(1_999)}😀tail\nshort\n`);

  expect(told(await runTool(readFile, { file_path: path }, room))).toBe(
    `File: ${path} (2 lines)\n\n     1\t${"x".repeat(1_999)} [+6 chars]\n     2\tshort\n\n[1 line(s) truncated to 2000 chars per line]`,
  );
});

test("reads the beginning of a file whose lines are too long to be read together", async () => {
  const path = await here.put("data.jsonl", `${"j".repeat(1_000_000)}\n`.repeat(40));

  const outcome = told(await runTool(readFile, { file_path: path }, room));

  expect(outcome).toContain(`File: ${path} (40 lines)\nShowing lines 1-`);
  expect(outcome).toContain("Use offset=");
  expect(outcome.length).toBeLessThan(40_000);
});

test("says plainly what is not text", async () => {
  const path = await here.put("a.bin", Buffer.from([1, 0, 2]));

  expect(await runTool(readFile, { file_path: path }, room)).toEqual({
    told: [text(`Binary file: ${path} (3 bytes)`)],
  });
});

test.each([
  { mimeType: "image/png", bytes: "\x89PNG\r\n\x1a\n\0\0" },
  { mimeType: "image/jpeg", bytes: "\xff\xd8\xff\xe0\0" },
  { mimeType: "image/gif", bytes: "GIF89a\0\0" },
  { mimeType: "image/webp", bytes: "RIFF\x01\0\0\0WEBPVP8 " },
])("shows an image by its content, whatever its name: $mimeType", async ({ mimeType, bytes }) => {
  const data = Buffer.from(bytes, "latin1");
  const path = await here.put("picture.txt", data);
  const image = { type: "image", mimeType, data: data.toString("base64") };

  expect(await runTool(readFile, { file_path: path }, room)).toEqual({
    told: [text(`Image file: ${path} (${data.length} bytes)`), image],
    content: [image],
  });
});

test("does not send an image that is too large", async () => {
  const path = await here.put(
    "a.png",
    Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(6_000_000)]),
  );

  expect(told(await runTool(readFile, { file_path: path }, room))).toBe(
    `Image file: ${path} (6000008 bytes, image/png), too large to be shown`,
  );
});

test.each([
  { name: "the last lines", offset: -2, limit: 0, shown: "Showing lines 4-5", lines: ["4", "5"], more: "" },
  {
    name: "some of them",
    offset: -4,
    limit: 2,
    shown: "Showing lines 2-3",
    lines: ["2", "3"],
    more: "\n\n[Truncated: showing lines 2–3 of 5 total. Use offset=4 to continue reading.]",
  },
  { name: "more than there are", offset: -9, limit: 0, shown: "", lines: ["1", "2", "3", "4", "5"], more: "" },
])("counts from the end: $name", async ({ offset, limit, shown, lines, more }) => {
  const path = await here.put("a.txt", "l1\nl2\nl3\nl4\nl5\n");

  const outcome = await runTool(readFile, { file_path: path, offset, limit }, room);

  const body = lines.map((line) => `     ${line}\tl${line}`).join("\n");
  expect(told(outcome)).toBe(`File: ${path} (5 lines)\n${shown === "" ? "" : `${shown}\n`}\n${body}${more}`);
  expect(outcome.locations).toEqual([{ path, line: Number(lines[0]) }]);
});

test("numbers lines from the end where a file is too long to be counted", async () => {
  const path = await here.put("huge.log", "");
  await truncate(path, 70_000_000);
  await appendFile(path, "\nlast but one\nlast\n");
  await overwrite(path, 0, "a text\n".repeat(10_000));

  expect(told(await runTool(readFile, { file_path: path, offset: -2 }, room))).toBe(
    `File: ${path} (many lines)\nShowing lines -2--1, counted from the end\n\n    -2\tlast but one\n    -1\tlast`,
  );
});

test.each([
  { encoding: "utf-16le", data: Buffer.from("\uFEFFprix: été\n", "utf16le") },
  { encoding: "windows-1252", data: Buffer.from("prix: été\n", "latin1") },
])("reads other encodings, and says which: $encoding", async ({ encoding, data }) => {
  const path = await here.put("a.txt", data);

  expect(told(await runTool(readFile, { file_path: path }, room))).toBe(
    `File: ${path} (1 lines, encoding ${encoding})\n\n     1\tprix: été`,
  );
});

test("shows a notebook by its cells, and its lines when asked for them", async () => {
  const cells = [
    { cell_type: "markdown", source: ["# Title\n", "text"] },
    {
      cell_type: "code",
      execution_count: 3,
      source: "print(1)",
      outputs: [
        { output_type: "stream", text: ["1\n"] },
        { output_type: "display_data", data: { "image/png": "AAAA", "text/plain": "<Figure>" } },
        { output_type: "error", ename: "ValueError", evalue: "no" },
      ],
    },
  ];
  const path = await here.put("a.ipynb", JSON.stringify({ cells, nbformat: 4 }));

  expect(told(await runTool(readFile, { file_path: path }, room))).toBe(
    [
      `Notebook: ${path} (2 cells). To see its JSON as it is in the file, for editing, give an offset or a limit.`,
      "",
      "=== cell 1: markdown\n# Title\ntext",
      "",
      "=== cell 2: code, run 3\nprint(1)\n--- output\n1\n<Figure>\n[image/png]\nValueError: no",
    ].join("\n"),
  );
  expect(told(await runTool(readFile, { file_path: path, limit: 10 }, room))).toContain('     1\t{"cells":');
  const broken = await here.put("b.ipynb", "{ not json");
  expect(told(await runTool(readFile, { file_path: broken }, room))).toContain("     1\t{ not json");
});

test.each([
  {
    data: "%PDF-1.7\n1 0 obj\n",
    said: (path: string) => `PDF file: ${path} (17 bytes). Its text can be read with: pdftotext -layout '${path}' -`,
  },
  { data: "\x1f\x8b\x08\0\0\0", said: (path: string) => `Binary file: ${path} (6 bytes, gzip archive)` },
  { data: "\x7fELF\x02\x01\x01\0", said: (path: string) => `Binary file: ${path} (8 bytes, ELF program)` },
])("says what a file is that it does not show: $data", async ({ data, said }) => {
  const path = await here.put("a.dat", Buffer.from(data, "latin1"));

  expect(told(await runTool(readFile, { file_path: path }, room))).toBe(said(path));
});

test("says what is not there, and what is a folder", async () => {
  await expect(runTool(readFile, { file_path: "none" }, room)).rejects.toThrow(
    `File ${join(here.root, "none")} does not exist`,
  );
  expect(await runTool(readFile, { file_path: "." }, room)).toEqual({
    failed: true,
    told: [text(`Error: ${here.root} is a folder. Use list_directory for folders`)],
  });
});

test("remembers a file that was read whole, by its real path", async () => {
  const real = await here.put("real.txt", "one\ntwo\n");
  await symlink("real.txt", join(here.root, "link.txt"));

  await runTool(readFile, { file_path: "link.txt", limit: 1 }, room);
  expect(room.seen.fingerprint(real)).toBeUndefined();
  await runTool(readFile, { file_path: "link.txt" }, room);

  expect(room.seen.fingerprint(real)).toBe(fingerprintOf("one\ntwo\n"));
});

test("reads outside of the roots, and below the home folder", async () => {
  await writeFile(join(here.outside, "a.txt"), "outside");
  await rename(join(here.outside, "a.txt"), join(here.outside, "b.txt"));

  expect(told(await runTool(readFile, { file_path: "~/b.txt" }, room))).toContain("     1\toutside");
});

async function overwrite(path: string, at: number, content: string): Promise<void> {
  await using handle = await open(path, "r+");
  await handle.write(content, at);
}
