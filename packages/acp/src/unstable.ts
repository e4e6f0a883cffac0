// @agentao/acp/unstable: the protocol with its unreleased features, complete. Types and decoders have the same names as
// in the main entry point, where they exist there.

export * from "./v1/generated-unstable/decode.ts";
export { methods } from "./v1/generated-unstable/method.ts";
export type * from "./v1/generated-unstable/type.ts";
export { type V1Unstable, v1Unstable } from "./v1/unstable.ts";
