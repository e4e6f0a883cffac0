// replace: changes passages of a file inside the roots, one or several at once, all or none. A file that changed since the
// model last saw it is not touched.

import type { Diff } from "../../event/event.ts";
import { text } from "../../message/message.ts";
import { type Edit, type Edited, editText, type How } from "../edit-text.ts";
import { boolean, defineInput, type InputOf, list, object, optional, string, withDefault } from "../input.ts";
import { failure } from "../outcome.ts";
import { absoluteIn, titleIn } from "../place.ts";
import { fingerprintOf } from "../seen-files.ts";
import { defineTool, type ToolRoom } from "../tool.ts";

const MAX_EDITS = 100;

const edit = {
  old_text: string("The text to replace, copied from the file with its indentation; it must be found exactly once", {
    aliases: ["old_string", "old", "search"],
  }),
  new_text: string("The text to put there", { aliases: ["new_string", "new", "replacement"] }),
  replace_all: withDefault(boolean("Replaces every occurrence"), false),
};

const input = defineInput({
  file_path: string("Path of the file, absolute or relative to the working directory", {
    aliases: ["path", "file", "filename"],
  }),
  old_text: optional(edit.old_text),
  new_text: optional(edit.new_text),
  replace_all: edit.replace_all,
  edits: optional(
    list(object(edit), "Several replacements in this file, done one after another, instead of old_text and new_text", {
      maximum: MAX_EDITS,
    }),
  ),
});

interface Input {
  readonly path: string;
  readonly edits: readonly Edit[];
}

export const replace = defineTool<Input>({
  name: "replace",
  description:
    "Replaces text in a file inside the project. Give old_text and new_text, or a list of edits. " +
    "old_text must be found exactly once: include enough lines around it, or set replace_all.",
  inputSchema: input.schema,
  parse(given) {
    const parsed = input.parse(given);
    return "problem" in parsed ? parsed : toEdits(parsed.input);
  },
  plan({ path: named }, room) {
    const path = absoluteIn(room, named);
    return {
      title: `Edit ${titleIn(room, named)}`,
      kind: "edit",
      locations: [{ path }],
      effect: { type: "write", paths: [path] },
    };
  },
  async preview({ path: named, edits }, room, signal) {
    const path = absoluteIn(room, named);
    const real = await room.machine.resolveInside(path, signal);
    const { old, edited } = await attemptEdit(path, edits, room, signal);
    return edited.type === "edited" && !hasChanged(real, old, room) ? [toDiff(path, old, edited.text)] : [];
  },
  async run({ path: named, edits }, room, signal) {
    const path = absoluteIn(room, named);
    const real = await room.machine.resolveInside(path, signal);
    const { old, edited } = await attemptEdit(path, edits, room, signal);
    if (hasChanged(real, old, room)) {
      return failure(`${path} changed since it was last read. Read it again, then edit`);
    }
    if (edited.type === "refused") return failure(edited.problem);
    await room.machine.writeText(path, edited.text, signal);
    // A file that was never seen whole stays unknown: only this passage was seen.
    if (room.seen.fingerprint(real) === fingerprintOf(old)) room.seen.note(real, edited.text);
    return {
      told: [text(`Replaced ${edited.count} occurrence(s) in ${path}${NOTES[edited.how]}`)],
      content: [toDiff(path, old, edited.text)],
      locations: [{ path, line: edited.line }],
    };
  },
});

const NOTES: Record<How, string> = {
  exact: "",
  whitespace: " (flexible whitespace match)",
  "look-alike": " (unicode-normalized match)",
  unescaped: " (after removing escapes that are not in the file)",
};

function toEdits(given: InputOf<typeof input>): { readonly input: Input } | { readonly problem: string } {
  const { file_path: path, old_text, new_text, replace_all, edits } = given;
  const one = old_text !== undefined || new_text !== undefined;
  if (one && (old_text === undefined || new_text === undefined)) {
    return { problem: `${old_text === undefined ? "old_text" : "new_text"} is required` };
  }
  const all = [
    ...(one ? [{ old_text, new_text, replace_all } as NonNullable<typeof edits>[number]] : []),
    ...(edits ?? []),
  ];
  if (all.length === 0) return { problem: "old_text and new_text are required, or a list of edits" };
  return {
    input: {
      path,
      edits: all.map((edit) => ({ oldText: edit.old_text, newText: edit.new_text, replaceAll: edit.replace_all })),
    },
  };
}

/** What was never seen whole has not changed. */
function hasChanged(real: string, old: string, room: ToolRoom): boolean {
  const seen = room.seen.fingerprint(real);
  return seen !== undefined && seen !== fingerprintOf(old);
}

async function attemptEdit(
  path: string,
  edits: readonly Edit[],
  room: ToolRoom,
  signal: AbortSignal,
): Promise<{ old: string; edited: Edited }> {
  const old = await room.machine.readText(path, undefined, signal);
  return { old, edited: editText(old, edits, path) };
}

function toDiff(path: string, oldText: string, newText: string): Diff {
  return { type: "diff", path, oldText, newText };
}
