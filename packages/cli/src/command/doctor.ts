// `agentao doctor`: what this machine and this folder look like to us, and what to do about what is wrong. Names of keys
// are shown, never keys.

import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { inspectModels, knownProviders } from "@agentao/agent";
import { findHome } from "../home.ts";
import { redact } from "../redact.ts";
import { version } from "../version.ts";
import { type Command, UsageError } from "./command.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface Finding {
  /** `broken` is what keeps agentao from working; `warning` is what somebody wrote and does not get. */
  readonly type: "fine" | "warning" | "broken";
  readonly topic: string;
  readonly message: string;
}

const help = `agentao doctor: what this machine and this folder look like to agentao

Usage
  agentao doctor [--json]

Says which model would answer here and why, which keys are set (their names only), what is wrong with settings, and
what to do about it.

Options
  --json      For programs: an object with the version and all findings.
  -h, --help  Show this.

Exit codes
  0  everything works    1  something is broken
`;

export const doctor: Command = {
  help,
  async run(args, { env, cwd, stdout }) {
    const strange = args.find((arg) => arg !== "--json");
    if (strange !== undefined) throw new UsageError(`doctor does not know "${strange}"`);
    const findings = await examine({ env, cwd, nodeVersion: process.versions.node });
    const isBroken = findings.some(({ type }) => type === "broken");
    const report = { version, broken: isBroken, findings };
    stdout.write(args.includes("--json") ? `${JSON.stringify(report, null, 2)}\n` : toText(findings));
    return isBroken ? 1 : 0;
  },
};

export interface Patient {
  readonly env: Env;
  readonly cwd: string;
  readonly nodeVersion: string;
}

export async function examine({ env, cwd, nodeVersion }: Patient): Promise<readonly Finding[]> {
  const home = findHome(env);
  const [atHome, models] = await Promise.all([examineHome(home), examineModels(env, cwd, home)]);
  return [examineNode(nodeVersion), atHome, ...models, examineProxy(env)].map((finding) => ({
    ...finding,
    message: redact(finding.message),
  }));
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
    await mkdir(home, { recursive: true, mode: 0o700 });
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
    return fine("home", `${home} can be written.`);
  } catch {
    const todo = `Make ${dirname(home)} writable, or set AGENTAO_HOME to a folder that is.`;
    return broken("home", `${home} cannot be written, so sessions are lost. ${todo}`);
  }
}

async function examineModels(env: Env, cwd: string, home: string | undefined): Promise<readonly Finding[]> {
  const { why, keys, servers, files, problems, notices, choice, providers } = await inspectModels({ cwd, env, home });
  const chosen = providers.find(({ provider }) => choice?.id.startsWith(`${provider.id}/`))?.provider;
  const lacksKey = chosen?.needsKey === true && chosen.apiKey === undefined;
  const variables = knownProviders.slice(0, 3).map(({ keyVariables }) => keyVariables[0]);
  return [
    lacksKey
      ? broken("model", `${why}, but there is no key. Set ${chosen.keyVariable}.`)
      : choice === undefined
        ? warning("model", `${why}. Set ${variables.join(", ")} or another key, or start Ollama.`)
        : fine("model", `${why}.`),
    fine("keys", keys.length === 0 ? "No key is set." : `Set: ${keys.join(", ")}.`),
    fine("servers", servers.length === 0 ? "No local server was needed or found." : servers.map(describe).join(" ")),
    fine("settings", files.length === 0 ? "There are no settings files." : `Read: ${files.join(", ")}.`),
    ...problems.map((problem) => broken("settings", problem)),
    ...notices.map((notice) => warning("settings", notice)),
  ];
}

function describe({ id, baseUrl, models }: { id: string; baseUrl: string; models: readonly unknown[] }): string {
  return `${id} at ${baseUrl} has ${models.length} ${models.length === 1 ? "model" : "models"}.`;
}

/** Addresses of proxies may have passwords in them. */
function examineProxy(env: Env): Finding {
  const names = Object.keys(env).filter((name) => /^(https?|all|no)_proxy$/i.test(name) && env[name]?.trim());
  return fine("proxy", names.length === 0 ? "No proxy is set." : `Set: ${names.join(", ")}.`);
}

function toText(findings: readonly Finding[]): string {
  const mark = { fine: "ok     ", warning: "warning", broken: "BROKEN " } as const;
  const lines = findings.map(({ type, topic, message }) => `${mark[type]}  ${topic.padEnd(8)}  ${message}`);
  return `agentao ${version}\n${lines.join("\n")}\n`;
}

function fine(topic: string, message: string): Finding {
  return { type: "fine", topic, message };
}

function warning(topic: string, message: string): Finding {
  return { type: "warning", topic, message };
}

function broken(topic: string, message: string): Finding {
  return { type: "broken", topic, message };
}
