// Where a text stops being JSON. Messages of the runtime differ between versions, and quote the text, which may have keys.

/** Undefined when it is JSON. Lines and columns count from 1. */
export function findJsonFault(text: string): { readonly line: number; readonly column: number } | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const before = text.slice(0, scan(text)).split("\n");
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
}

const TOKEN =
  /[\t\n\r ]*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])))/uy;

type Expected = "value" | "value or ]" | "name" | "name or }" | ":" | ", or end" | "nothing";

/** The offset of the first token that does not fit. */
function scan(text: string): number {
  const open: string[] = [];
  let expected: Expected = "value";
  const token = new RegExp(TOKEN);
  for (let at = 0; ; at = token.lastIndex) {
    token.lastIndex = at;
    const found = token.exec(text);
    const begin = at + (/^[\t\n\r ]*/.exec(text.slice(at))?.[0].length ?? 0);
    if (found === null) return begin;
    const next = follow(expected, found, open);
    if (next === undefined) return begin;
    expected = next;
  }
}

function follow(expected: Expected, [, mark, text, word]: RegExpExecArray, open: string[]): Expected | undefined {
  const isValue = expected === "value" || expected === "value or ]";
  const after = (): Expected => (open.length === 0 ? "nothing" : ", or end");
  if (text !== undefined && expected.startsWith("name")) return ":";
  if (text !== undefined || word !== undefined) return isValue ? after() : undefined;
  if (mark === ":") return expected === ":" ? "value" : undefined;
  if (mark === ",") return expected === ", or end" ? (open.at(-1) === "{" ? "name" : "value") : undefined;
  if (mark === "{" || mark === "[") {
    if (!isValue) return undefined;
    open.push(mark);
    return mark === "{" ? "name or }" : "value or ]";
  }
  const isEnd = expected === ", or end" || expected === (mark === "}" ? "name or }" : "value or ]");
  if (!isEnd || open.pop() !== (mark === "}" ? "{" : "[")) return undefined;
  return after();
}
