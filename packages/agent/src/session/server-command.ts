// Prompts of MCP servers, as commands: what they are called, what they take, and which one a person calls.

import type { ServerPrompt } from "../mcp/offer.ts";

/** How they all begin. */
const BEGINNING = "mcp__";

export interface ServerCommand {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
}

export interface CalledPrompt {
  readonly prompt: ServerPrompt;
  readonly arguments: Record<string, string>;
}

/** As the client lists it. */
export function toCommand(prompt: ServerPrompt): ServerCommand {
  const { server, title, description, arguments: known } = prompt;
  const hint = known.map((argument) => (argument.required ? argument.name : `[${argument.name}]`)).join(" ");
  return {
    name: nameOf(prompt),
    description: description ?? title ?? `A prompt of ${server}`,
    ...(hint !== "" && { hint }),
  };
}

export function isServerCommand(said: string): boolean {
  return said.startsWith(`/${BEGINNING}`);
}

export function findPrompt(said: string, prompts: readonly ServerPrompt[]): CalledPrompt | undefined {
  // One name may begin another.
  const [prompt] = prompts
    .filter((one) => isCalled(said, `/${nameOf(one)}`))
    .sort((a, b) => nameOf(b).length - nameOf(a).length);
  return prompt && { prompt, arguments: toArguments(prompt, said.slice(nameOf(prompt).length + 1)) };
}

function nameOf({ server, name }: ServerPrompt): string {
  return `${BEGINNING}${server}__${name}`;
}

function isCalled(said: string, command: string): boolean {
  return said === command || (said.startsWith(command) && /^\s/.test(said.slice(command.length)));
}

/** `name=value` words go to their arguments; all else is the first argument that has none. */
function toArguments({ arguments: known }: ServerPrompt, words: string): Record<string, string> {
  const given: Record<string, string> = {};
  const rest: string[] = [];
  for (const word of words.split(/\s+/).filter((one) => one !== "")) {
    const [, name = "", value = ""] = /^([\w-]+)=([\s\S]*)$/.exec(word) ?? [];
    if (known.some((argument) => argument.name === name)) given[name] = value;
    else rest.push(word);
  }
  const free = known.find(({ name }) => given[name] === undefined);
  if (rest.length > 0 && free !== undefined) given[free.name] = rest.join(" ");
  return given;
}
