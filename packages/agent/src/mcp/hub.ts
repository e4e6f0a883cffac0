// The MCP servers of one session, as hands of its agent: connected in the background, never waited for, closed together.

import type { AnyTool } from "../tool/tool.ts";
import type { ElicitAnswer, ElicitRequest, SampleAnswer, SampleRequest } from "./ask.ts";
import type { PromptReading, ResourceReading, ServerPrompt } from "./offer.ts";
import type { ServerConfig, ServerReport } from "./server.ts";

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
}

export interface Hub {
  /** What can be called now. The same list of the same objects while nothing changed. */
  tools(): readonly AnyTool[];
  /** Resolves when no server is connecting any more, after `ms`, or when the signal fires. Never rejects. */
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
  /** Ends every process, connection and timer. Never rejects; safe to call twice. */
  close(): Promise<void>;
}

/** Returns at once; servers are connected from the next tick on. */
export function createHub(_configs: readonly ServerConfig[], _room: HubRoom): Hub {
  const failed = { type: "failed", why: "There are no servers." } as const;
  return {
    tools: () => [],
    settled: async () => {},
    reports: () => [],
    prompts: () => [],
    getPrompt: async () => failed,
    readResource: async () => failed,
    close: async () => {},
  };
}
