// A form of the protocol as questions, one after the other. Pure.

import type { CreateElicitationRequest, ElicitationPropertySchema } from "@agentao/acp";

export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly detail?: string | undefined;
}

export type FormStep =
  | {
      readonly type: "choice";
      readonly name: string;
      readonly title: string;
      readonly choices: readonly Choice[];
      readonly isMultiple: boolean;
      readonly isRequired: boolean;
      /** The field that takes an answer in own words instead. */
      readonly otherName?: string | undefined;
    }
  | { readonly type: "yes-no"; readonly name: string; readonly title: string; readonly isRequired: boolean }
  | {
      readonly type: "text";
      readonly name: string;
      readonly title: string;
      readonly initial: string;
      readonly takes: "text" | "number" | "integer";
      readonly isRequired: boolean;
    };

export type FormValue = string | number | boolean | readonly string[];

type FormRequest = Extract<CreateElicitationRequest, { mode: "form" }>;

export function toFormSteps({ requestedSchema }: FormRequest): FormStep[] {
  const required = new Set(requestedSchema.required ?? []);
  const fields = Object.entries(requestedSchema.properties ?? {});
  const steps: FormStep[] = [];
  for (const [name, schema] of fields) {
    const last = steps.at(-1);
    // A choice followed by an optional "other": one question, answered by choosing or by writing.
    if (name === "other" && last?.type === "choice" && schema.type === "string" && !required.has(name)) {
      steps[steps.length - 1] = { ...last, otherName: name };
      continue;
    }
    const step = toStep(name, schema, required.has(name));
    if (step !== undefined) steps.push(step);
  }
  return steps;
}

/** The question of agentao's own method, in the same words. */
export function toAskSteps({ options, multiple, allowCustom }: AskUser): FormStep[] {
  if (options === undefined || options.length === 0) {
    return [{ type: "text", name: "answer", title: "Answer", initial: "", takes: "text", isRequired: true }];
  }
  const choices = options.map((option) => ({ id: option, label: option }));
  const otherName = allowCustom === false ? undefined : "other";
  return [
    {
      type: "choice",
      name: "answer",
      title: "Answer",
      choices,
      isMultiple: multiple === true,
      isRequired: true,
      otherName,
    },
  ];
}

export interface AskUser {
  readonly question: string;
  readonly options?: readonly string[] | undefined;
  readonly multiple?: boolean | undefined;
  readonly allowCustom?: boolean | undefined;
}

export function parseAskUser(params: unknown): AskUser {
  const { question, options, multiple, allowCustom } = (params ?? {}) as Record<string, unknown>;
  const choices = Array.isArray(options) ? options.filter((one): one is string => typeof one === "string") : undefined;
  return {
    question: typeof question === "string" ? question : "The agent asks for an answer.",
    options: choices,
    multiple: multiple === true,
    allowCustom: allowCustom !== false,
  };
}

/** What was written, as the field wants it; nothing where it cannot be that. */
export function parseFormText(text: string, takes: "text" | "number" | "integer"): string | number | undefined {
  if (takes === "text") return text;
  const number = Number(text.trim());
  if (text.trim() === "" || !Number.isFinite(number)) return undefined;
  return takes === "integer" && !Number.isInteger(number) ? undefined : number;
}

function toStep(name: string, schema: ElicitationPropertySchema, isRequired: boolean): FormStep | undefined {
  const title = typeof schema.title === "string" && schema.title !== "" ? schema.title : name;
  switch (schema.type) {
    case "string": {
      const choices = toChoices(schema.enum, schema.oneOf);
      if (choices.length > 0) return { type: "choice", name, title, choices, isMultiple: false, isRequired };
      return { type: "text", name, title, initial: schema.default ?? "", takes: "text", isRequired };
    }
    case "array": {
      const { items } = schema as { items: { enum?: readonly string[]; anyOf?: readonly EnumOption[] } };
      return { type: "choice", name, title, choices: toChoices(items.enum, items.anyOf), isMultiple: true, isRequired };
    }
    case "number":
    case "integer":
      return { type: "text", name, title, initial: String(schema.default ?? ""), takes: schema.type, isRequired };
    case "boolean":
      return { type: "yes-no", name, title, isRequired };
    default:
      return undefined;
  }
}

interface EnumOption {
  readonly const: string;
  readonly title?: string | null | undefined;
}

function toChoices(
  values: readonly string[] | null | undefined,
  titled: readonly EnumOption[] | null | undefined,
): Choice[] {
  if (titled != null) return titled.map((one) => ({ id: one.const, label: one.title ?? one.const }));
  return (values ?? []).map((value) => ({ id: value, label: value }));
}
