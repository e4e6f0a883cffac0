// `agentao sessions`: what is stored of earlier sessions. Sessions that are open elsewhere can be read; they stay.

import { resolve } from "node:path";
import type { ListedSession, SessionId } from "@agentao/agent";
import { hasColors } from "../io/has-colors.ts";
import type { Io } from "../io/io.ts";
import type { Command } from "../manual/command.ts";
import { toCommand } from "../manual/manual.ts";
import {
  chooseSubcommand,
  countOf,
  noOperands,
  oneOperand,
  onlyOne,
  textOf,
  type Words,
  withDefault,
} from "../manual/parse-words.ts";
import { UsageError } from "../manual/usage-error.ts";
import { exportSession, FORMATS, formatOf } from "../sessions/export-session.ts";
import {
  findByIdOrTitle,
  listSessions,
  openSessions,
  type Sessions,
  SessionTrouble,
  shortLength,
} from "../sessions/folder.ts";
import { readTranscript } from "../sessions/read-transcript.ts";
import { deleteSessions, pruneSessions } from "../sessions/remove.ts";
import { searchSessions } from "../sessions/search.ts";
import { toRows } from "../sessions/session-rows.ts";
import { manual } from "../sessions/sessions-manual.ts";
import { toText } from "../sessions/to-text.ts";
import { toClock } from "../text/when.ts";

type Part = (sessions: Sessions, words: Words, io: Io) => Promise<number>;

const PARTS: Readonly<Record<string, Part>> = {
  list,
  show,
  search,
  export: exportOne,
  delete: deleteSessions,
  prune: pruneSessions,
};

export const sessions: Command = toCommand(manual, async (args, io) => {
  const { name, words } = chooseSubcommand("sessions", withDefault("list", args), manual.subcommands ?? []);
  try {
    const stored = openSessions(io.env, folderOf(words, io));
    return (await PARTS[name]?.(stored, words, io)) ?? 1;
  } catch (cause) {
    if (!(cause instanceof SessionTrouble)) throw cause;
    io.stderr.write(`agentao: ${cause.message}\n`);
    return 1;
  }
});

function folderOf(words: Words, { cwd }: Io): string {
  return resolve(cwd, textOf(words, "--cwd") ?? "");
}

async function list(sessions: Sessions, words: Words, io: Io): Promise<number> {
  noOperands(words);
  const { stdout, stderr } = io;
  const { options } = words;
  onlyOne(words, "--all", "--cwd");
  onlyOne(words, "--json", "--ids");
  const folder = options["--all"] ? undefined : folderOf(words, io);
  const listed = await listSessions(sessions, folder);
  if (options["--json"]) stdout.write(`${JSON.stringify({ sessions: listed.map(toPublic) }, null, 2)}\n`);
  else if (options["--ids"]) stdout.write(listed.map(({ id }) => `${id}\n`).join(""));
  else if (listed.length > 0) {
    stdout.write(toRows(listed, { withFolder: folder === undefined, columns: stdout.columns }));
  } else stderr.write(`${noneOf(folder)}\n`);
  return 0;
}

function noneOf(folder: string | undefined): string {
  return folder === undefined ? "There are no sessions." : `There are no sessions of ${folder}. Try --all.`;
}

/** The one that is named; the newest of this folder where none is. */
async function chosen(sessions: Sessions, words: Words, { cwd }: Io): Promise<SessionId> {
  if (words.operands.length > 0) return findByIdOrTitle(sessions, oneOperand(words, "the ID of a session"));
  const [newest] = await listSessions(sessions, cwd);
  if (newest === undefined) throw new SessionTrouble(noneOf(cwd).replace("Try --all.", "Name one of another folder."));
  return newest.id;
}

/** Times as programs read them. */
function toPublic({ createdAt, updatedAt, ...session }: ListedSession): object {
  return { ...session, createdAt: toIso(createdAt), updatedAt: toIso(updatedAt) };
}

function toIso(at: number): string {
  return new Date(at).toISOString();
}

const BOUND = { maxLines: 12, maxColumns: 1000 };
const WHOLE = { maxLines: Number.POSITIVE_INFINITY, maxColumns: Number.POSITIVE_INFINITY };

async function show(sessions: Sessions, words: Words, io: Io): Promise<number> {
  const { stdout, stderr } = io;
  const id = await chosen(sessions, words, io);
  const { transcript, damage } = await readTranscript(sessions, id);
  const options = {
    colors: hasColors(io),
    ...(words.options["--full"] ? WHOLE : BOUND),
    thoughts: words.options["--thoughts"] === true,
  };
  stdout.write(words.options["--json"] ? `${JSON.stringify(transcript, null, 2)}\n` : toText(transcript, options));
  if (damage !== undefined && damage.skippedLines > 0) {
    stderr.write(`agentao: ${damage.skippedLines} lines of its file cannot be read and are not shown.\n`);
  }
  return 0;
}

const MAX_HITS = 100;

async function search(sessions: Sessions, words: Words, { stdout, stderr, signal: ending }: Io): Promise<number> {
  const wanted = oneOperand(words, "the text to search for");
  if (wanted.trim() === "") throw new UsageError("the text to search for is empty");
  const limit = countOf(words, "--limit") ?? MAX_HITS;
  if (limit === 0) throw new UsageError("--limit is 1 or more");
  const listed = await listSessions(sessions, textOf(words, "--cwd"));
  const short = shortLength(listed.map(({ id }) => id));
  const query = { words: wanted, isCaseSensitive: words.options["--case-sensitive"] === true };
  // Nobody may read the rest: agentao sessions search x | head
  const gone = new AbortController();
  stdout.once("error", () => gone.abort());
  const signal = AbortSignal.any([ending, gone.signal]);
  let count = 0;
  for await (const { session, at, who, excerpt } of searchSessions(sessions, listed, query, signal)) {
    if (++count > limit) break;
    const line = words.options["--json"]
      ? JSON.stringify({ id: session.id, cwd: session.cwd, title: session.title, at: toIso(at), who, excerpt })
      : `${session.id.slice(0, short)}  ${toClock(at)}  ${who.padEnd(7)}  ${excerpt}`;
    stdout.write(`${line}\n`);
  }
  if (gone.signal.aborted) return 0;
  if (ending.aborted) return 130;
  if (count > limit) stderr.write(`There is more; --limit ${2 * limit} shows more.\n`);
  else if (count === 0) stderr.write("Nothing was found.\n");
  return count === 0 ? 1 : 0;
}

async function exportOne(sessions: Sessions, words: Words, io: Io): Promise<number> {
  const output = textOf(words, "--output");
  const given = FORMATS.find((one) => one === textOf(words, "--format"));
  const format = given ?? (output === undefined ? "markdown" : formatOf(output));
  if (format === undefined) {
    throw new UsageError(
      `--output ends with .md, .json or .html, or --format says which of ${FORMATS.join(", ")} it is`,
    );
  }
  const id = await chosen(sessions, words, io);
  const { transcript } = await readTranscript(sessions, id);
  return exportSession(transcript, { format, output }, io);
}
