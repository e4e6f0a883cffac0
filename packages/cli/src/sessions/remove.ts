// Deletes stored sessions, after asking. What is open elsewhere stays: the store refuses.

import type { ListedSession, SessionId } from "@agentao/agent";
import type { Io } from "../io/io.ts";
import { isYes, openQuestions } from "../io/questions.ts";
import { countOf, noOperands, textOf, type Words } from "../manual/parse-words.ts";
import { UsageError } from "../manual/usage-error.ts";
import { toLine } from "../text/plain.ts";
import { parseSpan, toClock } from "../text/when.ts";
import { chooseOld } from "./choose-old.ts";
import { findSession, listJournals, type Sessions, SessionTrouble } from "./folder.ts";
import { toRows } from "./session-rows.ts";

export async function deleteSessions(sessions: Sessions, words: Words, io: Io): Promise<number> {
  if (words.operands.length === 0) throw new UsageError("the ID of a session is missing");
  somebodyIsThere(words, io);
  const ids: SessionId[] = [];
  for (const word of words.operands) ids.push(await findSession(sessions, word));
  for (const id of ids) await isOurs(sessions, id);
  const wanted = [...new Set(ids)];
  const listed = words.options["--yes"] ? [] : await listJournals(sessions.store);
  const lines = wanted.map((id) => toLineOf(listed.find((one) => one.id === id) ?? { id }));
  if (!(await mayDelete(lines, words, io))) return 1;
  return deleteAll(sessions, wanted, io);
}

async function isOurs({ store, reference }: Sessions, id: SessionId): Promise<void> {
  if (await store.exists(id)) return;
  const isReference = (await reference.list()).some((one) => one.id === id);
  throw new SessionTrouble(
    isReference
      ? `Session ${id} is a file of agentao in Python. Delete it in .agentao/sessions of its folder.`
      : `Session ${id} has no file of its own name, so it cannot be deleted. "agentao doctor" says more.`,
  );
}

export async function pruneSessions(sessions: Sessions, words: Words, io: Io): Promise<number> {
  noOperands(words);
  const olderThanMs = parseSpan(textOf(words, "--older-than") ?? "");
  if (olderThanMs === undefined) throw new UsageError("prune needs --older-than AGE, such as 30d, 12h or 8w");
  const keep = countOf(words, "--keep") ?? 0;
  somebodyIsThere(words, io);
  const choose = async (): Promise<readonly ListedSession[]> =>
    chooseOld(await listJournals(sessions.store), { olderThanMs, keep, now: Date.now() });
  const old = await choose();
  if (old.length === 0) {
    io.stderr.write("No session is that old.\n");
    return 0;
  }
  if (words.options["--dry-run"]) {
    io.stdout.write(toRows(old, { withFolder: true, columns: io.stdout.columns }));
    io.stderr.write(`${counted(old.length)} would be deleted; those that are open elsewhere would stay.\n`);
    return 0;
  }
  if (!(await mayDelete(old.map(toLineOf), words, io))) return 1;
  // Somebody may have gone on with one while the question stood.
  const still = new Set((await choose()).map(({ id }) => id));
  const chosen = old.map(({ id }) => id).filter((id) => still.has(id));
  return deleteAll(sessions, chosen, io, { openIsFine: true });
}

function somebodyIsThere(words: Words, { stdin }: Io): void {
  if (words.options["--yes"] || words.options["--dry-run"] || stdin.isTTY === true) return;
  throw new UsageError("there is nobody to ask; add --yes to delete");
}

function toLineOf({ id, title = "", updatedAt }: Pick<ListedSession, "id"> & Partial<ListedSession>): string {
  return [id, ...(updatedAt === undefined ? [] : [toClock(updatedAt)]), toLine(title, 60)].join("  ").trimEnd();
}

const SHOWN_NAMES = 10;

async function mayDelete(lines: readonly string[], words: Words, io: Io): Promise<boolean> {
  if (words.options["--yes"]) return true;
  const more = lines.length > SHOWN_NAMES ? [`… and ${lines.length - SHOWN_NAMES} more`] : [];
  io.stderr.write(`${[...lines.slice(0, SHOWN_NAMES), ...more].join("\n")}\n`);
  const questions = openQuestions(io);
  try {
    if (await isYes(questions, `Delete ${counted(lines.length)}?`)) return true;
    io.stderr.write("Nothing was deleted.\n");
    return false;
  } finally {
    questions.close();
  }
}

async function deleteAll(
  { store }: Sessions,
  ids: readonly SessionId[],
  { stdout, stderr }: Io,
  { openIsFine = false } = {},
): Promise<number> {
  let deleted = 0;
  for (const id of ids) {
    const fault = await store.delete(id);
    if (fault === undefined) deleted++;
    else stderr.write(`agentao: ${fault.message}\n`);
  }
  // The index of the store forgets them with the next look at it.
  await listJournals(store);
  stdout.write(`${counted(deleted)} deleted.\n`);
  return deleted === ids.length || openIsFine ? 0 : 1;
}

function counted(count: number): string {
  return `${count} ${count === 1 ? "session" : "sessions"}`;
}
