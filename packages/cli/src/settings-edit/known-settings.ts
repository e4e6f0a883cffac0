// The names at the top of a `settings.json`.

/** Those that agentao reads, and those that it leaves alone because the reference system keeps them there. */
export const KNOWN_SETTINGS: readonly string[] = [
  "model",
  "mode",
  "providers",
  "context",
  "stallSeconds",
  "firstByteSeconds",
  "caFile",
  "webSearch",
  "sandbox",
  "agents",
  "replay",
  "goal",
];
