// What was typed, as content blocks: files after an @ become links, paths of pictures become pictures.

import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, extname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ContentBlock } from "@agentao/acp";

export interface PromptContent {
  readonly blocks: readonly ContentBlock[];
  /** What could not be done, in sentences. */
  readonly problems: readonly string[];
}

const PICTURES = [".png", ".jpg", ".jpeg", ".webp", ".gif"];

/** Larger pictures are refused by every provider. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

export async function toPromptContent(
  text: string,
  { cwd, takesImages }: { readonly cwd: string; readonly takesImages: boolean },
): Promise<PromptContent> {
  const blocks: ContentBlock[] = [];
  const problems: string[] = [];
  let said = "";
  for (const piece of splitMentions(text)) {
    const block = piece.type === "text" ? undefined : await toBlock(piece, cwd, takesImages, problems);
    if (block === undefined) {
      said += piece.source;
      continue;
    }
    if (said !== "") blocks.push({ type: "text", text: said });
    said = "";
    blocks.push(block);
  }
  if (said.trim() !== "" || blocks.length === 0) blocks.push({ type: "text", text: said });
  return { blocks, problems };
}

export type Piece =
  | { readonly type: "text"; readonly source: string }
  | { readonly type: "mention"; readonly source: string; readonly path: string }
  | { readonly type: "image"; readonly source: string; readonly path: string };

const MENTION = /(?<=^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g;
/** As terminals paste what is dragged onto them: bare, quoted, with escaped blanks, or as a file address. */
const IMAGE = /(?<=^|\s)(?:'([^'\n]+)'|"([^"\n]+)"|((?:file:\/\/|~?\/|\.{0,2}\/)(?:\\.|[^\s\\'"])+))(?=\s|$)/g;

export function splitMentions(text: string): Piece[] {
  const found: { at: number; piece: Piece }[] = [];
  for (const match of text.matchAll(MENTION)) {
    found.push({ at: match.index, piece: { type: "mention", source: match[0], path: match[1] ?? match[2] ?? "" } });
  }
  for (const match of text.matchAll(IMAGE)) {
    const path = match[1] ?? match[2] ?? (match[3] ?? "").replace(/\\(.)/g, "$1");
    if (!isPicture(path)) continue;
    found.push({ at: match.index, piece: { type: "image", source: match[0], path } });
  }
  found.sort((one, other) => one.at - other.at);
  const pieces: Piece[] = [];
  let end = 0;
  for (const { at, piece } of found) {
    if (at < end) continue;
    if (at > end) pieces.push({ type: "text", source: text.slice(end, at) });
    pieces.push(piece);
    end = at + piece.source.length;
  }
  if (end < text.length) pieces.push({ type: "text", source: text.slice(end) });
  return pieces;
}

/** Nothing where there is no such file: then it is text like any other. */
async function toBlock(
  piece: Exclude<Piece, { type: "text" }>,
  cwd: string,
  takesImages: boolean,
  problems: string[],
): Promise<ContentBlock | undefined> {
  const path = toPath(piece.path, cwd);
  const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
  if (path === undefined || found === undefined) return undefined;
  if (isPicture(path) && found.isFile()) {
    const image = await readImage(path, found.size, takesImages);
    if (image.type === "image") return image;
    problems.push(`${basename(path)} is sent as a link: ${image.problem}.`);
  }
  return { type: "resource_link", uri: pathToFileURL(path).href, name: basename(path) };
}

type ReadImage = Extract<ContentBlock, { type: "image" }> | { readonly type: "refused"; readonly problem: string };

async function readImage(path: string, bytes: number, takesImages: boolean): Promise<ReadImage> {
  const refused = (problem: string): ReadImage => ({ type: "refused", problem });
  if (!takesImages) return refused("the agent takes no pictures");
  if (bytes > MAX_IMAGE_BYTES) return refused("it is larger than 5 MB");
  try {
    const content = await readFile(path);
    const mimeType = imageTypeOf(content);
    if (mimeType === undefined) return refused("it is no picture, whatever its name says");
    return { type: "image", data: content.toString("base64"), mimeType, uri: pathToFileURL(path).href };
  } catch (cause) {
    return refused((cause as Error).message);
  }
}

/** By how it begins: a screenshot is often not what its name says. */
function imageTypeOf(content: Buffer): string | undefined {
  const begins = content.toString("latin1", 0, 12);
  if (begins.startsWith("\u0089PNG\r\n")) return "image/png";
  if (begins.startsWith("\u00ff\u00d8\u00ff")) return "image/jpeg";
  if (begins.startsWith("GIF8")) return "image/gif";
  return begins.startsWith("RIFF") && begins.endsWith("WEBP") ? "image/webp" : undefined;
}

function isPicture(path: string): boolean {
  return PICTURES.includes(extname(path).toLowerCase());
}

function toPath(written: string, cwd: string): string | undefined {
  try {
    if (written.startsWith("file://")) return fileURLToPath(written);
  } catch {
    return undefined;
  }
  if (written === "~" || written.startsWith("~/")) return join(homedir(), written.slice(1));
  return isAbsolute(written) ? written : resolve(cwd, written);
}
