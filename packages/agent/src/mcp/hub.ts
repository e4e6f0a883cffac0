// The MCP servers of one session, as hands of its agent: connected in the background, never waited for, closed together.

import { orAborted } from "../abort/until-aborted.ts";
import { fieldsOf } from "../json/fields.ts";
import { createWatchdog, type Watchdog } from "../machine/watchdog.ts";
import type { PromptPart } from "../message/message.ts";
import type { AnyTool } from "../tool/tool.ts";
import type { ElicitAnswer, ElicitRequest, SampleAnswer, SampleRequest } from "./ask.ts";
import { boundText } from "./clean-schema.ts";
import { openLink } from "./connect.ts";
import { Connection } from "./connection.ts";
import { toFailure } from "./failure.ts";
import { newLatch } from "./latch.ts";
import type { SignIn } from "./link.ts";
import type { ServerTool } from "./listed.ts";
import type { PromptReading, ResourceReading, ServerPrompt } from "./offer.ts";
import { createQuietLog, type QuietLog } from "./quiet-log.ts";
import { createRedaction, type Redaction } from "./secret.ts";
import type { ServerConfig, ServerReport } from "./server.ts";
import { toPromptParts, toResourcePart } from "./to-parts.ts";
import { toTool } from "./to-tool.ts";
import { nameTools, serverSlugs } from "./tool-name.ts";

const MAX_NAME_CHARS = 64;
const MAX_NAMES_CHARS = 300;

/** What a hub may use. None of its functions may throw. */
export interface HubRoom {
  /** Absolute folders; what servers are told when they ask where they may work. */
  readonly roots: readonly string[];
  /** Where servers are started that name no folder. */
  readonly cwd: string;
  /** Only what every child needs is taken from it: path, home, language. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clientInfo: { readonly name: string; readonly version: string; readonly title?: string | undefined };
  /** For the person: one per failure, without secrets. */
  notice(message: string): void;
  /** For the log: what servers say on stderr and by log notifications, without secrets. */
  log(message: string): void;
  /** Tools, prompts or states are others than before. */
  onChange(): void;
  /** Asks the person for a server. Where it is not given, servers are told that nobody can be asked. */
  elicit?(request: ElicitRequest, signal: AbortSignal): Promise<ElicitAnswer>;
  /** Asks the model for a server. Where it is not given, servers are told that there is none. */
  sample?(request: SampleRequest, signal: AbortSignal): Promise<SampleAnswer>;
  /** How a server is signed in to, where it is reached over HTTP and wants that. */
  signIn?(config: ServerConfig): SignIn | undefined;
}

export interface Hub {
  /** What can be called now. The same list of the same objects while nothing changed. */
  tools(): readonly AnyTool[];
  /**
   * Resolves when every server was connected or given up, after `ms`, or when the signal fires. Never rejects. One that
   * is connected again keeps its tools, and is not waited for.
   */
  settled(ms: number, signal: AbortSignal): Promise<void>;
  reports(): readonly ServerReport[];
  prompts(): readonly ServerPrompt[];
  /** Never rejects. */
  getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<PromptReading>;
  /** Never rejects. */
  readResource(server: string, uri: string, signal: AbortSignal): Promise<ResourceReading>;
  /** Tries a server anew that was given up, or that somebody has signed in to since. */
  restart(server: string): void;
  /** Ends every process, connection and timer. Never rejects; safe to call twice. */
  close(): Promise<void>;
}

/** Returns at once; servers are connected from the next tick on. */
export function createHub(configs: readonly ServerConfig[], room: HubRoom): Hub {
  // It leaves with the last server: a hub that is closed has nothing left.
  const watchdog = createWatchdog({ lingerMs: 0 });
  const slugs = serverSlugs(configs.map(({ name }) => name));
  const members = configs.map((config, at) => createMember(config, slugs[at] as string, { ...room, watchdog }));
  const toolbox = createToolbox(members);
  let closing: Promise<void> | undefined;

  const find = (server: string): Member | undefined =>
    members.find(({ connection }) => connection.config.name === server);
  const ask = async <T>(server: string, read: (member: Member) => Promise<T>): Promise<T | Failed> => {
    const member = find(server);
    if (member === undefined) return { type: "failed", why: `There is no server named "${server}".` };
    try {
      return await read(member);
    } catch (error) {
      return { type: "failed", why: `${server}: ${member.redaction.said(toFailure(error).message)}` };
    }
  };

  return {
    tools: () => toolbox.tools(),
    async settled(ms, signal) {
      const over = newLatch();
      const timer = setTimeout(over.open, ms);
      await orAborted(Promise.race([over.opened, Promise.all(members.map((one) => one.connection.started))]), signal);
      clearTimeout(timer);
    },
    reports: () => members.map(toReport),
    prompts: () => members.flatMap(({ connection }) => connection.prompts),
    getPrompt: (server, name, args, signal) =>
      ask(server, async ({ connection, redaction }) =>
        toPromptReading(await connection.request("prompts/get", { name, arguments: args }, { signal }), redaction),
      ),
    readResource: (server, uri, signal) =>
      ask(server, async ({ connection, redaction }) =>
        toResourceReading(await connection.request("resources/read", { uri }, { signal }), redaction),
      ),
    restart: (server) => find(server)?.connection.restart(),
    close() {
      closing ??= Promise.all(members.map(({ connection, log }) => connection.close().finally(log.end))).then(() => {});
      return closing;
    },
  };
}

