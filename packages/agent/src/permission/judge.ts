// Everything that reads commands, in one piece: the gate loads it with the first call.

export { decide } from "./decide.ts";
export { createGrant, describeRejection, describeWidths } from "./grant.ts";
