// The MCP servers of a session, as the session uses them: connected in the background, waited for once and not for long,
// shown when asked, closed with it. What connects them is loaded only where there are any.

import { ABORTED, orAborted } from "../abort/until-aborted.ts";
import type { PassingEvent } from "../event/event.ts";
import type { MessageId } from "../id/id.ts";
import type { ElicitAnswer, ElicitRequest, SampleAnswer, SampleRequest } from "../mcp/ask.ts";
import type { Hub } from "../mcp/hub.ts";
import type { SignIn, SignInHooks } from "../mcp/link.ts";
import type { ServerPrompt } from "../mcp/offer.ts";
import type { ServerConfig, ServerReport } from "../mcp/server.ts";
import { type Message, type PromptPart, text } from "../message/message.ts";
import type { Model } from "../model/model.ts";
import type { PermissionRequest, Verdict } from "../permission/request.ts";
import { boundTold } from "../tool/bound.ts";
import type { AnyTool } from "../tool/tool.ts";

export interface ServersRoom {
  readonly roots: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  model(): Model;
  readonly gate: { ask(request: PermissionRequest, signal: AbortSignal): Promise<Verdict> };
  callId(): PermissionRequest["callId"];
  tell(event: PassingEvent): void;
  log(message: string): void;
  onChange(): void;
  elicit?(request: ElicitRequest, signal: AbortSignal): Promise<ElicitAnswer>;
  signIn?(config: ServerConfig, hooks: SignInHooks): Promise<SignIn | undefined>;
}

/** How long the first turn waits for servers that are still connecting. */
const FIRST_WAIT_MS = 5_000;
const CLIENT_INFO = { name: "agentao", version: "0.1.0", title: "Agentao" };
/** `@github:repo://a/b`: what a prompt may ask to be read along. What ends a sentence is not of the address. */
const RESOURCE = /(?<=^|\s)@([\w.-]+):(\S*[^\s.,;:!?)\]'"])/g;
const MAX_RESOURCES = 8;
/** A model cannot be told how much to say for a server; what is surely more than that is not waited for. */
const MOST_CHARS_PER_TOKEN = 8;

export class Servers {
  readonly #room: ServersRoom;
  readonly #loading: Promise<Hub>;
  readonly #signIns = new Map<string, SignIn>();
  #hub: Hub | undefined;
  /** Of the turn that was last begun; what a server asks for is not asked any longer than that. */
  #turn: AbortSignal | undefined;
  #isAwaited = false;
  #isClosed = false;

  constructor(configs: readonly ServerConfig[], room: ServersRoom) {
    this.#room = room;
    this.#loading = this.#open(configs);
    this.#loading.catch(() => {});
  }

