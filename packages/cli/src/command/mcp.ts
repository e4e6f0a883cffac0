// `agentao mcp`: the MCP servers of a person and of a project. Values of variables and headers are never printed.

import { join } from "node:path";
import {
  createConsent,
  createHub,
  type Hub,
  parseServers,
  readServerFiles,
  type ServerConfig,
  type ServerReport,
  signInFor,
} from "@agentao/agent/mcp";
import { findHome } from "../home.ts";
import type { Io } from "../io/io.ts";
import type { Command } from "../manual/command.ts";
import { toCommand } from "../manual/manual.ts";
import {
  chooseSubcommand,
  noOperands,
  oneOperand,
  onlyOne,
  textOf,
  type Words,
  withDefault,
} from "../manual/parse-words.ts";
import { UsageError } from "../manual/usage-error.ts";
import { parseAddition, SERVER_NAME } from "../mcp/add-server.ts";
import { addEntry, McpTrouble, readEntries, removeEntry } from "../mcp/mcp-file.ts";
import { manual } from "../mcp/mcp-manual.ts";
import { entriesOf, find, findRow, missing, readRows, usable } from "../mcp/server-row.ts";
import { type Row, reportWords, toPublic, toTable, toTarget } from "../mcp/server-view.ts";
import { login, logout } from "../mcp/sign-in.ts";
import { toLine, toPlain } from "../text/plain.ts";
import { version } from "../version.ts";

type Part = (words: Words, io: Io) => Promise<number>;

const PARTS: Readonly<Record<string, Part>> = { list, remove, test, login, logout, trust };

export const mcp: Command = toCommand(manual, async (args, io) => {
  try {
    // Its options may come again, and the words behind -- are not ours.
    if (args[0] === "add") return await add(args.slice(1), io);
    const { name, words } = chooseSubcommand("mcp", withDefault("list", args), manual.subcommands ?? []);
    return (await PARTS[name]?.(words, io)) ?? 1;
  } catch (cause) {
    if (!(cause instanceof McpTrouble)) throw cause;
    io.stderr.write(`agentao: ${toPlain(cause.message)}\n`);
    return 1;
  }
});

// ---- list ----

async function list(words: Words, io: Io): Promise<number> {
  noOperands(words);
  onlyOne(words, "--json", "--names");
  const { rows, problems } = await readRows(io);
  if (words.options["--names"]) {
    // A shell may expand what it completes: words that mean something to it are left out.
    const names = rows.map(({ name }) => name).filter((name) => SERVER_NAME.test(name));
    io.stdout.write(names.map((name) => `${name}\n`).join(""));
    return 0;
  }
  const shown = words.options["--check"] ? await checkAll(rows, io) : rows;
  for (const problem of problems) io.stderr.write(`agentao: ${toPlain(problem)}\n`);
  if (words.options["--json"]) {
    io.stdout.write(`${JSON.stringify({ servers: shown.map(toPublic), problems }, null, 2)}\n`);
  } else if (shown.length > 0) io.stdout.write(toTable(shown));
  else io.stderr.write("There are no MCP servers. `agentao mcp add --help` says how to add one.\n");
  const isBad = shown.some(({ standing }) => standing.type === "checked" && standing.report.state.type !== "connected");
  return isBad ? 1 : 0;
}

async function checkAll(rows: readonly Row[], io: Io): Promise<readonly Row[]> {
  const usable = rows.flatMap(({ server, standing }) => (standing.type === "not-checked" && server ? [server] : []));
  const reports = await withHub(usable, io, async (hub) => hub.reports());
  return rows.map((row) => {
    const report = row.standing.type === "not-checked" ? reports.find(({ name }) => name === row.name) : undefined;
    return report === undefined ? row : { ...row, standing: { type: "checked", report } };
  });
}

// ---- add, remove ----

async function add(args: readonly string[], io: Io): Promise<number> {
  const { name, scope, entry } = parseAddition(args);
  const path = pathOf(scope, io);
  const parsed = parseServers(JSON.stringify({ mcpServers: Object.fromEntries([[name, entry]]) }), {
    source: scope,
    path,
    env: io.env,
  });
  const [server] = parsed.servers;
  if (server === undefined) throw new UsageError(toLine(parsed.problems.join(" ").replace(`${path}: `, ""), 500));
  // It may have secrets in it, and only a project's is to be shared.
  await addEntry(path, [name, entry], scope === "user" ? "private" : "shared");
  io.stdout.write(`${toLine(name, 100)} is in ${path} now. Try it: agentao mcp test ${toLine(name, 100)}\n`);
  for (const problem of parsed.problems) io.stderr.write(`agentao: ${toPlain(problem)}\n`);
  if (scope === "project") {
    await createConsent(findHome(io.env)).give(io.cwd, server);
    warnOfSecrets(entry, path, io);
  }
  return 0;
}

