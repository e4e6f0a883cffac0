// The help of the program as a whole. The list of commands is made from their table, so that it is always true.

import type { CommandTable, Option } from "./manual/command.ts";
import { toRow, toRows } from "./manual/manual.ts";

export const programOptions: readonly Option[] = [
  {
    name: "--acp",
    summary: "Serve the Agent Client Protocol (ACP) v1 over stdin and stdout, for editors and programs.",
  },
  { name: "--stdio", summary: "The transport of --acp. It is the only one so far, so it may be left out." },
  { name: "--print", short: "-p", summary: "Do one job without a person, as agentao run does." },
  {
    name: "--resume",
    value: "[ID]",
    summary:
      "Go on with session ID, or with the newest one of this folder. With --acp: the first session/new does, in its folder.",
  },
  { name: "--continue", short: "-c", summary: "Go on with the newest session of this folder. Not with --acp." },
  { name: "--model", value: "MODEL", summary: "The model, as provider/model. Not with --acp." },
  {
    name: "--mode",
    value: "MODE",
    choices: ["read-only", "workspace-write", "full-access", "plan"],
    summary: "What the agent may do without asking. Not with --acp.",
  },
  { name: "--cwd", value: "FOLDER", summary: "Work there instead of here. Not with --acp." },
  {
    name: "--agent",
    value: "COMMAND",
    summary: "Talk to another ACP agent, started by this command. Not with --acp.",
  },
  { name: "--help", short: "-h", summary: "Show this." },
  { name: "--version", short: "-V", summary: "Show the version." },
];

export function toProgramHelp(commands: CommandTable): string {
  const names = Object.entries(commands).map(([name, { summary }]) => [name, `${summary}.`] as const);
  const options = programOptions.map(toRow);
  return `agentao: a governed agent that any host can drive

Usage
  agentao [OPTIONS]                          Talk to an agent in this terminal.
  agentao -p PROMPT [OPTIONS]                Do one job and print the answer: agentao run PROMPT.
  agentao --acp [--stdio] [--resume [ID]]    Serve an editor or another program.
  agentao COMMAND [ARGUMENTS]
  agentao --help | --version

Commands
${toRows(names).join("\n")}
  "agentao COMMAND --help" says how each is used.

Options
${toRows(options).join("\n")}
  Those of "agentao run --help" can stand beside -p.

Talk to a model
  One variable is enough: OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, DEEPSEEK_API_KEY,
  MOONSHOT_API_KEY, XAI_API_KEY, MISTRAL_API_KEY, ZAI_API_KEY, DASHSCOPE_API_KEY,
  OPENROUTER_API_KEY, GROQ_API_KEY, CEREBRAS_API_KEY, TOGETHER_API_KEY or FIREWORKS_API_KEY; of
  several, the first in this order. Without a key, a running Ollama, LM Studio or llama.cpp is
  used; without that, a scripted demo that needs neither a key nor a network:
  agentao -p help

In an editor (Zed)
  { "agent_servers": { "agentao": {
    "type": "custom", "command": "agentao", "args": ["--acp", "--stdio"] } } }

Environment
${toRows(ENVIRONMENT).join("\n")}

Files
  settings.json in AGENTAO_HOME and in .agentao of a project: model, mode, providers. A project can
  make the mode only stricter, and never gets your keys for an address of its own.
  "agentao config path" says which files are read.
  .env of a project fills variables that are not set, for the sessions in it; commands do not see
  it.

Exit codes
  0  done, or the client went away
  1  anything else
  2  the command line makes no sense
`;
}

const ENVIRONMENT: readonly (readonly [string, string])[] = [
  ["AGENTAO_MODEL", "The model of new sessions, as provider/model. scripted/FILE.json plays a scenario of your own."],
  [
    "LLM_PROVIDER",
    "The provider of new sessions. With NAME in it, NAME_API_KEY, NAME_BASE_URL and NAME_MODEL are read; any other name is an address that speaks OpenAI's chat completions, and needs all three.",
  ],
  ["LLM_TEMPERATURE", "Sent with every request, as LLM_MAX_TOKENS and LLM_EXTRA_BODY (a JSON object) are."],
  ["AGENTAO_LOCAL_MODELS", "0: do not look for servers on this machine."],
  ["AGENTAO_HOME", "Where sessions and settings are kept. Default: ~/.agentao"],
  ["AGENTAO_LOG", "A file to log what went wrong to. Default: agentao.log in AGENTAO_HOME"],
];
