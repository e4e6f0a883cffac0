// A tool made from a function: its input is described by fields, of which come what the model is told and the type of
// what the function gets.

import { text } from "../message/message.ts";
import {
  boolean,
  defineInput,
  type Field,
  type Fields,
  integer,
  list,
  object,
  oneOf,
  optional,
  string,
  type ValueOf,
  withDefault,
} from "./input.ts";
import { type AnyTool, defineTool, type ToolOutcome, type ToolRoom } from "./tool.ts";

/** What an input is described by. Each reads what models really send: numbers as text, lists as JSON. */
export const field = { string, number, integer, boolean, oneOf, list, object, optional, withDefault } as const;

function number(description: string): Field<number> {
  return {
    schema: { type: "number", description },
    aliases: [],
    read(value, name) {
      const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      if (typeof read === "number" && Number.isFinite(read)) return { value: read };
      return { problem: `${name} must be a number, not ${JSON.stringify(value)}` };
    },
  };
}

export interface ToolDescription<F extends Fields> {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  readonly input: F;
  /** It changes nothing, so nobody need be asked. */
  readonly readOnly?: boolean | undefined;
  /** One line for people, before it is done; its name and input where there is none. */
  readonly title?: ((input: ValueOf<F>) => string) | undefined;
  /** Does it. A string is told to the model; a throw is told as a failure. */
  run(input: ValueOf<F>, room: ToolRoom, signal: AbortSignal): string | ToolOutcome | Promise<string | ToolOutcome>;
}

/** Throws where the name is one that providers refuse. */
export function createTool<const F extends Fields>(description: ToolDescription<F>): AnyTool {
  const { name, readOnly = false, title } = description;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new TypeError(`A tool's name has 1 to 64 letters, digits, "_" or "-"; ${JSON.stringify(name)} has not.`);
  }
  const input = defineInput(description.input);
  return defineTool<ValueOf<F>>({
    name,
    description: description.description,
    inputSchema: input.schema,
    parse: input.parse,
    plan: (given) => ({
      title: title?.(given) ?? `${name} ${JSON.stringify(given)}`,
      kind: "other",
      locations: [],
      effect: { type: "other", readOnly },
    }),
    async run(given, room, signal) {
      const outcome = await description.run(given, room, signal);
      return typeof outcome === "string" ? { told: [text(outcome)] } : outcome;
    },
  });
}