/** A project's file goes where the project goes. */
function warnOfSecrets(entry: Readonly<Record<string, unknown>>, path: string, io: Io): void {
  const values = Object.entries({ ...(entry.env as object), ...(entry.headers as object) });
  const plain = values.filter(([, value]) => !String(value).includes("$")).map(([name]) => name);
  if (plain.length === 0) return;
  io.stderr.write(
    `agentao: the values of ${toLine(plain.join(", "), 200)} are in ${path} as they are. If they are secret, write '$NAME' instead.\n`,
  );
}

async function remove(words: Words, io: Io): Promise<number> {
  const name = oneOperand(words, "the NAME of the server");
  const wanted = textOf(words, "--scope");
  const scopes = (["user", "project"] as const).filter((one) => wanted === undefined || one === wanted);
  const paths = scopes.flatMap((scope) =>
    scope === "user" && findHome(io.env) === undefined ? [] : [pathOf(scope, io)],
  );
  const read = await Promise.all([...new Set(paths)].map(async (path) => ({ path, entries: await readEntries(path) })));
  const [first, second] = read.filter(({ entries }) => entries.some(([one]) => one === name));
  if (first === undefined)
    throw missing(
      name,
      read.flatMap(({ entries }) => entries.map(([one]) => one)),
    );
  if (second !== undefined)
    throw new UsageError(`both files have "${name}"; add --scope user or --scope project`, { isInHelp: false });
  await removeEntry(first.path, name);
  io.stdout.write(`${toLine(name, 100)} is no longer in ${first.path}.\n`);
  return 0;
}

function pathOf(scope: "user" | "project", { env, cwd }: Io): string {
  const home = findHome(env);
  if (scope === "project") return join(cwd, ".agentao", "mcp.json");
  if (home === undefined) throw new McpTrouble("there is no home folder; set AGENTAO_HOME to a folder");
  return join(home, "mcp.json");
}

// ---- test ----

async function test(words: Words, io: Io): Promise<number> {
  const row = await findRow(oneOperand(words, "the NAME of the server"), io);
  const server = usable(row);
  return withHub([server], io, async (hub) => {
    const report = hub.reports()[0] as ServerReport;
    const isFine = report.state.type === "connected";
    // Whom it could not reach is the first question.
    const where = isFine || server.transport.type === "stdio" ? "" : ` (${toTarget(row.entry)})`;
    const tools = hub.tools().map(({ name, description }) => ({ name, description }));
    if (words.options["--json"]) {
      const { state, lastError } = report;
      const answer = {
        name: row.name,
        ok: isFine,
        state: state.type,
        tools,
        ...(!isFine && { error: `${lastError ?? reportWords(report)}${where}` }),
      };
      io.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
    } else {
      io.stdout.write(`${toLine(row.name, 100)}: ${reportWords(report)}${where}\n`);
      for (const { name, description } of tools)
        io.stdout.write(`  ${toLine(name, 80)}  ${toLine(description, 100)}\n`);
    }
    return isFine ? 0 : 1;
  });
}

/** Connects to all of them, waits until that is over, and leaves nothing behind. */
async function withHub<T>(servers: readonly ServerConfig[], io: Io, work: (hub: Hub) => Promise<T>): Promise<T> {
  const { cwd, env, signal } = io;
  const hub = createHub(servers, {
    roots: [cwd],
    cwd,
    env,
    clientInfo: { name: "agentao", version },
    notice: () => {},
    log: () => {},
    onChange: () => {},
    signIn: (config) => signInFor(config, { home: findHome(env), env }),
  });
  try {
    await hub.settled(Math.max(0, ...servers.map(({ startMs }) => startMs)) + 1_000, signal);
    return await work(hub);
  } finally {
    await hub.close();
  }
}

// ---- trust ----

async function trust(words: Words, io: Io): Promise<number> {
  const name = oneOperand(words, "the NAME of the server");
  const home = findHome(io.env);
  const { project, projectPath } = await readServerFiles({ cwd: io.cwd, home, env: io.env });
  const server = project.servers.find((one) => one.name === name);
  if (server === undefined) {
    for (const problem of project.problems) io.stderr.write(`agentao: ${toPlain(problem)}\n`);
    throw missing(
      name,
      project.servers.map((one) => one.name),
      ` in ${projectPath}`,
    );
  }
  const consent = createConsent(home);
  const isRevoked = words.options["--revoke"] === true;
  const kept = await (isRevoked ? consent.refuse(io.cwd, server) : consent.give(io.cwd, server));
  if (kept.type === "not-kept") throw new McpTrouble(`that cannot be written down: ${kept.why}`);
  const what = toTarget(find(await entriesOf(projectPath), name));
  io.stdout.write(`${toLine(name, 100)} may ${isRevoked ? "no longer" : "now"} be used in ${io.cwd}: ${what}\n`);
  return 0;
}
