// What was refused in a run where nobody can be asked, and how to allow it, in words.

import { resolve } from "node:path";
import type { ToolCallUpdate } from "@agentao/acp";
import { isPathTool, type PermissionRule } from "../front/permission-rule.ts";
import { toRelative } from "../front/runtime-rule.ts";
import { isFields } from "../json/fields.ts";
import { quoteWord } from "../text/split-words.ts";

export type Refusal =
  /** The agent asked, and nobody was there to say yes. */
  | {
      readonly type: "permission-required";
      readonly call: RefusedCall;
      /** The rule that would be asked for is there, and does not reach so far. */
      readonly isRuled?: boolean | undefined;
    }
  /** A rule or the mode said no. */
  | {
      readonly type: "permission-denied";
      readonly call: RefusedCall;
      readonly because: string;
      readonly rule?: string | undefined;
    }
  /** The agent asked a question that only a person can answer. */
  | { readonly type: "interaction-required"; readonly question: string };

export interface RefusedCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly title: string;
  /** Of a command or a fetch: what it is about. */
  readonly subject?: string | undefined;
  /** The only file it is about: from the working directory where it is inside, else absolute. */
  readonly path?: string | undefined;
}

const MAX_SUBJECT_CHARS = 300;

export function toRefusedCall(call: ToolCallUpdate, cwd: string): RefusedCall {
  const { toolCallId, name, kind, title, rawInput, locations } = call;
  const input = isFields(rawInput) ? rawInput : {};
  const toolName = name ?? kind ?? "a tool";
  const subject = input.command ?? input.cmd ?? input.url;
  const [only, another] = locations ?? [];
  return {
    toolCallId,
    toolName,
    title: title ?? toolName,
    ...(typeof subject === "string" && subject.length <= MAX_SUBJECT_CHARS && { subject }),
    ...(only !== undefined && another === undefined && { path: toShortPath(only.path, cwd) }),
  };
}

function toShortPath(path: string, cwd: string): string {
  const short = toRelative(path, cwd);
  return /^\.\.(\/|$)/.test(short) ? resolve(cwd, path) : short;
}

export function describeRefusal(refusal: Refusal): string {
  switch (refusal.type) {
    case "permission-required": {
      const { call, isRuled } = refusal;
      const rule = `--allow ${quoteWord(toRule(call))}`;
      return isRuled
        ? `${nameOf(call)} needs the permission of a person, and nobody can be asked here: ${rule} does not reach so far`
        : `${nameOf(call)} needs a permission, and nobody can be asked here. To allow it: ${rule}`;
    }
    case "permission-denied":
      return `${nameOf(refusal.call)} was not allowed: ${refusal.because}`;
    case "interaction-required":
      return `the agent has a question, and nobody can answer here: ${refusal.question} Put the answer into the prompt.`;
  }
}

/** Why a rule of the command line says no. */
export function ruleReason({ name }: PermissionRule): string {
  return `${name} says so.`;
}

function nameOf({ toolName, title }: RefusedCall): string {
  return title === toolName ? toolName : `${toolName} (${title})`;
}

/** The narrowest rule that would have allowed it, if it can be written down. */
export function toRule({ toolName, subject, path }: RefusedCall): string {
  if (path !== undefined && isPathTool(toolName)) return `${toolName}(${path})`;
  if (subject === undefined) return toolName;
  if (toolName === "run_shell_command" || toolName === "execute") return `${toolName}(${subject})`;
  if (toolName === "web_fetch" && URL.canParse(subject)) return `${toolName}(${new URL(subject).hostname})`;
  return toolName;
}
