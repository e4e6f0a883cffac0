// A frame without its secrets: values of environment variables and headers, fields whose names say so, and what looks like
// a key anywhere in a text. Names stay, so that a recording still shows what was configured.

import { redact } from "../redact.ts";
import { isFields } from "./frame-shape.ts";

const HIDDEN = "[redacted]";
const SECRET_NAME =
  /(?:api[_-]?key|access[_-]?token|refresh[_-]?token|auth[_-]?token|secret|passw(?:or)?d|authorization)$/i;
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
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return "[nested too deep]";
  if (Array.isArray(value)) return value.map((item) => redactFrame(item, depth + 1));
  const clean: { [field: string]: unknown } = {};
  for (const [name, field] of Object.entries(value)) {
    // Assigned by definition: "__proto__" is a name like any other here.
    Object.defineProperty(clean, name, { value: redactField(name, field, depth), enumerable: true, writable: true });
  }
  return clean;
}

function redactField(name: string, field: unknown, depth: number): unknown {
  if (name === "env" || name === "headers") return redactVariables(field, depth);
  if (typeof field === "string" && field !== "" && SECRET_NAME.test(name)) return HIDDEN;
  return redactFrame(field, depth + 1);
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

export function redactText(text: string): string {
  if (text.length <= PIECE) return redact(text);
  const keyless = LONG_SECRETS.reduce((left, secret) => left.replace(secret, HIDDEN), text);
  let clean = "";
  for (let at = 0; at < keyless.length; ) {
    const end = endOfPiece(keyless, at);
    const piece = redact(keyless.slice(at, end));
    clean += piece;
    // A secret that is longer than the piece goes on after it.
    at = piece.endsWith(HIDDEN) ? endOfWord(keyless, end) : end;
  }
  return clean;
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
