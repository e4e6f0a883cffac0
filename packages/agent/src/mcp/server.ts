// What is known of an MCP server before it is connected, and what a person is told about it afterwards. Plain values.

/** Who named the server: the client of this session, the person's own file, or a file of the project. */
export type ServerSource = "client" | "user" | "project";

export interface ServerConfig {
  /** As it was named; unique within a session. */
  readonly name: string;
  readonly source: ServerSource;
  /** Its annotations are believed, and what it calls read-only is not asked about. */
  readonly trust: boolean;
  /** Until its tools are known. */
  readonly startMs: number;
  /** Of one call; without a limit where nothing is said. */
  readonly requestMs?: number | undefined;
  readonly transport: ServerTransport;
}

export type ServerTransport =
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      /** Beside what every child needs: path, home, language. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string | undefined;
    }
  | { readonly type: "http" | "sse"; readonly url: string; readonly headers: Readonly<Record<string, string>> };

export type ServerState =
  | { readonly type: "waiting"; readonly why: string }
  | { readonly type: "connecting" }
  | { readonly type: "connected" }
  | { readonly type: "failed"; readonly why: string }
  /** A page to open before it can be used. */
  | { readonly type: "needs-sign-in"; readonly url: string }
  | { readonly type: "closed" };

export interface ServerReport {
  readonly name: string;
  readonly source: ServerSource;
  readonly transport: ServerTransport["type"];
  readonly state: ServerState;
  readonly tools: readonly string[];
  /** The last thing that went wrong, without secrets. */
  readonly lastError?: string | undefined;
}
