// The commands of this program, and which of ours and the agent's a line is for.

import { nearest } from "../../text/nearest.ts";
import type { OfferedCommand } from "../input/completion.ts";
import { type Reply, type SlashCommand, warn } from "./command.ts";
import { copyAnswer, exportTo } from "./hand-out.ts";
import { help, showDiff, tellCost, tellPermissions, tellTools } from "./look.ts";
import { chooseBy, togglePlan } from "./option.ts";
import { forkSession, newSession, pickSession, resumeSession } from "./session.ts";

/** What only an agent can do is there where the agent says so. */
const AGENT_COMMANDS = ["compact", "context", "mcp", "memory"];

export const slashCommands: readonly SlashCommand[] = [
  { name: "help", description: "Keys and commands", isFirst: true, run: help },
  {
    name: "model",
    description: "Choose the model",
    isFirst: true,
    hint: "[name]",
    run: chooseBy("model"),
  },
  {
    name: "mode",
    description: "Choose what the agent may do without asking",
    isFirst: true,
    hint: "[name]",
    run: chooseBy("mode"),
  },
  { name: "plan", description: "Plan first, act later: plan mode on or off", hint: "[what]", run: togglePlan },
  { name: "cost", description: "What the session has cost", run: tellCost },
  { name: "sessions", description: "Stored sessions; choose one to go on with", isFirst: true, run: pickSession },
  { name: "resume", description: "Go on with a stored session", hint: "[id]", isFirst: true, run: resumeSession },
  { name: "fork", description: "Go on in a copy of this session", run: forkSession },
  { name: "clear", description: "Begin a new session", isFirst: true, run: newSession },
  { name: "diff", description: "What this session has changed", run: showDiff },
  { name: "export", description: "Write the transcript as Markdown", hint: "[file]", isFirst: true, run: exportTo },
  { name: "copy", description: "Copy the last answer to the clipboard", isFirst: true, run: copyAnswer },
  { name: "tools", description: "Tools used so far", run: tellTools },
  { name: "permissions", description: "What is allowed now", run: tellPermissions },
  { name: "exit", description: "Leave", isFirst: true, run: (_, { exit }) => void exit() },
];

/** A command of ours; nothing where the line is for the agent, as one of its commands or as a prompt like any other. */
export function findSlashCommand(
  line: string,
  agentCommands: readonly { readonly name: string }[],
): { readonly command: SlashCommand; readonly argument: string } | undefined {
  const [, typed, rest = ""] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(line.trim()) ?? [];
  const name = typed === "quit" ? "exit" : typed;
  const command = slashCommands.find((one) => one.name === name);
  if (command === undefined) return undefined;
  const argument = rest.trim();
  const isAgents = agentCommands.some((one) => one.name === name);
  return isAgents && command.isFirst !== true ? undefined : { command, argument };
}

/** An answer to a command that nobody has. With words behind it, or as a path, a line is a prompt like any other. */
export function answerUnknown(line: string, agentCommands: readonly { readonly name: string }[]): Reply {
  const [, name, words] = /^\/([\w-]+)(\s[\s\S]*)?$/.exec(line.trim()) ?? [];
  const known = [...slashCommands, ...agentCommands].map((one) => one.name);
  if (name === undefined || name === "quit" || known.includes(name)) return undefined;
  if (AGENT_COMMANDS.includes(name)) return warn(`This agent has no /${name}.`);
  if (words !== undefined) return undefined;
  const close = nearest(name, known);
  return warn(
    `There is no command /${name}; ${close === undefined ? "/help shows them all." : `did you mean /${close}?`}`,
  );
}

/** What the editor offers: the agent's, and ours besides. */
export function offeredCommands(
  agentCommands: readonly { readonly name: string; readonly description: string; readonly input?: unknown }[],
): OfferedCommand[] {
  const theirs = agentCommands.map(({ name, description, input }) => {
    const { hint } = (input ?? {}) as { hint?: unknown };
    return { name, description, ...(typeof hint === "string" && { hint }) };
  });
  const names = new Set(theirs.map(({ name }) => name));
  const ours = slashCommands
    .filter(({ name }) => !names.has(name))
    .map(({ name, description, hint }) => ({ name, description, ...(hint !== undefined && { hint }) }));
  return [...theirs, ...ours].sort((one, other) => one.name.localeCompare(other.name));
}
