// A call's input as the model wrote it, to an object. Mistakes that can be meant in one way only are mended.

export type ParsedInput =
  | { readonly type: "object"; readonly input: Readonly<Record<string, unknown>> }
  | { readonly type: "nonsense"; readonly problem: string };

export function parseInput(text: string): ParsedInput {
  const trimmed = withoutFence(text.trim());
  if (trimmed === "") return { type: "object", input: {} };
  const value = parse(trimmed) ?? parse(withoutTrailingCommas(trimmed));
  // Some models encode their JSON twice.
  const object = typeof value === "string" ? parse(value) : value;
  if (typeof object === "object" && object !== null && !Array.isArray(object)) {
    return { type: "object", input: object as Record<string, unknown> };
  }
  if (object === null && trimmed === "null") return { type: "object", input: {} };
  const problem = value === undefined ? "The input is not valid JSON." : "The input must be a JSON object.";
  return { type: "nonsense", problem: `${problem} Call the tool again with a complete JSON object.` };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withoutFence(text: string): string {
  return /^```(?:json)?\s*\n([\s\S]*)\n```$/.exec(text)?.[1]?.trim() ?? text;
}

/** Only commas outside of strings. */
function withoutTrailingCommas(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|,(\s*[}\]])/g, (_, string?: string, end?: string) => string ?? end ?? "");
}
