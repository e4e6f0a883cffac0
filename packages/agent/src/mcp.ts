// @agentao/agent/mcp: MCP servers for programs that connect to them outside of a session.

export { type Consent, type ConsentAnswer, createConsent } from "./mcp/consent.ts";
export { createHub, type Hub, type HubRoom } from "./mcp/hub.ts";
export { signInFor } from "./mcp/oauth.ts";
export { type SignInOutcome, signIn } from "./mcp/oauth-sign-in.ts";
export { openAuthStore } from "./mcp/oauth-store.ts";
export { mergeServers, parseServers, type WrittenServer } from "./mcp/read-config.ts";
export { loadServers, readServerFiles } from "./mcp/read-config-files.ts";
export type { ServerConfig, ServerReport } from "./mcp/server.ts";