  async #open(configs: readonly ServerConfig[]): Promise<Hub> {
    const far = configs.filter(({ transport }) => transport.type !== "stdio");
    const [{ createHub }] = await Promise.all([import("../mcp/hub.ts"), ...far.map((one) => this.#prepareSignIn(one))]);
    this.#hub = createHub(this.#isClosed ? [] : configs, this.#hubRoom());
    return this.#hub;
  }

  tools(): readonly AnyTool[] {
    return this.#hub?.tools() ?? [];
  }

  prompts(): readonly ServerPrompt[] {
    return this.#hub?.prompts() ?? [];
  }

  reports(): readonly ServerReport[] {
    return this.#hub?.reports() ?? [];
  }

  /** The first turn waits a bounded time; those that come later are there in the next step. Never rejects. */
  async ready(signal: AbortSignal): Promise<void> {
    this.#turn = signal;
    const hub = await orAborted(this.#loading, signal).catch(() => ABORTED);
    if (typeof hub === "symbol" || this.#isAwaited) return;
    this.#isAwaited = true;
    await hub.settled(FIRST_WAIT_MS, signal);
    if (signal.aborted) return;
    const late = hub.reports().filter(({ state }) => state.type === "connecting");
    for (const { name } of late) {
      this.#notice(`The MCP server "${name}" is still connecting; this turn begins without its tools.`);
    }
  }

  /**
   * What a prompt names of prompts and resources of servers, as texts of bounded length; what cannot be had is said so.
   * Nothing once the signal has fired. Never rejects.
   */
  async readAlong(parts: readonly PromptPart[], signal: AbortSignal): Promise<readonly string[]> {
    const read = await Promise.all([...this.#readPrompt(parts, signal), ...this.#readResources(parts, signal)]);
    return signal.aborted ? [] : read.map(boundText);
  }

  #readPrompt([first]: readonly PromptPart[], signal: AbortSignal): readonly Promise<string>[] {
    const said = first?.type === "text" ? first.text.trim() : "";
    if (!said.startsWith("/mcp__")) return [];
    // One name may begin another.
    const [chosen] = this.prompts()
      .filter((prompt) => isCalled(said, commandOf(prompt)))
      .sort((a, b) => commandOf(b).length - commandOf(a).length);
    if (chosen !== undefined) return [this.#getPrompt(chosen, said.slice(commandOf(chosen).length), signal)];
    return [Promise.resolve(`${said.split(/\s/, 1)[0]} cannot be had: no server of this session has such a prompt.`)];
  }

  /** A prompt of a server, as a person's words. */
  async #getPrompt(prompt: ServerPrompt, words: string, signal: AbortSignal): Promise<string> {
    const { server, name } = prompt;
    const reading = await this.#hub?.getPrompt(server, name, toArguments(prompt, words), signal);
    if (reading?.type !== "read")
      return `The prompt ${name} of ${server} cannot be had: ${reading?.why ?? "it is gone"}`;
    const said = reading.messages.flatMap((message) => message.parts.map(toText));
    return `The person chose the prompt "${name}" of the MCP server ${server}. Do what it says:\n${said.join("\n")}`;
  }

  #readResources(parts: readonly PromptPart[], signal: AbortSignal): readonly Promise<string>[] {
    const names = new Set(this.reports().map(({ name }) => name));
    const words = parts.flatMap((part) => (part.type === "text" ? [...part.text.matchAll(RESOURCE)] : []));
    const wanted = new Map(words.filter(([, name = ""]) => names.has(name)).map((word) => [word[0], word]));
    return [...wanted.values()]
      .slice(0, MAX_RESOURCES)
      .map(([, name = "", uri = ""]) => this.#readResource(name, uri, signal));
  }

  async #readResource(name: string, uri: string, signal: AbortSignal): Promise<string> {
    const reading = await this.#hub?.readResource(name, uri, signal);
    if (reading?.type !== "read") return `@${name}:${uri} cannot be read: ${reading?.why ?? "there is no such server"}`;
    return `@${name}:${uri}:\n${reading.parts.map(toText).join("\n")}`;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const hub = await this.#loading.catch(() => undefined);
    await Promise.all([hub?.close(), ...[...this.#signIns.values()].map((one) => one.close?.())]);
  }

  #hubRoom() {
    const { roots, cwd, env, log, onChange, elicit, signIn } = this.#room;
    return {
      roots,
      cwd,
      env,
      clientInfo: CLIENT_INFO,
      notice: (message: string) => this.#notice(message),
      log,
      onChange,
      ...(elicit && {
        elicit: (request: ElicitRequest, signal: AbortSignal) => elicit(request, this.#duringTurn(signal)),
      }),
      sample: (request: SampleRequest, signal: AbortSignal) => this.#sample(request, this.#duringTurn(signal)),
      ...(signIn && { signIn: ({ name }: ServerConfig) => this.#signIns.get(name) }),
    };
  }

  async #prepareSignIn(config: ServerConfig): Promise<void> {
    const made = await this.#room.signIn?.(config, this.#signInHooks(config));
    if (made !== undefined) this.#signIns.set(config.name, made);
  }

  /** The link is the person's to open; what waits for it is tried again when they did. */
  #signInHooks({ name }: ServerConfig): SignInHooks {
    return {
      onLink: (url) => this.#notice(`The MCP server ${name} wants you to sign in. Open ${url}`),
      onSignIn: ({ type }) => {
        if (type === "signed-in") this.#hub?.restart(name);
      },
    };
  }

  /** Servers may also ask between turns; then only they can take it back. */
  #duringTurn(signal: AbortSignal): AbortSignal {
    return this.#turn === undefined || this.#turn.aborted ? signal : AbortSignal.any([signal, this.#turn]);
  }

  #notice(message: string): void {
    this.#room.tell({ type: "notice", severity: "warning", message });
  }

  /** A server may use the person's model only when the gate lets it. */
  async #sample(request: SampleRequest, signal: AbortSignal): Promise<SampleAnswer> {
    const verdict = await this.#room.gate.ask(toPermission(request, this.#room.callId()), signal);
    if (verdict.type === "denied") return { type: "refused", why: "The person did not allow it." };
    const model = this.#room.model();
    let said = "";
    let isCut = false;
    for await (const event of model.stream(toModelRequest(request), signal)) {
      if (event.type === "text-delta") said += event.text;
      if (event.type === "failed") return { type: "refused", why: event.fault.message };
      if (event.type === "finish") isCut = event.reason === "length";
      if (said.length > request.maxTokens * MOST_CHARS_PER_TOKEN) {
        isCut = true;
        break;
      }
    }
    if (signal.aborted) return { type: "refused", why: "The turn was cancelled." };
    return { type: "answered", model: model.info.id, text: said, stopReason: isCut ? "maxTokens" : "endTurn" };
  }
}

function toPermission(request: SampleRequest, callId: PermissionRequest["callId"]): PermissionRequest {
  const asked = request.messages.at(-1)?.parts.find((part) => part.type === "text")?.text ?? "";
  return {
    callId,
    tool: `mcp_${request.server}_sampling`,
    input: {},
    effect: { type: "other", readOnly: false },
    title: `The MCP server ${request.server} wants to ask the model: ${asked.slice(0, 200)}`,
    kind: "think",
    locations: [],
    content: [],
  };
}

function toModelRequest({ system = "", messages }: SampleRequest) {
  const said = messages.map(
    ({ role, parts }, at): Message =>
      role === "user"
        ? { role, id: `sample_${at}` as MessageId, parts }
        : { role, id: `sample_${at}` as MessageId, parts: parts.filter((part) => part.type === "text") },
  );
  return { system, messages: said, tools: [] };
}

/** As the client lists it. */
function commandOf({ server, name }: ServerPrompt): string {
  return `/mcp__${server}__${name}`;
}

function isCalled(said: string, command: string): boolean {
  return said === command || (said.startsWith(command) && /^\s/.test(said.slice(command.length)));
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
