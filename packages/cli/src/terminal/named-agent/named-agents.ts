// The agents of `acp.json` in a conversation: who is addressed, and those that run. What drives them is loaded with the
// first of them.

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { StopReason } from "@agentao/acp";
import { loadServers } from "../../drive/load-servers.ts";
import type { ServerConfig } from "../../drive/server-config.ts";
import type { Conversation } from "../conversation.ts";
import type { OfferedAgent } from "../input/completion.ts";
import type { Questions } from "../question/question.ts";
import type { CommandRoom } from "../slash/command.ts";
import { type Address, parseAddress, toMark } from "./address.ts";
import type { NamedAgent } from "./named-agent.ts";

export interface NamedAgentsOptions {
  readonly conversation: Conversation;
  readonly questions: Questions;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Addressed extends Address {
  readonly server: ServerConfig;
  /** A project brings it, and not the person. */
  readonly isProjects: boolean;
}

export class NamedAgents {
  readonly #options: NamedAgentsOptions;
  /** By folder and name: the same name may stand for another agent in another project. */
  readonly #agents = new Map<string, NamedAgent>();
  readonly #asked = new Set<string>();
  readonly #allowed = new Set<string>();

  constructor(options: NamedAgentsOptions) {
    this.#options = options;
  }

  /** Nothing for a line that is for nobody in particular. Rejects where who is meant has a broken entry. */
  async find(line: string): Promise<Addressed | undefined> {
    const address = parseAddress(line);
    if (address === undefined) return undefined;
    const { servers, problems, ofProject } = await loadServers(this.#place());
    const server = servers.find(({ name }) => name === address.name);
    if (server !== undefined) return { ...address, server, isProjects: ofProject.has(server.name) };
    const own = await this.#problemsOf(address.name, problems);
    if (own.length > 0) throw new Error(`${toMark(address.name)} cannot be asked.\n${own.join("\n")}`);
    return undefined;
  }

  /** Whether it may be started. What a project brings is asked about. */
  async mayAsk({ server, isProjects }: Addressed, room: Pick<CommandRoom, "choose">): Promise<boolean> {
    if (!isProjects) return true;
    const { cwd, env } = this.#place();
    const key = JSON.stringify([cwd, server]);
    if (this.#allowed.has(key)) return true;
    const { askConsent } = await import("./consent.ts");
    const { conversation } = this.#options;
    const isAllowed = await askConsent(server, {
      project: cwd,
      env,
      say: (text) => conversation.say(text, "warning"),
      choose: (title, choices) => room.choose(title, choices),
    });
    if (isAllowed) this.#allowed.add(key);
    else conversation.say(`${toMark(server.name)} was not started.`);
    return isAllowed;
  }

  /** For the editor. */
  async offered(): Promise<readonly OfferedAgent[]> {
    const { servers } = await loadServers(this.#place());
    return servers.map(({ name, description }) => ({ name, description }));
  }

  /** Whether it was a line for one of them. */
  hasTaken(line: string): boolean {
    const address = parseAddress(line);
    return address !== undefined && this.#asked.has(address.name);
  }

  /** One turn of the agent that is addressed, told to the conversation. */
  async ask({ server, words }: Addressed, signal: AbortSignal): Promise<StopReason> {
    this.#asked.add(server.name);
    return (await this.#agentOf(server)).ask(words, signal);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.close()));
  }

  /** A file that says nothing at all may have named anybody, but not what is a file of the project. */
  async #problemsOf(name: string, problems: readonly string[]): Promise<readonly string[]> {
    const own = problems.filter((problem) => problem.includes(`servers.${name}`));
    const general = problems.filter((problem) => !problem.includes("servers."));
    if (own.length > 0 || general.length === 0) return own;
    const isFile = await stat(resolve(this.#options.conversation.cwd, name)).catch(() => undefined);
    return isFile === undefined ? general : [];
  }

  /** One whose entry has changed makes room for the new. */
  async #agentOf(server: ServerConfig): Promise<NamedAgent> {
    const { conversation, questions } = this.#options;
    const place = this.#place();
    const key = JSON.stringify([place.cwd, server.name]);
    const known = this.#agents.get(key);
    if (known !== undefined && JSON.stringify(known.server) === JSON.stringify(server)) return known;
    await known?.close();
    const { NamedAgent } = await import("./named-agent.ts");
    const agent = new NamedAgent(server, { conversation, questions, place });
    this.#agents.set(key, agent);
    return agent;
  }

  #place() {
    return { cwd: this.#options.conversation.cwd, env: this.#options.env };
  }
}
