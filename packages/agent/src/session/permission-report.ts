// What may be done now, and by whose word, in Markdown. Pure.

import type { Policy } from "../permission/decision.ts";
import type { Grant } from "../permission/grant.ts";
import { modes } from "../permission/mode.ts";
import type { Rule } from "../permission/rule.ts";

export function reportPermissions({ mode, rules, grants, problems }: Policy): string {
  const known = modes.find(({ id }) => id === mode);
  const parts = [
    `Mode \`${mode}\`: ${known?.description ?? ""} \`/mode\` changes it.`,
    section("You said, for this session:", grants.map(toGrantLine)),
    section("Rules:", rules.map(toRuleLine)),
    section(
      "To be mended; until then more is asked:",
      problems.map(({ source, message }) => `- ${source}: ${message}`),
    ),
  ];
  if (rules.length === 0 && grants.length === 0) parts.push("There are no rules, and nothing was always allowed yet.");
  return parts.filter((part) => part !== "").join("\n\n");
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [title, "", ...lines].join("\n");
}

function toGrantLine({ answer, subject }: Grant): string {
  return `- always ${answer} ${subject}`;
}

function toRuleLine({ action, tool, args, domain, name }: Rule): string {
  const wants = args.map((one) => ` with ${one.name} like \`${one.pattern.source}\``).join(" and");
  const hosts = domain === undefined ? "" : ` by its host: ${hostWords(domain)}`;
  return `- ${action} \`${tool.source}\`${domain === undefined ? wants : hosts} (${name})`;
}

function hostWords({ allowlist, blocklist }: NonNullable<Rule["domain"]>): string {
  const words = [
    allowlist.length === 0 ? "" : `only ${allowlist.join(", ")}`,
    blocklist.length === 0 ? "" : `not ${blocklist.join(", ")}`,
  ];
  return words.filter((word) => word !== "").join("; ");
}
