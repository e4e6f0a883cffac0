// The client's end of a connection that speaks ACP v1 as released.

import type { V1 } from "../v1/protocol.ts";
import { ClientSide } from "./client-side.ts";

/** Drives an agent, and answers through handlers what the agent asks. */
export class AcpClient extends ClientSide<V1> {}
