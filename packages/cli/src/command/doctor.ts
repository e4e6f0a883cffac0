// `agentao doctor`: what this machine and this folder look like to us, and what to do about what is wrong. Names of keys
// are shown, never keys.

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { inspectModels, knownProviders, loadConfig } from "@agentao/agent";
import { redact } from "@agentao/agent/program";
import { type CheckedFile, checkFiles } from "../doctor/check-files.ts";
import { examineSandbox, examineSearch, examineTerminal } from "../doctor/examine-machine.ts";
import { examineServers } from "../doctor/examine-servers.ts";
import { examineSessions } from "../doctor/examine-sessions.ts";
import { broken, type Finding, fine, isBroken, toLines, toReport, warning } from "../doctor/finding.ts";
import { findHome } from "../home.ts";
import { hasColors } from "../io/has-colors.ts";
import type { Io } from "../io/io.ts";
import type { Command, Option } from "../manual/command.ts";
import { type Manual, toCommand } from "../manual/manual.ts";
import { noOperands, parseWords } from "../manual/parse-words.ts";
import { version } from "../version.ts";

type Env = Io["env"];

const OPTIONS: readonly Option[] = [
  { name: "--json", summary: "For programs: an object with the version, all findings, and sections by topic." },
];

const manual: Manual = {
  name: "doctor",
  title: "what this machine and this folder look like to agentao",
  usage: ["[--json]"],
  about: [
    "Says which model would answer here and why, which keys are set (their names only), what is wrong with settings, permissions, MCP servers and stored sessions, whether commands can be confined, and what to do about it.",
  ],
  options: OPTIONS,
  examples: [
    ["agentao doctor", "When something does not work."],
    ["agentao doctor --json | jq '.findings[] | select(.level != \"info\")'", "Only what is wrong."],
  ],
  exitCodes: [
    [0, "everything works"],
    [1, "something is broken"],
    [2, "the command line makes no sense"],
  ],
};

export const doctor: Command = toCommand(manual, async (args, io) => {
  const words = parseWords(args, OPTIONS);
  noOperands(words);
  const { findings, facts } = await examine({ ...io, nodeVersion: process.versions.node });
  io.stdout.write(
    words.options["--json"]
      ? `${JSON.stringify(toReport(findings, facts), null, 2)}\n`
      : `agentao ${version}\n${toLines(findings, { colors: hasColors(io), columns: io.stdout.columns })}`,
  );
  return isBroken(findings) ? 1 : 0;
});

export interface Patient extends Pick<Io, "env" | "cwd" | "stdin" | "stdout"> {
  readonly nodeVersion: string;
}

export interface Examined {
  readonly findings: readonly Finding[];
  /** By topic, for programs. */
  readonly facts: Readonly<Record<string, object>>;
}

export async function examine({ env, cwd, nodeVersion, ...terminal }: Patient): Promise<Examined> {
  const home = findHome(env);
  const [atHome, models, files, sessions, search, servers, config] = await Promise.all([
    examineHome(home),
    examineModels(env, cwd, home),
    checkFiles({ cwd, env, home }),
    examineSessions(home),
    examineSearch(env),
    examineServers({ cwd, env, home }),
    loadConfig({ cwd, env, home, discover: async () => [] }),
  ]);
  const sandbox = await examineSandbox({ isWanted: config.sandbox !== undefined });
  const told = examineFiles(files);
  const findings = [
    examineNode(nodeVersion),
    atHome,
    // What is wrong with a file is told with the file.
    ...models.findings.filter(({ message }) => !told.some((finding) => finding.message.startsWith(message))),
    ...told,
    ...servers,
    sandbox,
    search,
    ...sessions.findings,
    examineProxy(env),
    examineTerminal({ env, ...terminal }),
  ];
  return {
    findings: findings.map((finding) => ({ ...finding, message: redact(finding.message) })),
    facts: {
      provider: models.provider,
      ...(sessions.facts !== undefined && { sessions: sessions.facts }),
      files: { files: files.map(toFact) },
    },
  };
}

function toFact({ path, whose, isThere }: CheckedFile): object {
  return { path, whose, isThere };
}

