// @agentao/agent/serve: the wire alone. It loads the handshake and nothing else, for programs that must answer at once;
// the runtime may be made later.

export { type ServeOptions, serveAcp } from "./serve/serve-acp.ts";
