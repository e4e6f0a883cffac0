// From what was caught in a sentence to the wish, for the rules of every language.

import { bare, content } from "./term.ts";
import type { Wish } from "./wish.ts";

type Caught = string | undefined;

export function countTo(number: Caught, what: "numbers" | "words"): Wish {
  return { type: "count", to: Number(number), what };
}

export function readFrom(path: Caught): Wish {
  return { type: "read", path: bare(path) };
}

export function readLines(from: number, to: number, path: Caught): Wish {
  return { type: "read", path: bare(path), offset: Math.max(1, from), limit: Math.max(1, to - from + 1) };
}

export function writeTo(path: Caught, text: Caught): Wish {
  return { type: "write", path: bare(path), content: content(text) };
}

export function replaceIn(path: Caught, from: Caught, to: Caught): Wish {
  return { type: "replace", path: bare(path), from: content(from), to: content(to) };
}

/** A pattern without a folder is meant for all folders. */
export function findFiles(pattern: Caught): Wish {
  const word = bare(pattern);
  return { type: "find", pattern: word.includes("/") ? word : `**/${word}` };
}

/** Nothing when that is no kind of file. */
export function findKind(kind: Caught): Wish | undefined {
  const extension = extensionOf(bare(kind));
  return extension === undefined ? undefined : findFiles(`*.${extension}`);
}

export function searchFor(text: Caught, where?: Caught): Wish {
  return { type: "search", text: bare(text), ...filesOf(where) };
}

export function listOf(path: string, recursive: boolean): Wish {
  return { type: "list", path: path.replace(/(?<=.)\/$/, ""), recursive };
}

export function thinkAbout(about: Caught): Wish {
  return about === undefined ? { type: "think" } : { type: "think", about };
}

/** Whether a name is one of a file, rather than of a folder. */
export function looksLikeFile(word: Caught): boolean {
  return /[^./]\.\w+$|^\.\w|^(?:README|LICENSE|Makefile|Dockerfile)$/i.test(bare(word));
}

/** Files of a folder, of a kind, or by a pattern; nothing means everywhere. */
function filesOf(said: string | undefined): { files?: string } {
  const word = bare(said).replace(/\/+$/, "");
  if (word === "" || /^(?:\.|here|it|all|every|files?|(?:this|the|my|all)\b.*|workspace|project|code)$/i.test(word))
    return {};
  if (word.includes("*")) return { files: word };
  const kind = extensionOf(word);
  if (kind !== undefined) return { files: `*.${kind}` };
  return { files: /\.\w+$/.test(word) ? word : `${word}/**` };
}

const KINDS: Readonly<Record<string, string>> = {
  typescript: "ts",
  javascript: "js",
  markdown: "md",
  python: "py",
  text: "txt",
};
const EXTENSIONS = /^(?:tsx?|jsx?|mjs|json|md|py|txt|html?|css|ya?ml|toml|go|rs|java|c|h|cpp|sh|sql|csv|log)$/;

function extensionOf(kind: string): string | undefined {
  const word = kind.toLowerCase().replace(/^\./, "");
  return KINDS[word] ?? (EXTENSIONS.test(word) ? word : undefined);
}
