// ACP v1 with the features that are proposed but not released: forks, archives, providers, MCP over ACP, sub-agents.

import type {
  AgentNotifications,
  AgentRequests,
  ClientNotifications,
  ClientRequests,
} from "./generated-unstable/method.ts";
import { methods } from "./generated-unstable/method.ts";
import type { Protocol, ProtocolTypes } from "./protocol.ts";

export interface V1Unstable extends ProtocolTypes {
  agentRequests: AgentRequests;
  agentNotifications: AgentNotifications;
  clientRequests: ClientRequests;
  clientNotifications: ClientNotifications;
}

/** Hand it to a client or an agent as `protocol`. May change with any release of the protocol. */
export const v1Unstable: Protocol<V1Unstable> = { version: 1, methods: Object.values(methods) };
