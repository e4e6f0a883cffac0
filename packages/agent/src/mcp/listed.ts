// What a server lists, read piece by piece: what has no name is left out, what is odd in the rest is ignored.

import { fieldsOf } from "../json/fields.ts";
import type { PromptArgument, ServerPrompt } from "./offer.ts";

export interface ServerTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Whatever it says; it is made usable elsewhere. */
  readonly inputSchema: unknown;
  readonly isReadOnly: boolean;
}

/** The first of one name wins. */
export function toServerTools(items: readonly unknown[]): readonly ServerTool[] {
  return firstOfName(
    items.flatMap((item): ServerTool[] => {
      const { name, title, description, inputSchema, annotations } = fieldsOf(item);
      const hints = fieldsOf(annotations);
      if (typeof name !== "string" || name === "") return [];
      return [
        {
          name,
          title: stringOr(title) ?? stringOr(hints.title),
          description: stringOr(description),
          inputSchema,
          isReadOnly: hints.readOnlyHint === true,
        },
      ];
    }),
  );
}

export function toServerPrompts(items: readonly unknown[], server: string): readonly ServerPrompt[] {
  return firstOfName(
    items.flatMap((item): ServerPrompt[] => {
      const { name, title, description, arguments: args } = fieldsOf(item);
      if (typeof name !== "string" || name === "") return [];
      const list = Array.isArray(args) ? args : [];
      return [
        {
          server,
          name,
          title: stringOr(title),
          description: stringOr(description),
          arguments: list.flatMap(toArgument),
        },
      ];
    }),
  );
}

function toArgument(item: unknown): PromptArgument[] {
  const { name, description, required } = fieldsOf(item);
  if (typeof name !== "string" || name === "") return [];
  return [{ name, description: stringOr(description), required: required === true }];
}

function firstOfName<T extends { readonly name: string }>(items: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return items.filter(({ name }) => !seen.has(name) && seen.add(name));
}

function stringOr(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
