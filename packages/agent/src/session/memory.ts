// `/memory`: what is remembered from session to session, which is what the instruction files say.

import type { InstructionFiles } from "../config/config.ts";
import type { FileInForce } from "../config/instructions.ts";

const USAGE =
  "`/memory` shows them, `/memory add TEXT` adds a line for this project, `/memory add --user TEXT` for all of yours.";
const NO_FILES = "The instructions of this session do not come from files.";

/** The answer, in Markdown. */
export async function answerMemory(argument: string, files: InstructionFiles | undefined): Promise<string> {
  if (files === undefined) return NO_FILES;
  if (argument === "") return list(await files.list());
  const [, word = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(argument) ?? [];
  if (word !== "add") return `There is no \`/memory ${word}\`. ${USAGE}`;
  const [, flag, text = ""] = /^(--user(?=\s|$))?\s*([\s\S]*)$/.exec(rest) ?? [];
  if (text.trim() === "") return `What is to be remembered? ${USAGE}`;
  return add(text, flag === undefined ? "project" : "person", files);
}

function list(files: readonly FileInForce[]): string {
  if (files.length === 0) return `There are no instructions for this session yet. ${USAGE}`;
  return ["Instructions in force; where two differ, the later one counts:", "", ...files.map(toLine), "", USAGE].join(
    "\n",
  );
}

function toLine({ path, bytes, droppedBytes }: FileInForce, at: number): string {
  const cut =
    droppedBytes === 0
      ? ""
      : droppedBytes === bytes
        ? ", **left out**: those nearer to the work take all the room"
        : `, **cut**: its last ${toSize(droppedBytes)} are left out`;
  return `${at + 1}. \`${path}\`: ${toSize(bytes)}${cut}`;
}

async function add(text: string, owner: "project" | "person", files: InstructionFiles): Promise<string> {
  const outcome = await files.add(owner, text);
  switch (outcome.type) {
    case "refused":
      return outcome.problem;
    case "known":
      return `\`${outcome.path}\` says so already.`;
    case "added": {
      const written = (await files.list()).find(({ path }) => path === outcome.path);
      const isCut = (written?.droppedBytes ?? 0) > 0;
      const when = isCut
        ? "But its end is not read, because it is too long: shorten it."
        : "It holds from the next prompt on.";
      return `Written to \`${outcome.path}\`. ${when}`;
    }
  }
}

function toSize(bytes: number): string {
  if (bytes === 1) return "1 byte";
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`;
}
