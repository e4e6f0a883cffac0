// Slash commands a session answers by itself, without the model. A prompt that begins with a slash and is none of these
// is a prompt like any other: paths begin with slashes too.

import type { InstructionFiles } from "../config/config.ts";
import type { UsageSnapshot } from "../event/event.ts";
import type { ServerReport } from "../mcp/server.ts";
import type { Model } from "../model/model.ts";
import type { Policy } from "../permission/decision.ts";
import { modes } from "../permission/mode.ts";
import type { CompactionOutcome } from "../turn/compact.ts";
import { answerMemory } from "./memory.ts";
import { reportPermissions } from "./permission-report.ts";

export interface Command {
  readonly name: string;
  readonly description: string;
  /** What may follow the name. */
  readonly hint?: string | undefined;
  /** The answer, in Markdown. */
  run(argument: string, room: CommandSession): string | Promise<string>;
}

/** What a command may see and change. */
export interface CommandSession {
  readonly session: {
    readonly modeId: string;
    readonly model: Model;
    readonly history: { readonly usage?: UsageSnapshot | undefined };
    setMode(modeId: string): boolean;
    setModel(id: string): boolean;
  };
  readonly modelIds: readonly string[];
  readonly servers: readonly ServerReport[];
  /** Nothing where the instructions come from somewhere else. */
  readonly instructionFiles: InstructionFiles | undefined;
  readonly policy: Policy;
  /** Those that the model can use. */
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  compact(focus: string | undefined): Promise<CompactionOutcome>;
}

export const commands: readonly Command[] = [
  {
    name: "help",
    description: "What this session can do",
    run: () => {
      const lines = commands.map(
        ({ name, hint, description }) => `- \`/${name}${hint ? ` ${hint}` : ""}\`: ${description}`,
      );
      return ["Ask for anything in plain words. Commands:", ...lines].join("\n");
    },
  },
  {
    name: "mode",
    description: "Show or change what I may do without asking",
    hint: "[read-only|workspace-write|full-access|plan]",
    run: (argument, { session }) => {
      if (argument === "") return `Mode: ${session.modeId}. ${listOf(modes.map(({ id }) => id))}`;
      return session.setMode(argument)
        ? `Mode: ${argument}.`
        : `There is no mode "${argument}". ${listOf(modes.map(({ id }) => id))}`;
    },
  },
  {
    name: "model",
    description: "Show or change the model",
    hint: "[provider/model]",
    run: (argument, { session, modelIds }) => {
      if (argument === "") return `Model: ${session.model.info.id}. ${listOf(modelIds)}`;
      return session.setModel(argument)
        ? `Model: ${session.model.info.id}.`
        : `The model "${argument}" is not known. ${listOf(modelIds)}`;
    },
  },
  {
    name: "context",
    description: "How full the model's window is",
    run: (_, { session }) => {
      const { usage } = session.history;
      if (usage === undefined) return "Nothing has been sent to the model yet.";
      const share = Math.round((usage.usedTokens / Math.max(1, usage.windowTokens)) * 100);
      const cost = usage.cost === undefined ? "" : ` The session has cost $${usage.cost.toFixed(4)}.`;
      return `The last request used ${usage.usedTokens} of ${usage.windowTokens} tokens (${share} %) of ${session.model.info.id}.${cost}`;
    },
  },
  {
    name: "mcp",
    description: "Which MCP servers there are, and how they are",
    run: (argument, { servers }) => {
      if (argument !== "")
        return "`/mcp` only shows them. `agentao mcp add` and `agentao mcp remove` in a shell change them.";
      if (servers.length === 0) return "There are no MCP servers in this session. `agentao mcp add` adds one.";
      return servers.map(toServerLine).join("\n");
    },
  },
  {
    name: "tools",
    description: "What I can use",
    run: (_, { tools }) =>
      tools.map(({ name, description }) => `- \`${name}\`: ${firstSentence(description)}`).join("\n"),
  },
  {
    name: "permissions",
    description: "What I may do without asking, and by whose word",
    run: (_, { policy }) => reportPermissions(policy),
  },
  {
    name: "memory",
    description: "Show what is remembered from session to session, or add to it",
    hint: "[add [--user] TEXT]",
    run: (argument, { instructionFiles }) => answerMemory(argument, instructionFiles),
  },
  {
    name: "compact",
    description: "Sum up the conversation so far, to make room in the model's window",
    hint: "[what to keep in mind]",
    run: async (argument, { compact }) => toReport(await compact(argument === "" ? undefined : argument)),
  },
];

const MAX_SENTENCE = 200;

/** What a server says of its tool may be a page long. */
function firstSentence(description: string): string {
  const [sentence = ""] = /^[\s\S]*?(?:[.;:](?=\s)|\n|$)/.exec(description.trim()) ?? [];
  const words = sentence.replace(/[.;:]?\s*$/, "");
  return words.length > MAX_SENTENCE ? `${words.slice(0, MAX_SENTENCE)}…` : `${words}.`;
}

function toServerLine({ name, source, transport, state, tools, lastError }: ServerReport): string {
  const known = tools.length === 0 ? "" : ` ${tools.length} tools: ${tools.map((tool) => `\`${tool}\``).join(", ")}.`;
  const trouble = lastError === undefined ? "" : ` Last error: ${lastError}`;
  return `- **${name}** (${transport}, from the ${source}): ${toStateText(state)}.${known}${trouble}`;
}

function toStateText(state: ServerReport["state"]): string {
  switch (state.type) {
    case "waiting":
    case "failed":
      return `${state.type}, ${state.why.replace(/\.$/, "")}`;
    case "needs-sign-in":
      return `needs a sign-in at ${state.url}`;
    case "connecting":
    case "connected":
    case "closed":
      return state.type;
  }
}

function toReport(outcome: CompactionOutcome): string {
  switch (outcome.type) {
    case "compacted":
      return `The conversation was summed up: ${outcome.tokensBefore} tokens became ${outcome.tokensAfter}.`;
    case "failed":
      return `The conversation could not be summed up, and is as it was. ${outcome.message}`;
    case "fits":
    case "nothing":
      return "There is nothing yet that a summary would make much shorter.";
    case "cancelled":
      return "Cancelled; the conversation is as it was.";
  }
}

/** The command a prompt is, with what follows its name. */
export function findCommand(prompt: string): { readonly command: Command; readonly argument: string } | undefined {
  const [, name, argument = ""] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(prompt.trim()) ?? [];
  const command = commands.find((one) => one.name === name);
  return command && { command, argument: argument.trim() };
}

function listOf(names: readonly string[]): string {
  return `Choose from: ${names.map((name) => `\`${name}\``).join(", ")}.`;
}
