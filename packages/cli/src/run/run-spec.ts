// A run spec: a job written down in a file, with parameters. What it does not know it refuses, since a job that is not
// the one somebody wrote is worse than none. Keys are never in it.

import { UsageError } from "../command/command.ts";
import { type PermissionRule, type RuleAction, readSpecRule } from "../front/permission-rule.ts";
import { isFormat } from "./format.ts";
import { renderTemplate } from "./template.ts";
import type { Wishes } from "./wishes.ts";
import { parseYaml } from "./yaml.ts";

export interface Parameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly defaultValue?: string | undefined;
  readonly choices?: readonly string[] | undefined;
}

export interface RunSpec {
  readonly wishes: Wishes;
  readonly parameters: readonly Parameter[];
}

type Fields = Readonly<Record<string, unknown>>;

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
export function parseSpec(text: string, source: string): RunSpec {
  const refuse = (problem: string): never => {
    throw new UsageError(`${source}: ${problem}`);
  };
  const read = readDocument(text);
  if (read.type === "refused") return refuse(read.problem);
  const { value } = read;
  if (!isRecord(value)) return refuse("it is not a list of names and values");
  return readSpec(value, refuse);
}

/** Whether a text that could be a prompt is a spec instead: nothing but known names, and a prompt among them. */
export function looksLikeSpec(text: string): boolean {
  if (!/^\s*(\{|[a-z_]+\s*:)/.test(text)) return false;
  const read = readDocument(text);
  if (read.type === "refused" || !isRecord(read.value)) return false;
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
    return { type: "refused", problem: `it is not JSON: ${(cause as Error).message}` };
  }
}

type Refuse = (problem: string) => never;

function readSpec(fields: Fields, refuse: Refuse): RunSpec {
  const stranger = Object.keys(fields).find((key) => !KEYS.includes(key));
  if (stranger !== undefined) refuse(`a spec has no "${stranger}"; it has ${KEYS.join(", ")}`);
  const text = (name: string): string | undefined => {
    const value = fields[name] ?? undefined;
    if (value !== undefined && typeof value !== "string") refuse(`"${name}" is not a text`);
    return value as string | undefined;
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
  const timeout = number("timeout", { isWhole: false });
  return {
    parameters: readParameters(fields.parameters ?? [], refuse),
    wishes: {
      prompt: text("prompt"),
      instructions: text("instructions"),
      cwd: text("cwd"),
      model: text("model"),
      baseUrl: text("base_url"),
      mode: text("permission_mode"),
      maxSteps: number("max_iterations", { isWhole: true }),
      maxCost: number("max_cost", { isWhole: false }),
      timeoutMs: timeout === undefined ? undefined : Math.round(timeout * 1_000),
      format: readFormat(fields.output, refuse),
      rules: readPermissions(fields.permissions ?? {}, refuse),
      skills: readTexts("skills", fields.skills ?? [], refuse),
    },
  };
}

function readFormat(output: unknown, refuse: Refuse) {
  if (output == null) return undefined;
  if (!isRecord(output) || Object.keys(output).some((key) => key !== "format")) refuse('"output" is not {format}');
  const { format } = output as Fields;
  if (format == null || isFormat(format)) return format ?? undefined;
  return refuse('"output.format" is text, json or stream-json');
}

function readPermissions(permissions: unknown, refuse: Refuse): readonly PermissionRule[] {
  if (!isRecord(permissions)) return refuse('"permissions" is not {allow, deny}');
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

function readTexts(name: string, value: unknown, refuse: Refuse): readonly string[] {
  if (!Array.isArray(value) || !value.every((one) => typeof one === "string"))
    refuse(`"${name}" is not a list of texts`);
  return value as readonly string[];
}

// ---- parameters ----

/** Words that mean something in templates of the reference system. */
const RESERVED = /^(and|or|not|in|is|if|else|elif|for|true|false|none|True|False|None|self|parent|loop|super)$/;

function readParameters(listed: unknown, refuse: Refuse): readonly Parameter[] {
  if (!Array.isArray(listed)) return refuse('"parameters" is not a list');
  const parameters = listed.map((value) => readParameter(value, refuse));
  const twice = parameters.find(({ name }, at) => parameters.findIndex((one) => one.name === name) !== at);
  if (twice !== undefined) refuse(`the parameter "${twice.name}" is there twice`);
  return parameters;
}

function readParameter(value: unknown, refuse: Refuse): Parameter {
  if (!isRecord(value)) return refuse('an entry of "parameters" is not {name, required, default, choices}');
  const { name, required = false, default: given, choices, ...strange } = value;
  if (typeof name !== "string" || !/^[A-Za-z_]\w*$/.test(name) || RESERVED.test(name)) {
    return refuse(`"${String(name)}" cannot be the name of a parameter`);
  }
  const stranger = Object.keys(strange)[0];
  if (stranger !== undefined) refuse(`the parameter "${name}" has a field "${stranger}" that parameters do not have`);
  if (typeof required !== "boolean") refuse(`"required" of the parameter "${name}" is not true or false`);
  if (required === true && given != null) refuse(`the parameter "${name}" is required, so it has no default`);
  const listed = choices == null ? undefined : readTexts(`choices of ${name}`, toTexts(choices), refuse);
  const defaultValue = given == null ? undefined : String(given);
  if (defaultValue !== undefined && listed !== undefined && !listed.includes(defaultValue)) {
    refuse(`the default of the parameter "${name}" is none of its choices`);
  }
  return { name, isRequired: required === true, defaultValue, choices: listed };
}

function toTexts(value: unknown): unknown {
  return Array.isArray(value) ? value.map((one) => (typeof one === "number" ? String(one) : one)) : value;
}

/** Puts the parameters into the texts of the spec. Throws `UsageError`. */
export function applyParameters(
  { wishes, parameters }: RunSpec,
  given: readonly (readonly [string, string])[],
): Wishes {
  const stranger = given.find(([name]) => !parameters.some((parameter) => parameter.name === name));
  if (stranger !== undefined) throw new UsageError(`the spec has no parameter "${stranger[0]}"`);
  if (parameters.length === 0) return wishes;
  const values = new Map<string, string>();
  for (const parameter of parameters) {
    const { name, isRequired, defaultValue, choices } = parameter;
    const value = given.findLast(([one]) => one === name)?.[1] ?? defaultValue;
    if (value === undefined && isRequired)
      throw new UsageError(`the parameter "${name}" is missing: --param ${name}=…`);
    if (value === undefined) continue;
    if (choices !== undefined && !choices.includes(value)) {
      throw new UsageError(`the parameter "${name}" is one of ${choices.join(", ")}`);
    }
    values.set(name, value);
  }
  const render = (text: string | undefined): string | undefined => {
    if (text === undefined) return undefined;
    const rendered = renderTemplate(text, values);
    if (rendered.type === "refused")
      throw new UsageError(`a text of the spec cannot be filled in: ${rendered.problem}`);
    return rendered.text;
  };
  return { ...wishes, prompt: render(wishes.prompt), instructions: render(wishes.instructions) };
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
