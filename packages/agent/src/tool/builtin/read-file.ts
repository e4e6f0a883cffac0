// read_file: numbered lines of a text file, or an image. Reads anywhere; who may read what is the gate's business.

import { MachineError } from "../../machine/machine.ts";
import { text } from "../../message/message.ts";
import { borderBefore } from "../cut.ts";
import { defineInput, type InputOf, integer, string, withDefault } from "../input.ts";
import { failure, fenced } from "../outcome.ts";
import { absoluteIn, shortIn } from "../place.ts";
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
    integer("The first line to read, counted from 1", { minimum: 1, aliases: ["line", "start_line"] }),
    1,
  ),
  limit: withDefault(integer(`How many lines to read; 0 means up to ${DEFAULT_LINES}`, { minimum: 0 }), 0),
});

type Input = InputOf<typeof input>;

export const readFile = defineTool<Input>({
  name: "read_file",
  description:
    "Reads a text file and returns its lines with their numbers, or shows an image (PNG, JPEG, GIF, WebP). " +
    "Long files come in parts: go on with offset.",
  inputSchema: input.schema,
  parse: input.parse,
  plan({ file_path, offset, limit }, room) {
    const path = absoluteIn(room, file_path);
    const last = limit > 0 ? `${offset + limit - 1}` : "";
    const lines = offset > 1 || limit > 0 ? `:${offset}-${last}` : "";
    return {
      title: `Read ${shortIn(room, file_path)}${lines}`,
      kind: "read",
      locations: [{ path, ...(offset > 1 && { line: offset }) }],
      effect: { type: "read", paths: [path] },
    };
  },
  async run(given, room, signal) {
    const path = absoluteIn(room, given.file_path);
    try {
      return await readLines(path, given, room, signal);
    } catch (error) {
      if (!(error instanceof MachineError)) throw error;
      if (error.code === "not-text") return await readOther(path, room, signal);
      if (error.code === "not-a-file") return failure(`${error.message}. Use list_directory for folders`);
      throw error;
    }
  },
});

async function readLines(
  path: string,
  { offset, limit }: Input,
  room: ToolRoom,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const wanted = Math.min(limit === 0 ? DEFAULT_LINES : limit, MAX_LINES);
  const { content, lines, limit: read } = await readSome(path, { line: offset, limit: wanted }, room, signal);
  const body = numbered(lines.slice(0, read), offset);
  const isEnd = body.count === lines.length;
  const total = isEnd && lines.length > 0 ? offset - 1 + lines.length : await room.machine.countLines(path, signal);
  if (isEnd && offset === 1) await note(path, content, room, signal);
  if (lines.length === 0 && offset > 1) return failure(`${path} has no line ${offset}, only ${total ?? "fewer"}`);

  const last = offset - 1 + body.count;
  const told = [
    `File: ${path} (${total === undefined ? "many" : total} lines${content.includes("\r\n") ? ", CRLF line endings" : ""})`,
    ...(isEnd && offset === 1 ? [] : [`Showing lines ${offset}-${last}`]),
    "",
    ...body.lines,
    ...(isEnd ? [] : ["", more(offset, last, total)]),
    ...(body.cut > 0 ? ["", `[${body.cut} line(s) truncated to ${MAX_LINE_CHARS} chars per line]`] : []),
  ];
  const shown = lines.slice(0, body.count).join("\n");
  return { told: [text(told.join("\n"))], content: shown === "" ? undefined : [text(fenced(shown, languageOf(path)))] };
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

function numbered(lines: readonly string[], first: number) {
  const shown: string[] = [];
  let cut = 0;
  let chars = 0;
  for (const [at, line] of lines.entries()) {
    const bounded = boundLine(line);
    const row = `${String(first + at).padStart(6)}\t${bounded}`;
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

function more(first: number, last: number, total: number | undefined): string {
  const of = total === undefined ? "" : ` of ${total} total`;
  return `[Truncated: showing lines ${first}–${last}${of}. Use offset=${last + 1} to continue reading.]`;
}

/** What cannot be written need not be remembered. */
async function note(path: string, content: string, room: ToolRoom, signal: AbortSignal): Promise<void> {
  const real = await room.machine.resolveInside(path, signal).catch(() => undefined);
  if (real !== undefined) room.seen.note(real, content);
}

async function readOther(path: string, room: ToolRoom, signal: AbortSignal): Promise<ToolOutcome> {
  const bytes = (await room.machine.stat(path, signal))?.bytes ?? 0;
  const data = bytes > MAX_IMAGE_BYTES ? undefined : await room.machine.readBytes(path, MAX_IMAGE_BYTES, signal);
  const mimeType = data && imageType(data);
  if (data === undefined || mimeType === undefined) return { told: [text(`Binary file: ${path} (${bytes} bytes)`)] };
  const image = { type: "image", mimeType, data: toBase64(data) } as const;
  return { told: [text(`Image file: ${path} (${bytes} bytes)`), image], content: [image] };
}

function imageType(data: Uint8Array): string | undefined {
  const begins = (signature: string, at = 0): boolean =>
    [...signature].every((character, offset) => data[at + offset] === character.charCodeAt(0));
  if (begins("\x89PNG\r\n\x1a\n")) return "image/png";
  if (begins("\xff\xd8\xff")) return "image/jpeg";
  if (begins("GIF87a") || begins("GIF89a")) return "image/gif";
  if (begins("RIFF") && begins("WEBP", 8)) return "image/webp";
  return undefined;
}

function toBase64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
}

function languageOf(path: string): string {
  return /\.([A-Za-z0-9]{1,8})$/.exec(path)?.[1]?.toLowerCase() ?? "";
}
