// A frame without its secrets: values of environment variables and headers, fields whose names say so, words after options
// that say so, and what looks like a key anywhere in a text, also in JSON that is written into one. Names stay, so that a
// recording still shows what was configured.

import { redact } from "@agentao/agent/program";
import { isFields } from "../json/fields.ts";

export const HIDDEN = "[redacted]";
const SECRET_NAME =
  /(?:api[_-]?key|private[_-]?key|access[_-]?key|token|secret|passw(?:or)?d|passphrase|authorization|credential|cookie)s?$/i;
/** Lists or objects of which every value may be one. */
const VARIABLES_NAME = /(?:^env(?:ironment)?|headers)$/i;
const SECRET_OPTION = /^--?[\w-]*(?:key|token|secret|password|passwd|pass)$/i;
/** The password in an address. */
const USER_INFO = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]{0,100}:)[^\s/@]{1,200}@/gi;
/** Long texts are looked at in pieces: the time the patterns take grows faster than the text. */
const PIECE = 1024;
/** Of a text that is one word, such as base64. */
const PIECE_OF_WORD = 512;
/** Those that a piece may be too short for. */
const LONG_SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*/g,
  /\beyJ[\w-]{8,2000}\.[\w-]{8,16000}\.[\w-]{0,4000}/g,
];
/** Deeper values are left out: nobody nests like that, and a recording must not end the proxy. */
const MAX_DEPTH = 200;

export function redactFrame(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value, depth);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return "[nested too deep]";
  if (Array.isArray(value)) return redactList(value, depth);
  const clean: { [field: string]: unknown } = {};
  for (const [name, field] of Object.entries(value)) {
    const isNamed = name === "value" && "name" in value && SECRET_NAME.test(String(value.name));
    const kept = isNamed ? hide(field) : redactField(name, field, depth);
    // Assigned by definition: "__proto__" is a name like any other here.
    Object.defineProperty(clean, name, { value: kept, enumerable: true, writable: true });
  }
  return clean;
}

function redactList(list: readonly unknown[], depth: number): unknown[] {
  return list.map((item, at) => {
    const before = list[at - 1];
    const isOption = typeof before === "string" && SECRET_OPTION.test(before);
    return isOption && typeof item === "string" && !item.startsWith("-") ? HIDDEN : redactFrame(item, depth + 1);
  });
}

function redactField(name: string, field: unknown, depth: number): unknown {
  if (VARIABLES_NAME.test(name)) return redactVariables(field, depth);
  return SECRET_NAME.test(name) ? hide(field) : redactFrame(field, depth + 1);
}

/** Either `[{ name, value }]` or `{ name: value }`. */
function redactVariables(variables: unknown, depth: number): unknown {
  if (Array.isArray(variables)) return variables.map((one) => (isFields(one) ? redactVariable(one) : HIDDEN));
  if (!isFields(variables)) return redactFrame(variables, depth + 1);
  return Object.fromEntries(Object.keys(variables).map((name) => [name, HIDDEN]));
}

function redactVariable(variable: { readonly [field: string]: unknown }): unknown {
  return "value" in variable ? { ...variable, value: HIDDEN } : variable;
}

/** Whatever is written there. Numbers and switches under such names are counts and choices. */
function hide(field: unknown): unknown {
  if (typeof field === "string") return field === "" ? "" : HIDDEN;
  if (typeof field !== "object" || field === null) return field;
  if (Array.isArray(field)) return field.map(hide);
  return Object.fromEntries(Object.entries(field).map(([name, inner]) => [name, hide(inner)]));
}

export function redactText(text: string, depth = 0): string {
  return redactJson(text, depth) ?? redactPieces(text);
}

/** Of a text that is JSON; nothing where it is none, or has no secret that only its structure shows. */
function redactJson(text: string, depth: number): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const clean = JSON.stringify(redactFrame(value, depth + 1));
    return clean === JSON.stringify(value) ? undefined : clean;
  } catch {
    return undefined;
  }
}

function redactPieces(text: string): string {
  if (text.length <= PIECE) return redactPiece(text);
  const keyless = LONG_SECRETS.reduce((left, secret) => left.replace(secret, HIDDEN), text);
  let clean = "";
  for (let at = 0; at < keyless.length; ) {
    const end = endOfPiece(keyless, at);
    const piece = redactPiece(keyless.slice(at, end));
    clean += piece;
    // A secret that is longer than the piece goes on after it.
    at = piece.endsWith(HIDDEN) ? endOfWord(keyless, end) : end;
  }
  return clean;
}

/** Where none of these is, there is nothing to look for: most texts have none, and every frame passes here. */
const TRIGGER =
  /key|token|secret|passw|authorization|bearer|basic|sk-|AIza|AKIA|ASIA|gh[pousr]_|xox[abprs]-|eyJ|-----BEGIN|:\/\//i;

function redactPiece(text: string): string {
  if (!TRIGGER.test(text)) return text;
  return redact(text.replace(USER_INFO, `$1${HIDDEN}@`));
}

/** After a line if one ends there, else between words, else anywhere. */
function endOfPiece(text: string, at: number): number {
  const end = at + PIECE;
  if (end >= text.length) return text.length;
  // In the piece only: in the whole text it would look back to its beginning, each time.
  const line = text.slice(at, end).lastIndexOf("\n");
  if (line > 0) return at + line + 1;
  for (let i = end - 1; i > at; i--) if (!isOfWord(text, i)) return i + 1;
  return at + PIECE_OF_WORD;
}

function endOfWord(text: string, at: number): number {
  let end = at;
  while (end < text.length && isOfWord(text, end)) end++;
  return end;
}

function isOfWord(text: string, at: number): boolean {
  return OF_WORD[text.charCodeAt(at)] === true;
}

/** What keys and tokens are made of, by code. */
const OF_WORD = Array.from({ length: 128 }, (_, code) => /[\w.~+/=-]/.test(String.fromCharCode(code)));
