// A call's input as the model wrote it, to an object. Mistakes that can be meant in one way only are mended.

import { isFields } from "../json/fields.ts";
import { parseJson } from "../json/parse-json.ts";
import { isTooDeep } from "./json-depth.ts";

export type ParsedInput =
  | { readonly type: "object"; readonly input: Readonly<Record<string, unknown>> }
  | { readonly type: "nonsense"; readonly problem: string };

export function parseInput(text: string): ParsedInput {
  const trimmed = withoutFence(text.trim());
  if (trimmed === "") return { type: "object", input: {} };
  if (isTooDeep(trimmed)) return nonsense("The input is nested too deep.");
  const value = parseJson(trimmed) ?? parseJson(withoutTrailingCommas(trimmed));
  // Some models encode their JSON twice.
  if (typeof value === "string" && isTooDeep(value)) return nonsense("The input is nested too deep.");
  const object = typeof value === "string" ? parseJson(value) : value;
  if (isFields(object)) return { type: "object", input: object };
  if (object === null && trimmed === "null") return { type: "object", input: {} };
  return nonsense(value === undefined ? "The input is not valid JSON." : "The input must be a JSON object.");
}

function nonsense(problem: string): ParsedInput {
  return { type: "nonsense", problem: `${problem} Call the tool again with a complete JSON object.` };
}

function withoutFence(text: string): string {
  return /^```(?:json)?\s*\n([\s\S]*)\n```$/.exec(text)?.[1]?.trim() ?? text;
}

/** Only commas outside of strings. */
function withoutTrailingCommas(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|,(\s*[}\]])/g, (_, string?: string, end?: string) => string ?? end ?? "");
}
