// The client at the other end, as the rooms of this floor use it.

import type { AcpAgent } from "@agentao/acp";

export type Client = AcpAgent;
