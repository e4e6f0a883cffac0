// What a front holds on to: an agent it drives as an ACP client, and one session of it. Our own agent and any other look
// the same from here.

import type { AcpClient, AgentCapabilities, SessionConfigOption } from "@agentao/acp";

export interface Front {
  readonly client: AcpClient;
  readonly sessionId: string;
  /** Where the session works. */
  readonly cwd: string;
  /** The agent's own name. */
  readonly agentName: string;
  /** Whether it is the runtime of this program, in this process. */
  readonly isOwn: boolean;
  readonly capabilities: AgentCapabilities;
  /** What can be chosen, as of when the session opened. */
  readonly configOptions: readonly SessionConfigOption[];
  readonly modeIds: readonly string[];
  /** Ends the session's turn, the connection, and what was started for it. Safe to call twice. */
  close(): Promise<void>;
}

/** Which session a front wants. */
export type SessionWish =
  | { readonly type: "new" }
  /** The newest of its folder. */
  | { readonly type: "newest" }
  /** By its id, or by the beginning of it. */
  | { readonly type: "stored"; readonly id: string };

/** A session that cannot be had, in a sentence for the person. */
export class NoSession extends Error {
  override readonly name = "NoSession";
}
