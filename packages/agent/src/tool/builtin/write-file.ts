// write_file: creates or replaces a file inside the roots, or appends to it. A file that changed since the model last saw
// it is not overwritten; one it never saw is, and the diff shows what goes.

import type { CallContent, Diff } from "../../event/event.ts";
import { MachineError } from "../../machine/machine.ts";
import { text } from "../../message/message.ts";
import { boolean, defineInput, type InputOf, string, withDefault } from "../input.ts";
import { failure } from "../outcome.ts";
import { absoluteIn, titleIn } from "../place.ts";
import { fingerprintOf } from "../seen-files.ts";
import { formOf, inForm, withoutForm } from "../text-form.ts";
import { defineTool, type ToolRoom } from "../tool.ts";

const input = defineInput({
  file_path: string("Path of the file, absolute or relative to the working directory", {
    aliases: ["path", "file", "filename"],
  }),
  content: string("The whole new content, or with append what is added at the end", {
    aliases: ["text", "contents", "file_text"],
  }),
  append: withDefault(boolean("Adds to the end instead of replacing the content"), false),
});

type Input = InputOf<typeof input>;

/** What the person was shown of a call, by its input: what is there when it runs has to be the same. */
const shown = new WeakMap<Input, Old>();

export const writeFile = defineTool<Input>({
  name: "write_file",
  description:
    "Writes a text file inside the project: creates it and its folders, replaces it, or appends to it. " +
    "To change a part of an existing file, use replace. Line endings, byte order mark and encoding of an existing file are kept.",
  inputSchema: input.schema,
  parse: input.parse,
  plan({ file_path, append }, room) {
    const path = absoluteIn(room, file_path);
    return {
      title: `${append ? "Append to" : "Write"} ${titleIn(room, file_path)}`,
      kind: "edit",
      locations: [{ path }],
      effect: { type: "write", paths: [path] },
    };
  },
  async preview(given, room, signal) {
    const path = absoluteIn(room, given.file_path);
    await room.machine.resolveInside(path, signal);
    const old = await readOld(path, room, signal);
    shown.set(given, old);
    return toContent(path, old, newText(old, given));
  },
  async run(given, room, signal) {
    const path = absoluteIn(room, given.file_path);
    const real = await room.machine.resolveInside(path, signal);
    const old = await readOld(path, room, signal);
    if (given.append && old.type === "unreadable") return failure(`${old.because}; it cannot be appended to`);
    const seen = room.seen.fingerprint(real);
    const isKnown = old.type === "text" && seen === fingerprintOf(old.text);
    if (!given.append && seen !== undefined && old.type === "text" && !isKnown) {
      return failure(`${path} changed since it was last read. Read it again, then write`);
    }
    if (!isSame(shown.get(given) ?? old, old)) {
      return failure(`${path} changed while the user was asked. Read it again, then write`);
    }
    const content = newText(old, given);
    await room.machine.writeText(path, content, signal);
    // Appending to what was never seen, or has changed since, leaves it unseen.
    if (!given.append || old.type === "nothing" || isKnown) room.seen.note(real, content);
    return {
      told: [text(`Successfully ${given.append ? "appended" : "wrote"} to ${path}`)],
      content: toContent(path, old, content),
      locations: [{ path, ...(given.append && { line: lastLine(old) }) }],
    };
  },
});

type Old =
  | { readonly type: "nothing" }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "unreadable"; readonly because: string };

async function readOld(path: string, room: ToolRoom, signal: AbortSignal): Promise<Old> {
  try {
    return { type: "text", text: await room.machine.readText(path, undefined, signal) };
  } catch (error) {
    if (!(error instanceof MachineError)) throw error;
    if (error.code === "not-found") return { type: "nothing" };
    if (error.code === "not-text" || error.code === "too-large") return { type: "unreadable", because: error.message };
    throw error;
  }
}

function isSame(a: Old, b: Old): boolean {
  return a.type === b.type && (a.type !== "text" || b.type !== "text" || a.text === b.text);
}

function newText(old: Old, { content, append }: Input): string {
  if (old.type !== "text") return content;
  const form = formOf(old.text);
  const plain = withoutForm(content, { ...form, bom: false });
  return append ? old.text + inForm(plain, { ...form, bom: false }) : inForm(plain, form);
}

function toContent(path: string, old: Old, content: string): CallContent[] {
  const diff: Diff = { type: "diff", path, oldText: old.type === "text" ? old.text : null, newText: content };
  return old.type === "unreadable" ? [text(`Replaces what was there: ${old.because}.`), diff] : [diff];
}

function lastLine(old: Old): number {
  return old.type === "text" ? old.text.split("\n").length : 1;
}
