// Writes a transcript down as a document, to a file that is new or to stdout.

import { writeFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import type { Io } from "../io/io.ts";
import { version } from "../version.ts";
import { SessionTrouble } from "./folder.ts";
import { toHtml } from "./to-html.ts";
import { toMarkdown } from "./to-markdown.ts";
import type { Transcript } from "./transcript.ts";

export const FORMATS = ["markdown", "json", "html"] as const;

/** By the ending of a file's name. */
export function formatOf(path: string): ExportOptions["format"] | undefined {
  switch (extname(path).toLowerCase()) {
    case ".md":
    case ".markdown":
      return "markdown";
    case ".json":
      return "json";
    case ".html":
    case ".htm":
      return "html";
    default:
      return undefined;
  }
}

export interface ExportOptions {
  readonly format: (typeof FORMATS)[number];
  readonly output: string | undefined;
}

export async function exportSession(
  transcript: Transcript,
  { format, output }: ExportOptions,
  io: Io,
): Promise<number> {
  const text = toDocument(transcript, format);
  if (output === undefined) {
    io.stdout.write(text);
    return 0;
  }
  const path = resolve(io.cwd, output);
  try {
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new SessionTrouble(
      code === "EEXIST" ? `${path} is there already. Name a new file.` : `${path} cannot be written: ${message}`,
    );
  }
  io.stderr.write(`Written to ${path}.\n`);
  return 0;
}

export function toDocument(transcript: Transcript, format: ExportOptions["format"]): string {
  switch (format) {
    case "markdown":
      return toMarkdown(transcript);
    case "html":
      return toHtml(transcript);
    case "json":
      return `${JSON.stringify({ agentao: version, session: transcript }, null, 2)}\n`;
  }
}
