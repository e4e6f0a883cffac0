// What `agentao mcp` shows of servers. Names of variables and headers, never their values. Pure.

import type { ServerReport, WrittenServer } from "@agentao/agent/mcp";
import { redact } from "@agentao/agent/program";
import { type Fields, isFields } from "../json/fields.ts";
import { columnsOf, padTo } from "../text/columns.ts";
import { toLine } from "../text/plain.ts";
import { toVisible } from "../text/split-words.ts";

/** What is known of a server without speaking to it, or by having done so. */
export type Standing =
  | { readonly type: "not-checked" }
  | { readonly type: "disabled" }
  /** It belongs to the project, and the person said nothing about it, or no. */
  | { readonly type: "needs-consent" | "refused" }
  | { readonly type: "checked"; readonly report: ServerReport };

export interface Row {
  readonly name: string;
  readonly source: "user" | "project";
  /** Nothing of one that is disabled: it is not looked at. */
  readonly server?: WrittenServer | undefined;
  /** As it is in the file: variables are not put in. */
  readonly entry: unknown;
  readonly standing: Standing;
}

/** What is longer, such as why one failed, moves its own line and no other. */
const WIDEST = 40;

export function toTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    toLine(row.name, 40),
    row.source,
    row.server?.transport.type ?? "-",
    standingWords(row.standing),
    toTarget(row.entry),
  ]);
  const widths = [0, 1, 2, 3].map((column) =>
    Math.min(WIDEST, Math.max(...cells.map((line) => columnsOf(line[column] ?? "")))),
  );
  return cells
    .map(
      (line) =>
        `${line
          .map((cell, at) => padTo(cell, widths[at] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

/** For programs. */
export function toPublic({ name, source, server, entry, standing }: Row): object {
  const transport = server?.transport;
  return {
    name,
    source,
    ...(transport && { transport: transport.type }),
    state: standing.type === "checked" ? standing.report.state.type : standing.type,
    ...(standing.type === "checked" && {
      tools: standing.report.tools,
      ...(standing.report.lastError !== undefined && { error: standing.report.lastError }),
    }),
    target: toTarget(entry),
    trust: server?.trust ?? false,
    env: transport?.type === "stdio" ? Object.keys(transport.env) : [],
    headers: transport === undefined || transport.type === "stdio" ? [] : Object.keys(transport.headers),
  };
}

function standingWords(standing: Standing): string {
  switch (standing.type) {
    case "not-checked":
      return "not checked";
    case "disabled":
      return "disabled";
    case "needs-consent":
      return "needs your consent";
    case "refused":
      return "refused by you";
    case "checked":
      return reportWords(standing.report);
  }
}

export function reportWords({ state, tools }: ServerReport): string {
  switch (state.type) {
    case "connected":
      return `connected, ${tools.length} ${tools.length === 1 ? "tool" : "tools"}`;
    case "failed":
    case "waiting":
      return `${state.type}: ${toLine(state.why, 200)}`;
    case "needs-sign-in":
      return "needs a sign-in";
    case "connecting":
      return "still connecting";
    case "closed":
      return "closed";
  }
}

const SECRET_OPTION = /^--?[\w-]*(?:key|token|secret|password|passwd|auth|credential)[\w-]*$/i;

/** A command with its arguments, or an address without what may be a secret in it. */
export function toTarget(entry: unknown): string {
  const { command, args, url }: Fields = isFields(entry) ? entry : {};
  if (typeof command !== "string") return typeof url === "string" ? toLine(withoutSecrets(url), 100) : "";
  const words = Array.isArray(args) ? args.map(String) : [];
  const shown = words.map((word, at) => (SECRET_OPTION.test(words[at - 1] ?? "") ? "[redacted]" : word));
  return toLine(redact(toVisible([command, ...shown].join(" "))), 100);
}

/** Keys stand in what follows the path, and passwords before the host. */
function withoutSecrets(url: string): string {
  return redact(url.replace(/[?#].*$/s, "").replace(/^(\w+:\/\/)[^/@]*@/, "$1"));
}