interface Failed {
  readonly type: "failed";
  readonly why: string;
}

/** One server of a hub: what is said of it, and by it, passes here. */
interface Member {
  readonly connection: Connection;
  readonly slug: string;
  readonly redaction: Redaction;
  readonly log: QuietLog;
}

function createMember(config: ServerConfig, slug: string, room: HubRoom & { readonly watchdog: Watchdog }): Member {
  const redaction = createRedaction(config.transport);
  const log = createQuietLog((line) => room.log(`[mcp ${config.name}] ${redaction.said(line)}`));
  const signIn = room.signIn?.(config);
  const connection = new Connection(config, {
    roots: room.roots,
    cwd: room.cwd,
    env: room.env,
    clientInfo: room.clientInfo,
    watchdog: room.watchdog,
    elicit: room.elicit?.bind(room),
    sample: room.sample?.bind(room),
    auth: signIn?.provider,
    signInPage: signIn && (() => signIn.page()),
    open: openLink,
    log: log.say,
    onChange: () => room.onChange(),
    onUnusable: (names) => {
      const shown = boundText(names.map((one) => `"${boundText(one, MAX_NAME_CHARS)}"`).join(", "), MAX_NAMES_CHARS);
      room.notice(redaction.said(`The MCP server "${config.name}" has tools that are described too deeply: ${shown}.`));
    },
    onFailed: (why) => room.notice(redaction.said(`The MCP server "${config.name}" cannot be used: ${why}.`)),
  });
  return { connection, slug, redaction, log };
}

/** The tools of all servers, made anew only where a server lists another one. */
function createToolbox(members: readonly Member[]): { tools(): readonly AnyTool[] } {
  let seen: readonly (readonly ServerTool[])[] = [];
  let made: ReadonlyMap<string, AnyTool> = new Map();
  let tools: readonly AnyTool[] = [];

  return {
    tools() {
      const listed = members.map(({ connection }) => connection.tools);
      if (listed.length === seen.length && listed.every((one, at) => one === seen[at])) return tools;
      seen = listed;
      const all = members.flatMap((member) => member.connection.tools.map((tool) => ({ member, tool })));
      const names = nameTools(
        all.map(({ member, tool }) => ({ server: member.connection.config.name, slug: member.slug, tool: tool.name })),
      );
      const next = new Map(
        all.flatMap(({ member, tool }, at) => {
          const name = names[at] as string;
          try {
            const key = JSON.stringify([member.connection.config.name, name, tool]);
            return [[key, made.get(key) ?? toTool(name, tool, member)] as const];
          } catch (error) {
            // One tool that nobody can make sense of must not take the others along.
            member.log.say(`its tool "${boundText(tool.name, MAX_NAME_CHARS)}" cannot be used: ${String(error)}`);
            return [];
          }
        }),
      );
      const same = next.size === made.size && [...next.keys()].every((key, at) => key === [...made.keys()][at]);
      made = next;
      if (!same) tools = [...next.values()];
      return tools;
    },
  };
}

function toReport({ connection, redaction }: Member): ServerReport {
  const { config, state, lastError, tools } = connection;
  const said = state.type === "failed" ? { ...state, why: redaction.said(state.why) } : state;
  return {
    name: config.name,
    source: config.source,
    transport: config.transport.type,
    state: said,
    tools: tools.map(({ name }) => name),
    ...(lastError !== undefined && { lastError: redaction.said(lastError) }),
  };
}

function toPromptReading(answer: unknown, redaction: Redaction): PromptReading {
  const { description, messages } = fieldsOf(answer);
  return {
    type: "read",
    ...(typeof description === "string" && { description }),
    messages: (Array.isArray(messages) ? messages : []).map((message) => {
      const { role, content } = fieldsOf(message);
      return {
        role: role === "assistant" ? "assistant" : "user",
        parts: toPromptParts(content).map((part) => withoutSecrets(part, redaction)),
      };
    }),
  };
}

function toResourceReading(answer: unknown, redaction: Redaction): ResourceReading {
  const { contents } = fieldsOf(answer);
  const parts = (Array.isArray(contents) ? contents : []).map(toResourcePart);
  return { type: "read", parts: parts.map((part) => withoutSecrets(part, redaction)) };
}

function withoutSecrets<Part extends PromptPart>(part: Part, { told }: Redaction): Part {
  return "text" in part && part.text !== undefined ? { ...part, text: told(part.text) } : part;
}
