// @agentao/acp/unstable: the protocol with its unreleased features, complete. Everything has the same name as in the
// main entry point, where it exists there.

import { type AgentOptions, AgentSide, type HandlersFor } from "./agent/agent-side.ts";
import { type ClientHandlers, type ClientOptions, ClientSide } from "./client/client-side.ts";
import type { Stream } from "./stream/stream.ts";
import { type V1Unstable, v1Unstable } from "./v1/unstable.ts";

/** `AcpAgent` with the unreleased methods. */
export class AcpAgent extends AgentSide<V1Unstable> {
  constructor(stream: Stream, handlers: HandlersFor<V1Unstable>, options: AgentOptions<V1Unstable> = {}) {
    super(stream, handlers, { protocol: v1Unstable, ...options });
  }
}

/** `AcpClient` with the unreleased methods. */
export class AcpClient extends ClientSide<V1Unstable> {
  constructor(stream: Stream, handlers?: ClientHandlers<V1Unstable>, options: ClientOptions<V1Unstable> = {}) {
    super(stream, handlers, { protocol: v1Unstable, ...options });
  }
}

export { LocalError, type LocalErrorType } from "./error/local-error.ts";
export { errorCodes, RpcError } from "./error/rpc-error.ts";
export { memoryPair } from "./stream/memory.ts";
export { webStream } from "./stream/web.ts";
export * from "./v1/generated-unstable/decode.ts";
export {
  type AgentNotifications,
  type AgentRequests,
  type ClientNotifications,
  type ClientRequests,
  methods,
  type ProtocolNotifications,
  type ProxyNotifications,
  type ProxyRequests,
} from "./v1/generated-unstable/method.ts";
export type * from "./v1/generated-unstable/type.ts";
export { type V1Unstable, v1Unstable } from "./v1/unstable.ts";
