// What the program starts a session with, and nothing else: every name here costs it at its start.

export type { Config } from "./config/config.ts";
export { loadConfig } from "./config/load.ts";
export { makeFolder, makeFolderSync } from "./folder/make-folder.ts";
export { randomIds } from "./id/id.ts";
export { memoryStore } from "./journal/memory-store.ts";
export { referenceSessions } from "./journal/reference-sessions.ts";
export { openStore } from "./journal/store.ts";
export { localMachine } from "./machine/local-machine.ts";
export { createCatalogue } from "./model/catalogue.ts";
export { lazyDemo, lazyScenario } from "./model/scripted-models.ts";
export { redact } from "./secret/redact.ts";
export { createRuntime, type Runtime } from "./session/runtime.ts";
export type { ConfiguredServers } from "./session/runtime-options.ts";
