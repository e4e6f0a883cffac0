// A protocol is a table of methods with the types that belong to it. The stable and the unstable one differ in nothing
// else, so clients and agents are written once and take either.

import type { AgentNotifications, AgentRequests, ClientNotifications, ClientRequests } from "./generated/method.ts";
import { methods } from "./generated/method.ts";
import type { Method } from "./method.ts";

export interface RequestTypes {
  readonly params: unknown;
  readonly result: unknown;
}

// Intersections, not conditional types: these keep the parameters of handlers typed while a call is being inferred.
export type ParamsOf<Request> = (Request & RequestTypes)["params"];
export type ResultOf<Request> = (Request & RequestTypes)["result"];

/** Methods by handler name: who is asked, and with what. */
export interface ProtocolTypes {
  agentRequests: { [Name in keyof AgentRequests]: RequestTypes };
  agentNotifications: { [Name in keyof AgentNotifications]: unknown };
  clientRequests: { [Name in keyof ClientRequests]: RequestTypes };
  clientNotifications: { [Name in keyof ClientNotifications]: unknown };
}

export interface V1 extends ProtocolTypes {
  agentRequests: AgentRequests;
  agentNotifications: AgentNotifications;
  clientRequests: ClientRequests;
  clientNotifications: ClientNotifications;
}

/** What a session's updates can be. */
export type UpdateOf<Types extends ProtocolTypes> = Types["clientNotifications"]["update"] extends {
  update: infer Update;
}
  ? Update
  : never;

export interface Protocol<Types extends ProtocolTypes> {
  readonly version: number;
  readonly methods: readonly Method[];
  /** Never there at run time: it only carries the types. */
  readonly types?: Types;
}

/** ACP v1 as released. */
export const v1: Protocol<V1> = { version: 1, methods: Object.values(methods) };
