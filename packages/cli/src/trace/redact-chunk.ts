// Frames without secrets, also without those that come in pieces: what a model says is cut anywhere, and no piece of a key
// looks like one. What was begun is remembered for each text of each session.

import { fieldOf } from "../json/fields.ts";
import { HIDDEN, redactFrame, redactText } from "../secret/redact-frame.ts";

/** What a text ended with. */
interface Tail {
  /** The end of its last line, without secrets; while one goes on, the end of that. */
  readonly text: string;
  /** A secret may go on in the next piece: up to its end as a word, or up to the end of a key of several lines. */
  readonly open: "no" | "word" | "key";
}

/** Longer beginnings of secrets do not exist: they would have been seen as one. */
const MAX_TAIL = 256;
/** Sessions that spoke long ago are forgotten. */
const MAX_TEXTS = 1000;
const KEY_END = "PRIVATE KEY-----";

export class ChunkRedaction {
  readonly #tails = new Map<string, Tail>();

  redact(frame: unknown): unknown {
    const clean = redactFrame(frame);
    const params = fieldOf(frame, "params");
    const update = fieldOf(params, "update");
    const kind = fieldOf(update, "sessionUpdate");
    const text = fieldOf(fieldOf(update, "content"), "text");
    if (typeof kind !== "string" || !kind.endsWith("_chunk") || typeof text !== "string") return clean;
    const content = fieldOf(fieldOf(fieldOf(clean, "params"), "update"), "content");
    (content as { text: string }).text = this.#take(`${kind} ${String(fieldOf(params, "sessionId"))}`, text);
    return clean;
  }

  #take(name: string, text: string): string {
    const tail = this.#tails.get(name) ?? { text: "", open: "no" };
    const { shown, next } = goOn(tail, text);
    this.#tails.set(name, next);
    const [oldest] = this.#tails.size > MAX_TEXTS ? this.#tails.keys() : [];
    if (oldest !== undefined) this.#tails.delete(oldest);
    return shown;
  }
}

function goOn(tail: Tail, text: string): { readonly shown: string; readonly next: Tail } {
  const rest = tail.open === "no" ? text : text.slice(endOfSecret(tail, text));
  if (rest === "" && tail.open !== "no") {
    return { shown: "", next: { ...tail, text: (tail.text + text).slice(-MAX_TAIL) } };
  }
  const before = tail.open === "no" ? tail.text : "";
  const clean = redactText(before + rest);
  // Where the secret began before this piece, its beginning was shown; the rest is not.
  const shown = clean.slice(commonLength(before, clean));
  const lastLine = clean.slice(clean.lastIndexOf("\n") + 1);
  return { shown, next: { text: lastLine.slice(-MAX_TAIL), open: openAtEnd(before + rest, clean) } };
}

function endOfSecret({ open, text: before }: Tail, text: string): number {
  if (open === "word") return /^[^\s"',;}]*/.exec(text)?.[0].length ?? 0;
  const at = (before + text).indexOf(KEY_END);
  return at < 0 ? text.length : Math.max(0, at + KEY_END.length - before.length);
}

function openAtEnd(text: string, clean: string): Tail["open"] {
  if (clean === text || !clean.endsWith(HIDDEN)) return "no";
  const key = text.lastIndexOf("-----BEGIN ");
  return key >= 0 && !text.includes("-----END ", key) ? "key" : "word";
}

function commonLength(a: string, b: string): number {
  if (b.startsWith(a)) return a.length;
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
