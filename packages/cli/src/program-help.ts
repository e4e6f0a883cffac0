// The help of the program as a whole. The list of commands is made from their table, so that it is always true.

import type { CommandTable, Option } from "./command/command.ts";
import { optionWords, toRows } from "./manual/manual.ts";

export const programOptions: readonly Option[] = [
  {
    name: "--acp",
    summary: "Serve the Agent Client Protocol (ACP) v1 over stdin and stdout, for editors and programs.",
  },
  { name: "--stdio", summary: "The transport of --acp. It is the only one so far, so it may be left out." },
  {
    name: "--resume",
    value: "[ID]",
    summary: "With --acp: the first session/new goes on with session ID, or with the newest one of its folder.",
  },
  { name: "--help", short: "-h", summary: "Show this." },
  { name: "--version", short: "-V", summary: "Show the version." },
];

export function toProgramHelp(commands: CommandTable): string {
  const names = Object.entries(commands).map(([name, { summary }]) => [name, `${summary}.`] as const);
  const options = programOptions.map((option) => [optionWords(option), option.summary] as const);
  return `agentao: a governed agent that any host can drive

Usage
  agentao --acp [--stdio] [--resume [ID]]
  agentao COMMAND [ARGUMENTS]
  agentao --help | --version

Commands
${toRows(names).join("\n")}
  "agentao COMMAND --help" says how each is used.

Options
${toRows(options).join("\n")}

Talk to a model
  One variable is enough: OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, DEEPSEEK_API_KEY, MOONSHOT_API_KEY,
  XAI_API_KEY, MISTRAL_API_KEY, ZAI_API_KEY, DASHSCOPE_API_KEY, OPENROUTER_API_KEY, GROQ_API_KEY, CEREBRAS_API_KEY,
  TOGETHER_API_KEY or FIREWORKS_API_KEY; of several, the first in this order. Without a key, a running Ollama,
  LM Studio or llama.cpp is used; without that, a scripted demo that needs neither a key nor a network:
  printf '%s\\n' '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}' | agentao --acp

In an editor (Zed)
  { "agent_servers": { "agentao": { "command": "agentao", "args": ["--acp", "--stdio"] } } }

Environment
  AGENTAO_MODEL  The model of new sessions, as provider/model. scripted/FILE.json plays a scenario of your own.
  LLM_PROVIDER   The provider of new sessions. With NAME in it, NAME_API_KEY, NAME_BASE_URL and NAME_MODEL are read;
                 any other name is an address that speaks OpenAI's chat completions, and needs all three.
  LLM_TEMPERATURE, LLM_MAX_TOKENS, LLM_EXTRA_BODY (a JSON object)   What to send with every request.
  AGENTAO_LOCAL_MODELS=0   Do not look for servers on this machine.
  AGENTAO_HOME   Where sessions and settings are kept. Default: ~/.agentao
  AGENTAO_LOG    A file to log what went wrong to. Default: agentao.log in AGENTAO_HOME

Files
  settings.json in AGENTAO_HOME and in .agentao of a project: model, mode, providers. A project can make the mode only
  stricter, and never gets your keys for an address of its own. "agentao config path" says which files are read.
  .env of a project fills variables that are not set, for the sessions in it; commands do not see it.

Exit codes
  0  done, or the client went away    2  the command line makes no sense    1  anything else
`;
}
