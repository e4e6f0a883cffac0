// What an embedder hands to a runtime. Nothing else is looked at: no environment, no files, no network.

import type { Config } from "../config/config.ts";
import type { Ids, SessionId } from "../id/id.ts";
import type { ListedSession } from "../journal/digest.ts";
import type { EntryBody } from "../journal/entry.ts";
import type { Store } from "../journal/store.ts";
import type { Machine } from "../machine/machine.ts";
import type { SignIn, SignInHooks } from "../mcp/link.ts";
import type { ServerConfig } from "../mcp/server.ts";
import type { Model, ModelCatalogue } from "../model/model.ts";
import type { AnyTool } from "../tool/tool.ts";
import type { RetryPolicy } from "../turn/back-off.ts";
import type { Handlers } from "./door.ts";

/** The handlers are those of every session that is started or resumed without its own. */
export interface RuntimeOptions extends Handlers {
  /** The models there are; the first is the default. */
  readonly models?: readonly Model[] | undefined;
  /** Instead of `models`, where they are made when they are asked for. */
  readonly catalogue?: ModelCatalogue | undefined;
  /** Where sessions are written down; in memory where none is named. */
  readonly store?: Store | undefined;
  /** Where the tools of a session act. Without one nothing is touched, and there are no tools but your own. */
  machine?(roots: readonly string[]): Machine;
  /** Who the model is and how it works, instead of the guide for coding agents; then it is told no date and no mode. */
  readonly system?: string | undefined;
  /** What belongs to a working directory: environment, instructions, rules. Asked once per session. */
  config?(cwd: string, additionalRoots: readonly string[]): Promise<Config>;
  /** The model of new sessions; the first of the catalogue where none is named, or it is not known. */
  readonly model?: string | undefined;
  /** Sessions that another program left in a folder; opened, they go on as ours. */
  foreign?(cwd: string): ForeignSessions;
  /** What the person should know in every session. */
  readonly notices?: readonly string[] | undefined;
  /** The MCP servers of a working directory, beside those a client brings. Asked once per session. */
  servers?(cwd: string): Promise<ConfiguredServers>;
  /** How MCP servers that want it are signed in to. */
  signIn?(config: ServerConfig, hooks: SignInHooks): Promise<SignIn | undefined>;
  /** Hears what is worth a line in a log, without secrets. Must not throw. */
  log?(message: string): void;
  /** Beside, or by name instead of, the built-in ones. */
  readonly tools?: readonly AnyTool[] | undefined;
  /** Which of the built-in tools there are; all of them where nothing is said and there is a machine. */
  readonly builtinTools?: readonly BuiltinToolName[] | undefined;
  readonly maxSteps?: number | undefined;
  /** How requests to a model are made again when they fail. */
  readonly retry?: RetryPolicy | undefined;
  /** What kind of machine the model should expect: its system, its shell. */
  readonly platform?: string | undefined;
  readonly ids?: Ids | undefined;
  readonly now?: (() => number) | undefined;
}

export type BuiltinToolName =
  | "read_file"
  | "write_file"
  | "replace"
  | "list_directory"
  | "glob"
  | "search_file_content"
  | "run_shell_command"
  | "check_background_command"
  | "stop_background_command"
  | "todo_write"
  | "ask_user"
  | "web_fetch";

export interface ConfiguredServers {
  readonly servers: readonly ServerConfig[];
  /** What the person should look into. */
  readonly notices: readonly string[];
}

export interface ForeignSessions {
  list(): Promise<readonly ListedSession[]>;
  find(id: SessionId): Promise<{ readonly entries: readonly EntryBody[] } | undefined>;
}

export interface Place {
  readonly cwd: string;
  readonly additionalRoots?: readonly string[] | undefined;
  /** MCP servers the client brings along. */
  readonly servers?: readonly ServerConfig[] | undefined;
}
