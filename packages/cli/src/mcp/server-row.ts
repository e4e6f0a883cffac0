// The servers of a person and of a project, as their files have them, with what the person said about them.

import { createConsent, mergeServers, readServerFiles, type WrittenServer } from "@agentao/agent/mcp";
import { findHome } from "../home.ts";
import type { Io } from "../io/io.ts";
import { nearest } from "../text/nearest.ts";
import { toLine, toPlain } from "../text/plain.ts";
import { type Entries, McpTrouble, readEntries } from "./mcp-file.ts";
import type { Row, Standing } from "./server-view.ts";

export interface Rows {
  readonly rows: readonly Row[];
  readonly problems: readonly string[];
}

/** Of one name, the one that counts. */
export async function readRows(io: Io): Promise<Rows> {
  const { env, cwd } = io;
  const home = findHome(env);
  const files = await readServerFiles({ cwd, home, env });
  const { servers, problems } = mergeServers<WrittenServer, WrittenServer>(
    [],
    files.user.servers,
    files.project.servers,
  );
  const consent = createConsent(home);
  const entries = { user: await entriesOf(files.userPath), project: await entriesOf(files.projectPath) };
  const standingOf = async (server: WrittenServer): Promise<Standing> => {
    if (server.source !== "project") return { type: "not-checked" };
    const answer = await consent.answer(cwd, server);
    return { type: answer === "given" ? "not-checked" : answer === "refused" ? "refused" : "needs-consent" };
  };
  const rowOf = async (server: WrittenServer): Promise<Row> => {
    const source = server.source === "project" ? "project" : "user";
    const entry = find(entries[source], server.name);
    return { name: server.name, source, server, entry, standing: await standingOf(server) };
  };
  const disabled = (["user", "project"] as const).flatMap((source) =>
    files[source].disabled.map(
      (name): Row => ({ name, source, entry: find(entries[source], name), standing: { type: "disabled" } }),
    ),
  );
  return {
    rows: [...(await Promise.all(servers.map(rowOf))), ...disabled],
    problems: [...files.user.problems, ...files.project.problems, ...problems],
  };
}

/** What is wrong with the file is told by whoever reads its servers. */
export async function entriesOf(path: string | undefined): Promise<Entries> {
  return path === undefined ? [] : readEntries(path).catch(() => []);
}

export function find(entries: Entries, name: string): unknown {
  return entries.find(([one]) => one === name)?.[1];
}

/** Rejects with `McpTrouble`. */
export async function findRow(name: string, io: Io): Promise<Row> {
  const { rows, problems } = await readRows(io);
  const row = rows.find((one) => one.name === name);
  if (row !== undefined) return row;
  for (const problem of problems) io.stderr.write(`agentao: ${toPlain(problem)}\n`);
  throw missing(
    name,
    rows.map((one) => one.name),
  );
}

export function missing(name: string, known: readonly string[], where = ""): McpTrouble {
  const close = nearest(name, known);
  const hint = close === undefined ? "; `agentao mcp list` shows all" : `; did you mean "${close}"?`;
  return new McpTrouble(`there is no MCP server "${toLine(name, 100)}"${where}${hint}`);
}

/** Throws `McpTrouble` where the person has not agreed to it, or has switched it off. */
export function usable({ name, server, standing }: Row): WrittenServer {
  if (server === undefined) throw new McpTrouble(`"${name}" is disabled in its file`);
  if (standing.type === "needs-consent" || standing.type === "refused") {
    throw new McpTrouble(`"${name}" belongs to this project and needs your consent: agentao mcp trust ${name}`);
  }
  return server;
}
