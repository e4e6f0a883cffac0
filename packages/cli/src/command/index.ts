// The commands of the program, by name. Each is loaded when it is asked for.

import type { CommandTable } from "../manual/command.ts";

export const commands: CommandTable = {
  chat: {
    summary: "Talk to an agent in this terminal; what agentao does without a command",
    load: async () => (await import("./chat.ts")).chat,
  },
  run: {
    summary: "Do one job without a person: a prompt in, an answer and an exit code out",
    choices: {
      "--mode": ["read-only", "workspace-write", "full-access", "plan"],
      "--format": ["text", "json", "stream-json"],
    },
    load: async () => (await import("./run.ts")).run,
  },
  acp: {
    summary: "Drive other ACP agents; record, check and replay what passes between any client and any agent",
    load: async () => (await import("./acp/index.ts")).acpTools,
  },
  mcp: {
    summary: "List, add, check and sign in to MCP servers",
    load: async () => (await import("./mcp.ts")).mcp,
  },
  doctor: {
    summary: "Tell what is wrong with this machine, this folder and its settings",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  sessions: {
    summary: "List, read, search, export and delete stored sessions",
    load: async () => (await import("./sessions.ts")).sessions,
  },
  models: {
    summary: "Show which models can be chosen here, and which one is the default",
    load: async () => (await import("./models.ts")).models,
  },
  config: {
    summary: "Check, read and change settings",
    load: async () => (await import("./config.ts")).config,
  },
  init: {
    summary: "Choose a provider and a model, and write that down",
    load: async () => (await import("./init.ts")).init,
  },
  completion: {
    summary: "Print a completion script for bash, zsh or fish",
    load: async () => (await import("./completion.ts")).createCompletion(commands),
  },
  help: {
    summary: "Show this, or what one command is for",
    load: async () => (await import("./help.ts")).createHelp(commands),
  },
};
