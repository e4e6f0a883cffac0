// How a front without a person answers permission questions: by the rules it was given, else no. A refusal is
// remembered, so that somebody can be told what was missing.

import type {
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
  ToolCallUpdate,
} from "@agentao/acp";
import { isFields } from "../json/fields.ts";
import type { PermissionRule } from "./permission-rule.ts";
import { isAllowed, isPath, toRelative } from "./runtime-rule.ts";

export interface PolicyOptions {
  readonly rules: readonly PermissionRule[];
  readonly cwd: string;
  /** Hears of every question that was answered with no. Must not throw. */
  onRefusal(call: ToolCallUpdate, rule: PermissionRule | undefined): void;
}

export type Policy = (request: RequestPermissionRequest) => RequestPermissionResponse;

/** Deny wins over allow; what no rule speaks about is refused. Never "always": the next question is another one. */
export function createPolicy({ rules, cwd, onRefusal }: PolicyOptions): Policy {
  return ({ toolCall, options }) => {
    const denied = rules.find((rule) => rule.action === "deny" && isAbout(rule, toolCall, cwd));
    const allowed =
      denied === undefined && rules.some((rule) => rule.action === "allow" && isAbout(rule, toolCall, cwd));
    const yes = allowed ? find(options, "allow_once") : undefined;
    if (yes !== undefined) return { outcome: { outcome: "selected", optionId: yes.optionId } };
    onRefusal(toolCall, denied);
    const no = find(options, "reject_once");
    if (no === undefined) return { outcome: { outcome: "cancelled" } };
    return { outcome: { outcome: "selected", optionId: no.optionId } };
  };
}

function find(options: readonly PermissionOption[], kind: PermissionOption["kind"]): PermissionOption | undefined {
  return options.find((option) => option.kind === kind);
}

/** By the name of the tool, or by its kind where the agent tells no name; titles are for people and decide nothing. */
function isAbout({ action, tool, subject }: PermissionRule, call: ToolCallUpdate, cwd: string): boolean {
  const names = [call.name, call.kind].filter((name) => name != null);
  if (!names.some((name) => tool.test(name))) return false;
  const inputs = isFields(call.rawInput) ? call.rawInput : {};
  const isAllow = action === "allow";
  switch (subject.type) {
    case "anything":
      return true;
    case "command": {
      const command = toCommand(inputs);
      if (command === undefined) return !isAllow;
      if (!isAllow)
        return (
          subject.pattern.test(command) || command.split(/[;&|\n]+/).some((part) => subject.pattern.test(part.trim()))
        );
      // Nobody here reads shell: an allowed line is one command, or exactly what was written.
      return command === subject.line || (!/[;&|<>$`\n\\()]/.test(command) && subject.pattern.test(command));
    }
    case "path": {
      const paths = (call.locations ?? []).map(({ path }) => path);
      if (paths.length === 0) return !isAllow;
      const fits = (path: string): boolean =>
        isSame(path, subject.path, cwd) ||
        (isPath(path, subject.pattern, cwd) && (!isAllow || isAllowed(path, subject.path, cwd)));
      return isAllow ? paths.every(fits) : paths.some(fits);
    }
    case "host": {
      const host = hostOf(inputs[subject.urlArg]);
      return host === undefined ? !isAllow : subject.hosts.some((one) => isHost(host, one));
    }
    case "inputs":
      return subject.inputs.every(
        ({ name, pattern }) => Object.hasOwn(inputs, name) && pattern.test(toText(inputs[name])),
      );
  }
}

function isSame(one: string, other: string, cwd: string): boolean {
  return toRelative(one, cwd) === toRelative(other, cwd);
}

function toCommand({ command, cmd }: Readonly<Record<string, unknown>>): string | undefined {
  const given = command ?? cmd;
  if (Array.isArray(given)) return given.join(" ");
  return typeof given === "string" ? given.trim() : undefined;
}

function hostOf(url: unknown): string | undefined {
  return typeof url === "string" && URL.canParse(url) ? new URL(url).hostname.toLowerCase() : undefined;
}

function isHost(host: string, listed: string): boolean {
  return listed.startsWith(".") ? host === listed.slice(1) || host.endsWith(listed) : host === listed;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
