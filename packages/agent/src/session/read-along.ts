// What a prompt names of the prompts and resources of MCP servers, read so that the model sees it.

import type { Hub } from "../mcp/hub.ts";
import { type PromptPart, text } from "../message/message.ts";
import { boundTold } from "../tool/bound.ts";
import { type CalledPrompt, findPrompt, isServerCommand } from "./server-command.ts";

type Reader = Pick<Hub, "prompts" | "reports" | "getPrompt" | "readResource">;

/** `@github:repo://a/b`: what a prompt may ask to be read along. What ends a sentence is not of the address. */
const RESOURCE = /(?<=^|\s)@([\w.-]+):(\S*[^\s.,;:!?)\]'"])/g;
const MAX_RESOURCES = 8;

/** As texts of bounded length; what cannot be had is said so, also where no server could be connected. Nothing once the signal has fired. Never rejects. */
export async function readAlong(
  hub: Reader | undefined,
  parts: readonly PromptPart[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const read = await Promise.all([...readPrompt(hub, parts, signal), ...readResources(hub, parts, signal)]);
  return signal.aborted ? [] : read.map(boundText);
}

function readPrompt(
  hub: Reader | undefined,
  [first]: readonly PromptPart[],
  signal: AbortSignal,
): readonly Promise<string>[] {
  const said = first?.type === "text" ? first.text.trim() : "";
  if (!isServerCommand(said)) return [];
  const called = findPrompt(said, hub?.prompts() ?? []);
  if (hub !== undefined && called !== undefined) return [getPrompt(hub, called, signal)];
  return [Promise.resolve(`${said.split(/\s/, 1)[0]} cannot be had: no server of this session has such a prompt.`)];
}

/** A prompt of a server, as a person's words. */
async function getPrompt(hub: Reader, called: CalledPrompt, signal: AbortSignal): Promise<string> {
  const { server, name } = called.prompt;
  const reading = await hub.getPrompt(server, name, called.arguments, signal);
  if (reading.type !== "read") return `The prompt ${name} of ${server} cannot be had: ${reading.why}`;
  const said = reading.messages.flatMap((message) => message.parts.map(toText));
  return `The person chose the prompt "${name}" of the MCP server ${server}. Do what it says:\n${said.join("\n")}`;
}

function readResources(
  hub: Reader | undefined,
  parts: readonly PromptPart[],
  signal: AbortSignal,
): readonly Promise<string>[] {
  if (hub === undefined) return [];
  const names = new Set(hub.reports().map(({ name }) => name));
  const words = parts.flatMap((part) => (part.type === "text" ? [...part.text.matchAll(RESOURCE)] : []));
  const wanted = new Map(words.filter(([, name = ""]) => names.has(name)).map((word) => [word[0], word]));
  return [...wanted.values()]
    .slice(0, MAX_RESOURCES)
    .map(([, name = "", uri = ""]) => readResource(hub, name, uri, signal));
}

async function readResource(hub: Reader, name: string, uri: string, signal: AbortSignal): Promise<string> {
  const reading = await hub.readResource(name, uri, signal);
  if (reading.type !== "read") return `@${name}:${uri} cannot be read: ${reading.why}`;
  return `@${name}:${uri}:\n${reading.parts.map(toText).join("\n")}`;
}

function toText(part: PromptPart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "resource":
      return part.text ?? `(${part.mimeType ?? "binary"}, not shown)`;
    case "link":
      return `[${part.name}](${part.uri})`;
    case "image":
    case "audio":
      return `(${part.mimeType}, not shown)`;
  }
}

/** As much as of the result of a call. It is told in brackets of ours, and what would close them is no word of a server. */
function boundText(whole: string): string {
  return boundTold([text(whole)])
    .map((part) => (part.type === "text" ? part.text.replaceAll("</context>", "</ context>") : ""))
    .join("");
}
