// A run spec: a job written down in a file, with parameters. What it does not know it refuses, since a job that is not
// the one somebody wrote is worse than none. Keys are never in it.

import { type PermissionRule, type RuleAction, readSpecRule } from "../front/permission-rule.ts";
import { type Fields, isFields } from "../json/fields.ts";
import { UsageError } from "../manual/usage-error.ts";
import { messageOf } from "../text/message-of.ts";
import { didYouMean } from "../text/nearest.ts";
import { parseDuration } from "./duration.ts";
import { isFormat } from "./format.ts";
import { isHttpUrl } from "./http-url.ts";
import { readParameters, type Template } from "./parameter.ts";
import { type Refuse, readTexts } from "./spec-field.ts";
import { parseYaml } from "./yaml.ts";

const KEYS = [
  "prompt",
  "instructions",
  "parameters",
  "cwd",
  "model",
  "base_url",
  "permission_mode",
  "interaction_policy",
  "permissions",
  "max_iterations",
  "max_cost",
  "timeout",
  "skills",
  "replay",
  "output",
];

/** JSON, or a plain subset of YAML. Throws `UsageError`. */
export function parseSpec(text: string, source: string): Template {
  const refuse = (problem: string): never => {
    throw new UsageError(`${source}: ${problem}`);
  };
  if (text.trim() === "") return refuse("it is empty");
  const read = readDocument(text);
  if (read.type === "refused") throw new UsageError(`${source}: ${read.problem}`, { isInHelp: false });
  const { value } = read;
  if (!isFields(value)) return refuse("it is not a list of names and values");
  return readSpec(value, refuse);
}

/** Whether a text that could be a prompt is a spec instead: nothing but known names, and a prompt among them. */
export function looksLikeSpec(text: string): boolean {
  if (!/^\s*(\{|[a-z_]+\s*:)/.test(text)) return false;
  const read = readDocument(text);
  if (read.type === "refused" || !isFields(read.value)) return false;
  return "prompt" in read.value && Object.keys(read.value).every((key) => KEYS.includes(key));
}

type Document =
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "refused"; readonly problem: string };

function readDocument(text: string): Document {
  const clean = text.replace(/^\uFEFF/, "");
  if (!/^\s*[{[]/.test(clean)) return parseYaml(clean);
  try {
    return { type: "value", value: JSON.parse(clean) };
  } catch (cause) {
    return { type: "refused", problem: `it is not JSON: ${messageOf(cause)}` };
  }
}

function readSpec(fields: Fields, refuse: Refuse): Template {
  const stranger = Object.keys(fields).find((key) => !KEYS.includes(key));
  if (stranger !== undefined)
    refuse(`a spec has no "${stranger}"${didYouMean(stranger, KEYS, `; it has ${KEYS.join(", ")}`)}`);
  const text = (name: string): string | undefined => {
    const value = fields[name] ?? undefined;
    if (value !== undefined && typeof value !== "string") refuse(`"${name}" is not a text`);
    return value as string | undefined;
  };
  const filled = (name: string): string | undefined => {
    const value = text(name)?.trim();
    return value === "" ? refuse(`"${name}" is empty`) : value;
  };
  const number = (name: string, { isWhole }: { isWhole: boolean }): number | undefined => {
    const value = fields[name] ?? undefined;
    if (value === undefined) return undefined;
    const fits = typeof value === "number" && value > 0 && (!isWhole || Number.isInteger(value));
    return fits ? value : refuse(`"${name}" is not a ${isWhole ? "whole number from 1" : "number above 0"}`);
  };
  const policy = text("interaction_policy");
  if (policy !== undefined && policy !== "reject") refuse('"interaction_policy" can only be reject');
  if (fields.replay != null && typeof fields.replay !== "boolean") refuse('"replay" is not true or false');
  return {
    parameters: readParameters(fields.parameters ?? [], refuse),
    wishes: {
      prompt: text("prompt"),
      instructions: text("instructions"),
      cwd: filled("cwd"),
      model: filled("model"),
      baseUrl: readUrl(filled("base_url"), refuse),
      mode: filled("permission_mode"),
      maxSteps: number("max_iterations", { isWhole: true }),
      maxCost: number("max_cost", { isWhole: false }),
      timeoutMs: readTimeout(fields.timeout, refuse),
      format: readFormat(fields.output, refuse),
      rules: readPermissions(fields.permissions ?? {}, refuse),
      skills: readTexts("skills", fields.skills ?? [], refuse),
    },
  };
}

function readUrl(url: string | undefined, refuse: Refuse): string | undefined {
  return url === undefined || isHttpUrl(url) ? url : refuse('"base_url" is not an http or https address');
}

/** A number of seconds, or a text as on the command line. */
function readTimeout(value: unknown, refuse: Refuse): number | undefined {
  if (value == null) return undefined;
  const isTime = typeof value === "number" || typeof value === "string";
  const ms = isTime ? parseDuration(String(value)) : undefined;
  return ms ?? refuse('"timeout" is not a number of seconds, or a time such as 90s, 10m or 1h, up to 24 days');
}

function readFormat(output: unknown, refuse: Refuse) {
  if (output == null) return undefined;
  if (!isFields(output) || Object.keys(output).some((key) => key !== "format"))
    return refuse('"output" is not {format}');
  const { format } = output;
  if (format == null || isFormat(format)) return format ?? undefined;
  return refuse('"output.format" is text, json or stream-json');
}

function readPermissions(permissions: unknown, refuse: Refuse): readonly PermissionRule[] {
  if (!isFields(permissions)) return refuse('"permissions" is not {allow, deny}');
  const stranger = Object.keys(permissions).find((key) => key !== "allow" && key !== "deny");
  if (stranger !== undefined) refuse(`"permissions" has no "${stranger}"; it has allow and deny`);
  const rules = (action: RuleAction): PermissionRule[] => {
    const listed = permissions[action] ?? [];
    if (!Array.isArray(listed)) return refuse(`"permissions.${action}" is not a list`);
    return listed.map((value) => {
      const parsed = readSpecRule(value, action);
      return parsed.type === "rule" ? parsed.rule : refuse(parsed.problem);
    });
  };
  return [...rules("deny"), ...rules("allow")];
}
