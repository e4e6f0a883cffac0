// A Jupyter notebook as a person reads it: its cells one after another, with what they printed. Nothing for what is none.

import { isFields } from "../json/fields.ts";

/** Of what one cell printed. */
const MAX_OUTPUT_CHARS = 2_000;

type Json = Readonly<Record<string, unknown>>;

export interface Notebook {
  readonly cells: number;
  readonly text: string;
}

export function readNotebook(json: string): Notebook | undefined {
  const notebook = parse(json);
  const cells = notebook?.cells;
  if (!Array.isArray(cells)) return undefined;
  const shown = cells.map((cell: unknown, at) => (isFields(cell) ? cellText(cell, at + 1) : ""));
  return { cells: cells.length, text: shown.join("\n") };
}

function parse(json: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function cellText(cell: Json, number: number): string {
  const type = typeof cell.cell_type === "string" ? cell.cell_type : "unknown";
  const run = typeof cell.execution_count === "number" ? `, run ${cell.execution_count}` : "";
  const outputs = Array.isArray(cell.outputs) ? cell.outputs.filter(isFields).map(outputText).join("") : "";
  const printed = outputs === "" ? "" : `--- output\n${withEnding(bound(outputs))}`;
  return `=== cell ${number}: ${type}${run}\n${withEnding(joined(cell.source))}${printed}`;
}

function outputText(output: Json): string {
  if (output.output_type === "error") return withEnding(`${joined(output.ename)}: ${joined(output.evalue)}`);
  const data = isFields(output.data) ? output.data : {};
  const text = joined(output.text) || joined(data["text/plain"]);
  const images = Object.keys(data).filter((type) => type.startsWith("image/"));
  return withEnding(text) + images.map((type) => `[${type}]\n`).join("");
}

/** Text is one string, or a list of lines with their endings. */
function joined(source: unknown): string {
  if (typeof source === "string") return source;
  return Array.isArray(source) ? source.filter((line) => typeof line === "string").join("") : "";
}

function withEnding(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function bound(text: string): string {
  if (text.length <= MAX_OUTPUT_CHARS) return text;
  return `${text.slice(0, MAX_OUTPUT_CHARS)}\n[+${text.length - MAX_OUTPUT_CHARS} chars]`;
}
