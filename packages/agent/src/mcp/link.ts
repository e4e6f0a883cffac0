// One connection to a server, as the rest of the room knows it: what it needs, what it does, what can be asked of it.

import type { AuthProvider, OAuthClientProvider } from "@modelcontextprotocol/client";
import type { Watchdog } from "../machine/watchdog.ts";
import type { ElicitAnswer, ElicitRequest, SampleAnswer, SampleRequest } from "./ask.ts";
import type { ServerConfig } from "./server.ts";

/** Credentials that are got while connecting. */
export interface SignIn {
  readonly provider: AuthProvider | OAuthClientProvider;
  /** Where the person can give their consent, when that is what is missing. */
  page(): string | undefined;
  /** Gives up what is under way. Never rejects. */
  close?(): Promise<void>;
}

/** What happens while somebody signs in. Must not throw. */
export interface SignInHooks {
  onLink(url: string): void;
  onSignIn(outcome: { readonly type: "signed-in" | "cancelled" | "failed" }): void;
}

export interface LinkRoom {
  readonly roots: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clientInfo: { readonly name: string; readonly version: string; readonly title?: string | undefined };
  readonly watchdog: Watchdog;
  readonly auth?: SignIn["provider"] | undefined;
  log(line: string): void;
  elicit?: ((request: ElicitRequest, signal: AbortSignal) => Promise<ElicitAnswer>) | undefined;
  sample?: ((request: SampleRequest, signal: AbortSignal) => Promise<SampleAnswer>) | undefined;
  /** The connection went by itself. Once, and only after it was there. */
  onDrop(why: string): void;
  onToolsChanged(): void;
  onPromptsChanged(): void;
}

export interface LinkRequestOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** One connection, from its handshake to its end. */
export interface Link {
  readonly offers: { readonly tools: boolean; readonly prompts: boolean; readonly resources: boolean };
  /** What the server answers, as it is. Rejects with a `Failure`. */
  request(method: string, params: Readonly<Record<string, unknown>>, options: LinkRequestOptions): Promise<unknown>;
  /** Resolves when nothing is left of it. */
  close(): Promise<void>;
}

export type OpenLink = (config: ServerConfig, room: LinkRoom, signal: AbortSignal) => Promise<Link>;
