// read_file: numbered lines of a text file, the cells of a notebook, or an image. Reads anywhere; who may read what is the
// gate's business.

import { type FileLook, MachineError } from "../../machine/machine.ts";
import { text } from "../../message/message.ts";
import { borderBefore } from "../cut.ts";
import { kindOf } from "../file-kind.ts";
import { defineInput, type InputOf, integer, string, withDefault } from "../input.ts";
import { readNotebook } from "../notebook.ts";
import { numberedLine } from "../numbered-line.ts";
import { failure, fenced } from "../outcome.ts";
import { absoluteIn, titleIn } from "../place.ts";
import { defineTool, type ToolOutcome, type ToolRoom } from "../tool.ts";

const DEFAULT_LINES = 2_000;
/** More never fit into what is told. */
const MAX_LINES = 5_000;
const MAX_LINE_CHARS = 2_000;
/** What is told stays whole: lines that do not fit any more are for the next call. */
const MAX_BODY_CHARS = 38_000;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

const input = defineInput({
  file_path: string("Path of the file, absolute or relative to the working directory", {
    aliases: ["path", "file", "filename"],
  }),
  offset: withDefault(
    integer("The first line to read, counted from 1; negative counts from the end: -100 reads the last 100 lines", {
      aliases: ["line", "start_line"],
    }),
    1,
  ),
  limit: withDefault(integer(`How many lines to read; 0 means up to ${DEFAULT_LINES}`, { minimum: 0 }), 0),
});

type Input = InputOf<typeof input>;

export const readFile = defineTool<Input>({
  name: "read_file",
  description:
    "Reads a text file and returns its lines with their numbers, a notebook by its cells, " +
    "or shows an image (PNG, JPEG, GIF, WebP). " +
    "Long files come in parts: go on with offset, or read the end with a negative one.",
  inputSchema: input.schema,
  parse(given) {
    const parsed = input.parse(given);
    // There is no line 0: who asks for it means the beginning.
    return "problem" in parsed || parsed.input.offset !== 0 ? parsed : { input: { ...parsed.input, offset: 1 } };
  },
  plan({ file_path, offset, limit }, room) {
    const path = absoluteIn(room, file_path);
    return {
      title: `Read ${titleIn(room, file_path)}${linesOf(offset, limit)}`,
      kind: "read",
      locations: [{ path, ...(offset > 1 && { line: offset }) }],
      effect: { type: "read", paths: [path] },
    };
  },
  async run(given, room, signal) {
    const path = absoluteIn(room, given.file_path);
    try {
      return await read(path, given, room, signal);
    } catch (error) {
      if (!(error instanceof MachineError) || error.code !== "not-a-file") throw error;
      return failure(`${error.message}. Use list_directory for folders`);
    }
  },
});

function linesOf(offset: number, limit: number): string {
  if (offset < 0) return ` (from line ${offset})`;
  const last = limit > 0 ? `${offset + limit - 1}` : "";
  return offset > 1 || limit > 0 ? `:${offset}-${last}` : "";
}

async function read(path: string, given: Input, room: ToolRoom, signal: AbortSignal): Promise<ToolOutcome> {
  const look = await lookAt(path, room, signal);
  const kind = look === undefined ? { type: "binary" } : kindOf(look.head);
  if (look !== undefined && (look.encoding === undefined || kind.type !== "binary")) {
    return readOther(path, look, room, signal);
  }
  const isWhole = given.offset === 1 && given.limit === 0;
  const notebook = isWhole && path.endsWith(".ipynb") ? await readCells(path, room, signal) : undefined;
  return notebook ?? (await readLines(path, given, look, room, signal));
}

/** A file that an editor has not saved yet is not there. */
async function lookAt(path: string, room: ToolRoom, signal: AbortSignal): Promise<FileLook | undefined> {
  try {
    return await room.machine.look(path, signal);
  } catch (error) {
    if (error instanceof MachineError && error.code === "not-found") return undefined;
    throw error;
  }
}

async function readLines(
  path: string,
  { offset, limit }: Input,
  look: FileLook | undefined,
  room: ToolRoom,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const wanted = Math.min(limit === 0 ? (offset < 0 ? -offset : DEFAULT_LINES) : limit, MAX_LINES);
  const { content, lines, limit: read } = await readSome(path, { line: offset, limit: wanted }, room, signal);
  if (lines.length === 0 && offset > 1) return failure(await noSuchLine(path, offset, room, signal));
  const counted = offset < 0 || lines.length > read ? await room.machine.countLines(path, signal) : undefined;
  const first = offset > 0 ? offset : firstFromEnd(offset, counted, lines.length <= read ? lines.length : -offset);
  const body = numbered(lines.slice(0, read), first);
  const isEnd = offset > 0 ? body.count === lines.length : body.count >= Math.min(-offset, lines.length);
  const total =
    counted ?? (isEnd && first > 0 ? first - 1 + lines.length : await room.machine.countLines(path, signal));
  const isWhole = isEnd && first === 1;
  if (isWhole) await note(path, content, room, signal);

  const last = first + body.count - 1;
  const told = [
    `File: ${path} (${[total === undefined ? "many lines" : `${total} lines`, ...formNotes(content, look)].join(", ")})`,
    ...(isWhole ? [] : [`Showing lines ${first}-${last}${first < 0 ? ", counted from the end" : ""}`]),
    "",
    ...body.lines,
    ...(isEnd ? [] : ["", more(first, last, total)]),
    ...(body.cut > 0 ? ["", `[${body.cut} line(s) truncated to ${MAX_LINE_CHARS} chars per line]`] : []),
  ];
  const shown = lines.slice(0, body.count).join("\n");
  return {
    told: [text(told.join("\n"))],
    content: shown === "" ? undefined : [text(fenced(shown, languageOf(path)))],
    ...(offset < 0 && first > 0 && { locations: [{ path, line: first }] }),
  };
}

