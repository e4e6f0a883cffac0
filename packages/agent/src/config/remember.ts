// Adds a line to the instructions, for every session from now on. Nothing that is there is changed.

import { appendFile, lstat, readFile, realpath } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { makeFolder } from "../folder/make-folder.ts";
import {
  type InstructionFile,
  type InstructionSource,
  isInside,
  listInstructionFiles,
  type Owner,
} from "./instruction-file.ts";
import { importIn, isInstructionName } from "./instructions.ts";

export type Remembered =
  | { readonly type: "added"; readonly path: string }
  /** It says so already. */
  | { readonly type: "known"; readonly path: string }
  | { readonly type: "refused"; readonly problem: string };

const OWN_FILE = "AGENTAO.md";

/** The project's is the nearest that is there, or a new one at the top of the repository. Never rejects. */
export async function remember(source: InstructionSource, owner: Owner, text: string): Promise<Remembered> {
  try {
    const file = await chooseFile(source, owner);
    if (file === undefined) return { type: "refused", problem: "There is no folder of the person's own here." };
    const target = await findTarget(file);
    if (target.type === "refused") return target;
    const { path, content } = target;
    const bullet = toBullet(text);
    if (`\n${unified(content)}\n`.includes(`\n${bullet}\n`)) return { type: "known", path };
    await makeFolder(dirname(path));
    await appendFile(path, asWrittenIn(content, `${gapAfter(unified(content))}${bullet}\n`));
    return { type: "added", path };
  } catch (cause) {
    return { type: "refused", problem: `It could not be written down: ${(cause as Error).message}` };
  }
}

async function chooseFile(source: InstructionSource, owner: Owner): Promise<InstructionFile | undefined> {
  const files = (await listInstructionFiles(source)).filter(
    (file) =>
      file.owner === owner &&
      basename(file.path) === OWN_FILE &&
      (owner === "person" || isInside(source.cwd, dirname(file.path))),
  );
  for (const file of files) if (await isThere(file.path)) return file;
  return files.at(-1);
}

type Target =
  | { readonly type: "found"; readonly path: string; readonly content: string }
  | Extract<Remembered, { type: "refused" }>;

/** A file that stands for another leaves the writing to that one. */
async function findTarget(file: InstructionFile): Promise<Target> {
  const content = await readInside(file.path, file);
  if (content === undefined) return leadsAway(file.path);
  const imported = importIn(content.trim());
  const other = imported === undefined ? undefined : resolve(dirname(file.path), imported);
  if (other === undefined || !isInside(other, file.realm) || !isInstructionName(other))
    return { type: "found", path: file.path, content };
  const theirs = await readInside(other, file);
  return theirs === undefined ? leadsAway(other) : { type: "found", path: other, content: theirs };
}

/** Nothing for a link that leads out of where it may: it would not be read either. */
async function readInside(path: string, { realm, mayLeave }: InstructionFile): Promise<string | undefined> {
  const isNew = !(await isThere(path));
  const real = await (isNew ? placeOf(path) : realpath(path)).catch(() => undefined);
  if (real === undefined || !(mayLeave || isInside(real, await realpath(realm)))) return undefined;
  return isNew ? "" : readFile(real, "utf8");
}

/** The nearest folder that is there already, where it really is: folders can be links, too. */
async function placeOf(path: string): Promise<string> {
  const folder = dirname(path);
  return (await isThere(folder)) ? realpath(folder) : placeOf(folder);
}

function leadsAway(path: string): Target {
  const problem = `${path} leads nowhere, or by a link out of the project, so it is not read. Put a file in its place.`;
  return { type: "refused", problem };
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function toBullet(text: string): string {
  const lines = unified(text).trim().split("\n");
  return `- ${lines.map((line) => line.trimEnd()).join("\n  ")}`;
}

/** A list goes on; after anything else there is a blank line. */
function gapAfter(content: string): string {
  if (content.trim() === "") return "";
  const last = content.trimEnd().split("\n").at(-1) ?? "";
  const end = content.endsWith("\n") ? "" : "\n";
  return /^\s*[-*+] /.test(last) || content.endsWith("\n\n") ? end : `${end}\n`;
}

function unified(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function asWrittenIn(content: string, added: string): string {
  return content.includes("\r\n") ? added.replaceAll("\n", "\r\n") : added;
}
