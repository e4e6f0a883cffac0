// Parameters of a run spec: what is declared in it, what is given for it, and the texts they are put into.

import { isFields } from "../json/fields.ts";
import { UsageError } from "../manual/usage-error.ts";
import { type Refuse, readTexts } from "./spec-field.ts";
import { renderTemplate } from "./template.ts";
import type { Wishes } from "./wishes.ts";

export interface Parameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly defaultValue?: string | undefined;
  readonly choices?: readonly string[] | undefined;
}

/** Words that mean something in templates of the reference system. */
const RESERVED = /^(and|or|not|in|is|if|else|elif|for|true|false|none|True|False|None|self|parent|loop|super)$/;

export function readParameters(listed: unknown, refuse: Refuse): readonly Parameter[] {
  if (!Array.isArray(listed)) return refuse('"parameters" is not a list');
  const parameters = listed.map((value) => readParameter(value, refuse));
  const twice = parameters.find(({ name }, at) => parameters.findIndex((one) => one.name === name) !== at);
  if (twice !== undefined) refuse(`the parameter "${twice.name}" is there twice`);
  return parameters;
}

function readParameter(value: unknown, refuse: Refuse): Parameter {
  if (!isFields(value)) return refuse('an entry of "parameters" is not {name, required, default, choices}');
  const { name, required = false, default: given, choices, ...strange } = value;
  if (typeof name !== "string" || !/^[A-Za-z_]\w*$/.test(name) || RESERVED.test(name)) {
    return refuse(`"${String(name)}" cannot be the name of a parameter`);
  }
  const stranger = Object.keys(strange)[0];
  if (stranger !== undefined) refuse(`the parameter "${name}" has a field "${stranger}" that parameters do not have`);
  if (typeof required !== "boolean") refuse(`"required" of the parameter "${name}" is not true or false`);
  if (required === true && given != null) refuse(`the parameter "${name}" is required, so it has no default`);
  const listed = choices == null ? undefined : readTexts(`choices of ${name}`, toTexts(choices), refuse);
  if (typeof given === "object" && given !== null) refuse(`the default of the parameter "${name}" is not one value`);
  const defaultValue = given == null ? undefined : String(given);
  if (defaultValue !== undefined && listed !== undefined && !listed.includes(defaultValue)) {
    refuse(`the default of the parameter "${name}" is none of its choices`);
  }
  return { name, isRequired: required === true, defaultValue, choices: listed };
}

function toTexts(value: unknown): unknown {
  return Array.isArray(value) ? value.map((one) => (isScalar(one) ? String(one) : one)) : value;
}

function isScalar(value: unknown): boolean {
  return typeof value === "number" || typeof value === "boolean";
}

/** A job whose texts have places for parameters. */
export interface Template {
  readonly wishes: Wishes;
  readonly parameters: readonly Parameter[];
}

/** Puts the parameters into the texts. Throws `UsageError`. */
export function applyParameters(
  { wishes, parameters }: Template,
  given: readonly (readonly [string, string])[],
): Wishes {
  const stranger = given.find(([name]) => !parameters.some((parameter) => parameter.name === name));
  if (stranger !== undefined) throw problem(unknownProblem(stranger[0], parameters));
  if (parameters.length === 0) return wishes;
  const values = new Map<string, string>();
  for (const parameter of parameters) {
    const { name, isRequired, defaultValue, choices } = parameter;
    const value = given.findLast(([one]) => one === name)?.[1] ?? defaultValue;
    if (value === undefined && isRequired) throw problem(`the parameter "${name}" is missing: --param ${name}=…`);
    if (value === undefined) continue;
    if (choices !== undefined && !choices.includes(value)) {
      throw problem(`the parameter "${name}" is one of ${choices.join(", ")}`);
    }
    values.set(name, value);
  }
  const render = (text: string | undefined): string | undefined => {
    if (text === undefined) return undefined;
    const rendered = renderTemplate(text, values);
    if (rendered.type === "refused") throw problem(`a text of the spec cannot be filled in: ${rendered.problem}`);
    return rendered.text;
  };
  return { ...wishes, prompt: render(wishes.prompt), instructions: render(wishes.instructions) };
}

function unknownProblem(name: string, parameters: readonly Parameter[]): string {
  const names = parameters.map((parameter) => parameter.name);
  const has = names.length === 0 ? "it declares none" : `it has ${names.join(", ")}`;
  return `the spec has no parameter "${name}"; ${has}`;
}

function problem(message: string): UsageError {
  return new UsageError(message, { isInHelp: false });
}
