// Makes a folder and those above it: the runtime's own way, which ends also where nothing can be made.

export { makeFolder } from "@agentao/agent/program";
