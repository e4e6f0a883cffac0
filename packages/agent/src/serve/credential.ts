// Credentials never travel on the wire; a client that sends some is told so instead of being ignored.

import { RpcError } from "@agentao/acp";
import { bounded } from "./to-rpc-error.ts";

/** For parameters that are all known. */
export function refuseUnknown(params: object, allowed: readonly string[]): void {
  refuse(Object.keys(params).filter((key) => key !== "_meta" && !allowed.includes(key)));
}

const LIKE_CREDENTIALS = /key|token|secret|passw|credential|bearer|authorization|base_?url/i;

/** For parameters that may have more fields than are known. */
export function refuseLikeCredentials(params: object): void {
  refuse(Object.keys(params).filter((key) => LIKE_CREDENTIALS.test(key)));
}

function refuse(odd: readonly string[]): void {
  if (odd.length === 0) return;
  throw RpcError.invalidParams(
    `Invalid params: unexpected field(s) ${bounded(odd.join(", "), 200)}; credentials are read by agentao itself and never travel on the wire`,
  );
}
