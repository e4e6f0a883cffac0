// What a session is made of. The runtime puts it together.

import type { InstructionFiles } from "../config/config.ts";
import type { SearchProvider } from "../config/web-search.ts";
import type { Ids, SessionId } from "../id/id.ts";
import type { History } from "../journal/fold.ts";
import type { Journal } from "../journal/journal.ts";
import type { Machine } from "../machine/machine.ts";
import type { SessionSandbox } from "../machine/sandbox-policy.ts";
import type { SignIn, SignInHooks } from "../mcp/link.ts";
import type { ServerConfig } from "../mcp/server.ts";
import type { Model, ModelCatalogue } from "../model/model.ts";
import type { Gate } from "../permission/gate.ts";
import type { AnyTool } from "../tool/tool.ts";
import type { RetryPolicy } from "../turn/back-off.ts";
import type { Door } from "./door.ts";

export interface SessionParts {
  readonly id: SessionId;
  readonly cwd: string;
  readonly additionalRoots: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** Read when a turn begins. */
  readonly instructions?: (() => Promise<string | undefined>) | undefined;
  readonly instructionFiles?: InstructionFiles | undefined;
  readonly branch?: (() => Promise<string | undefined>) | undefined;
  /** What is good to know from the start. */
  readonly news: readonly string[];
  /** What the person should look into. */
  readonly notices: readonly string[];
  readonly journal: Journal;
  readonly history: History;
  readonly door: Door;
  readonly machine: Machine;
  /** The MCP servers of this session. */
  readonly servers: readonly ServerConfig[];
  signIn?(config: ServerConfig, hooks: SignInHooks): Promise<SignIn | undefined>;
  /** For whoever looks into what went wrong; without secrets. */
  log(message: string): void;
  readonly sandbox?: SessionSandbox | undefined;
  readonly gate: Gate;
  /** Beside, or by name instead of, the built-in ones. */
  readonly tools: readonly AnyTool[];
  /** Names of the built-in ones there are; all where nothing is said. */
  readonly builtinTools: readonly string[] | undefined;
  /** Instead of the guide for coding agents. */
  readonly system: string | undefined;
  /** Who searches the web, where somebody does. */
  readonly search?: SearchProvider | undefined;
  readonly catalogue: ModelCatalogue;
  readonly model: Model;
  readonly ids: Ids;
  readonly now: () => number;
  readonly maxSteps: number;
  readonly retry: RetryPolicy;
  readonly compactAt: number;
}