/** What is wrong with the files people write settings in, or that there is nothing. */
function examineFiles(files: readonly CheckedFile[]): readonly Finding[] {
  const said = { settings: "", permissions: "permissions", mcp: "MCP servers", sandbox: "", acp: "other agents" };
  return Object.entries(said).flatMap(([kind, what]) => {
    const own = files.filter((file) => file.kind === kind && file.isThere);
    const findings = own.flatMap((file) => file.findings);
    if (findings.length > 0) return findings;
    if (kind === "settings") return [];
    if (own.length > 0) return [fine(kind, `Read: ${own.map(({ path }) => path).join(", ")}.`)];
    return what === "" ? [] : [fine(kind, `There is no file about ${what}.`)];
  });
}

function examineNode(nodeVersion: string): Finding {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return fine("node", `Node ${nodeVersion}.`);
  return broken("node", `Node ${nodeVersion} is too old. Install Node 20.19 or later.`);
}

async function examineHome(home: string | undefined): Promise<Finding> {
  if (home === undefined) {
    return broken("home", "There is no home folder, so sessions are lost. Set AGENTAO_HOME to a folder.");
  }
  try {
    const isThere = await within(HOME_MS, canBeHome(home));
    return fine("home", isThere ? `${home} can be written.` : `${home} is not there yet, and can be made.`);
  } catch {
    const todo = `Make ${dirname(home)} writable, or set AGENTAO_HOME to a folder that is.`;
    return broken("home", `${home} cannot be written, so sessions are lost. ${todo}`);
  }
}

/** Whether it is there; throws where it cannot be used. Only looks: nothing is made. */
async function canBeHome(home: string): Promise<boolean> {
  const found = await stat(home).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "ENOENT") throw cause;
    return undefined;
  });
  if (found === undefined) {
    await canBeHome(dirname(home));
    return false;
  }
  if (!found.isDirectory()) throw new Error("it is not a folder");
  // Who may do everything still makes nothing in /proc.
  if ((found.mode & 0o222) === 0) throw new Error("nobody may write there");
  await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
  return true;
}

/** A mount whose server is gone answers nothing at all. */
const HOME_MS = 2_000;

async function within<Found>(ms: number, work: Promise<Found>): Promise<Found> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it takes too long")), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function examineModels(env: Env, cwd: string, home: string | undefined): Promise<ExaminedModels> {
  const { why, keys, servers, files, problems, notices, choice, providers } = await inspectModels({ cwd, env, home });
  const chosen = providers.find(({ provider }) => choice?.id.startsWith(`${provider.id}/`))?.provider;
  const lacksKey = chosen?.needsKey === true && chosen.apiKey === undefined;
  const isLocal = servers.some(({ id }) => choice?.id.startsWith(`${id}/`));
  const variables = knownProviders.slice(0, 3).map(({ keyVariables }) => keyVariables[0]);
  const findings = [
    lacksKey
      ? broken("model", `${why}, but there is no key. Set ${chosen.keyVariable}.`)
      : choice === undefined
        ? warning("model", `${why}. Set ${variables.join(", ")} or another key, or start Ollama.`)
        : fine("model", isLocal ? `${why}.` : `${why}. It was not contacted.`),
    fine("keys", keys.length === 0 ? "No key is set." : `Set: ${keys.join(", ")}.`),
    fine("servers", servers.length === 0 ? "No local server was needed or found." : servers.map(describe).join(" ")),
    fine("settings", files.length === 0 ? "There are no settings files." : `Read: ${files.join(", ")}.`),
    ...problems.map((problem) => broken("settings", problem)),
    ...notices.map((notice) => warning("settings", notice)),
  ];
  return {
    findings,
    provider: { model: choice?.id ?? null, why: redact(why), keys, servers: servers.map(({ id }) => id) },
  };
}

interface ExaminedModels {
  readonly findings: readonly Finding[];
  readonly provider: object;
}

function describe({ id, baseUrl, models }: { id: string; baseUrl: string; models: readonly unknown[] }): string {
  return `${id} at ${baseUrl} has ${models.length} ${models.length === 1 ? "model" : "models"}.`;
}

/** Addresses of proxies may have passwords in them. */
function examineProxy(env: Env): Finding {
  const names = Object.keys(env).filter((name) => /^(https?|all|no)_proxy$/i.test(name) && env[name]?.trim());
  const socks = names.find((name) => /^socks/i.test(env[name]?.trim() ?? ""));
  if (socks !== undefined) {
    return warning("proxy", `The proxy in ${socks} is not used: only http and https proxies are. Set one of those.`);
  }
  return fine("proxy", names.length === 0 ? "No proxy is set." : `Set: ${names.join(", ")}.`);
}
