// The agent's end of a connection that speaks ACP v1 as released.

import type { V1 } from "../v1/protocol.ts";
import { AgentSide } from "./agent-side.ts";

/** Answers a client through handlers, and asks of it what an agent may ask. */
export class AcpAgent extends AgentSide<V1> {}
