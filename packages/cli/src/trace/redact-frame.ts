// A frame without its secrets: values of environment variables and headers, fields whose names say so, and what looks like
// a key anywhere in a text. Names stay, so that a recording still shows what was configured.

import { redact } from "../redact.ts";
import { isFields } from "./frame-shape.ts";

const HIDDEN = "[redacted]";
const SECRET_NAME =
  /(?:api[_-]?key|access[_-]?token|refresh[_-]?token|auth[_-]?token|secret|passw(?:or)?d|authorization)$/i;
/** Long texts are looked at in pieces: the patterns may take time that grows faster than the text. */
const PIECE = 4 * 1024;
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
  const keyless = text.replace(/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*/g, HIDDEN);
  let clean = "";
  for (let at = 0; at < keyless.length; ) {
    const end = endOfPiece(keyless, at);
    clean += redact(keyless.slice(at, end));
    at = end;
  }
  return clean;
}

/** At the end of a line if there is one, else between words, else anywhere. */
function endOfPiece(text: string, at: number): number {
  const end = at + PIECE;
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf("\n", end - 1);
  if (line > at) return line + 1;
  const word = text.lastIndexOf(" ", end - 1);
  return word > at ? word + 1 : end;
}