/** One line more than wanted tells whether there are more. Where lines are very long, fewer are read. */
async function readSome(path: string, range: { line: number; limit: number }, room: ToolRoom, signal: AbortSignal) {
  for (let limit = range.limit; ; limit = Math.ceil(limit / 16)) {
    try {
      const content = await room.machine.readText(path, { line: range.line, limit: limit + 1 }, signal);
      return { content, lines: toLines(content), limit };
    } catch (error) {
      if (!(error instanceof MachineError) || error.code !== "too-large" || limit === 1) throw error;
    }
  }
}

/** Lines without their endings; a text that ends with one has no further line. */
function toLines(content: string): string[] {
  const plain = content.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  if (plain === "") return [];
  return (plain.endsWith("\n") ? plain.slice(0, -1) : plain).split("\n");
}

/** Where nobody counted the lines of a huge file, they keep the numbers from its end. */
function firstFromEnd(offset: number, total: number | undefined, atMost: number): number {
  return total === undefined ? Math.max(offset, -atMost) : Math.max(total + offset + 1, 1);
}

async function noSuchLine(path: string, offset: number, room: ToolRoom, signal: AbortSignal): Promise<string> {
  const total = await room.machine.countLines(path, signal);
  return `${path} has no line ${offset}, only ${total ?? "fewer"}`;
}

function numbered(lines: readonly string[], first: number) {
  const shown: string[] = [];
  let cut = 0;
  let chars = 0;
  for (const [at, line] of lines.entries()) {
    const bounded = boundLine(line);
    const row = numberedLine(first + at, bounded);
    chars += row.length + 1;
    if (chars > MAX_BODY_CHARS && shown.length > 0) break;
    if (bounded !== line) cut++;
    shown.push(row);
  }
  return { lines: shown, count: shown.length, cut };
}

function boundLine(line: string): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  const end = borderBefore(line, MAX_LINE_CHARS);
  return `${line.slice(0, end)} [+${line.length - end} chars]`;
}

/** How it is written down, where that is not the usual way. */
function formNotes(content: string, look: FileLook | undefined): string[] {
  const { encoding = "utf-8" } = look ?? {};
  return [
    ...(encoding === "utf-8" ? [] : [`encoding ${encoding}`]),
    ...(content.includes("\r\n") ? ["CRLF line endings"] : []),
  ];
}

function more(first: number, last: number, total: number | undefined): string {
  const of = total === undefined ? "" : ` of ${total} total`;
  return `[Truncated: showing lines ${first}–${last}${of}. Use offset=${last + 1} to continue reading.]`;
}

/** What cannot be written need not be remembered. */
async function note(path: string, content: string, room: ToolRoom, signal: AbortSignal): Promise<void> {
  const real = await room.machine.resolveInside(path, signal).catch(() => undefined);
  if (real !== undefined) room.seen.note(real, content);
}

async function readCells(path: string, room: ToolRoom, signal: AbortSignal): Promise<ToolOutcome | undefined> {
  const notebook = readNotebook(await room.machine.readText(path, undefined, signal));
  if (notebook === undefined) return undefined;
  const lines = toLines(notebook.text).map(boundLine);
  const { count } = numbered(lines, 1);
  const advice = "To see its JSON as it is in the file, for editing, give an offset or a limit.";
  const left = count < lines.length ? ["", `[${lines.length - count} more lines left out. ${advice}]`] : [];
  const body = lines.slice(0, count).join("\n");
  return {
    told: [text([`Notebook: ${path} (${notebook.cells} cells). ${advice}`, "", body, ...left].join("\n"))],
    content: [text(fenced(body))],
  };
}

async function readOther(path: string, look: FileLook, room: ToolRoom, signal: AbortSignal): Promise<ToolOutcome> {
  const { bytes } = look;
  const kind = kindOf(look.head);
  if (kind.type === "pdf") {
    return told(`PDF file: ${path} (${bytes} bytes). Its text can be read with: pdftotext -layout '${path}' -`);
  }
  if (kind.type === "binary") return told(`Binary file: ${path} (${bytes} bytes${kind.name ? `, ${kind.name}` : ""})`);
  const { mimeType } = kind;
  if (bytes > MAX_IMAGE_BYTES) return told(`Image file: ${path} (${bytes} bytes, ${mimeType}), too large to be shown`);
  const data = toBase64(await room.machine.readBytes(path, MAX_IMAGE_BYTES, signal));
  const image = { type: "image", mimeType, data } as const;
  return { told: [text(`Image file: ${path} (${bytes} bytes)`), image], content: [image] };
}

function told(message: string): ToolOutcome {
  return { told: [text(message)] };
}

function toBase64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
}

function languageOf(path: string): string {
  return /\.([A-Za-z0-9]{1,8})$/.exec(path)?.[1]?.toLowerCase() ?? "";
}
