// The MCP servers of a session, as the session uses them: connected in the background, waited for once and not for long,
// shown when asked, closed with it. What connects them is loaded only where there are any.

import { ABORTED, orAborted } from "../abort/until-aborted.ts";
import type { PassingEvent } from "../event/event.ts";
import type { ElicitAnswer, ElicitRequest, SampleRequest } from "../mcp/ask.ts";
import type { Hub } from "../mcp/hub.ts";
import type { SignIn, SignInHooks } from "../mcp/link.ts";
import type { ServerPrompt } from "../mcp/offer.ts";
import type { ServerConfig, ServerReport } from "../mcp/server.ts";
import type { PromptPart } from "../message/message.ts";
import type { AnyTool } from "../tool/tool.ts";
import { readAlong } from "./read-along.ts";
import { type SampleRoom, sample } from "./sample.ts";

export interface ServersRoom extends SampleRoom {
  readonly roots: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  tell(event: PassingEvent): void;
  log(message: string): void;
  onChange(): void;
  elicit?(request: ElicitRequest, signal: AbortSignal): Promise<ElicitAnswer>;
  signIn?(config: ServerConfig, hooks: SignInHooks): Promise<SignIn | undefined>;
}

/** How long the first turn waits for servers that are still connecting. */
const FIRST_WAIT_MS = 5_000;
const CLIENT_INFO = { name: "agentao", version: "0.1.0", title: "Agentao" };

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

  /** What a prompt names of their prompts and resources. Never rejects. */
  async readAlong(parts: readonly PromptPart[], signal: AbortSignal): Promise<readonly string[]> {
    return readAlong(this.#hub, parts, signal);
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
      sample: (request: SampleRequest, signal: AbortSignal) => sample(request, this.#room, this.#duringTurn(signal)),
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
}
