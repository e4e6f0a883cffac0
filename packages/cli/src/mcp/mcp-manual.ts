// What `agentao mcp` says about itself.

import type { Option } from "../manual/command.ts";
import type { Manual } from "../manual/manual.ts";
import { addOptions, SCOPES } from "./add-server.ts";

const JSON_OPTION: Option = { name: "--json", summary: "For programs." };

export const manual: Manual = {
  name: "mcp",
  title: "list, add, check and sign in to MCP servers",
  about: [
    "MCP servers give agentao more tools. Yours are in mcp.json of AGENTAO_HOME and are there in every project; those of a project are in .agentao/mcp.json and are used only after you gave your consent, once for each and again when it changes. Where both have one name, yours counts.",
    'The form is {"mcpServers": {"NAME": {"command": "npx", "args": ["-y", "…"], "env": {"KEY": "$KEY"}}}}, or with "url" and "headers" for a server that runs elsewhere. $NAME, also with braces, in env, headers, args and url is looked up in your environment at each start, so that secrets need not be in the file.',
    "Without a command, all servers are listed.",
  ],
  subcommands: [
    {
      name: "list",
      usage: "[--check] [--json | --names]",
      summary: "All servers of you and of this project.",
      options: [
        { name: "--check", summary: "Connect to each, and say how that went." },
        JSON_OPTION,
        { name: "--names", summary: "Only the names, one in a line." },
      ],
    },
    {
      name: "add",
      usage: "NAME [OPTIONS] URL | NAME [OPTIONS] -- COMMAND ARGS…",
      summary: "Write a server down. What you add to a project has your consent.",
      options: addOptions,
    },
    {
      name: "remove",
      usage: "NAME [--scope SCOPE]",
      summary: "Take a server out of its file.",
      options: [{ name: "--scope", value: "SCOPE", choices: SCOPES, summary: "Needed where both files have it." }],
      operand: "server",
    },
    {
      name: "test",
      usage: "NAME [--json]",
      summary: "Connect to a server and print its tools, or what is wrong.",
      options: [JSON_OPTION],
      operand: "server",
    },
    {
      name: "login",
      usage: "NAME | URL",
      summary: "Sign in to a server that wants that: prints a page to open, and waits for you to come back.",
      options: [],
      operand: "server",
    },
    { name: "logout", usage: "NAME | URL", summary: "Forget a sign-in.", options: [], operand: "server" },
    {
      name: "trust",
      usage: "NAME [--revoke]",
      summary: "Give your consent to a server of this project.",
      options: [{ name: "--revoke", summary: "Take it back, and do not be asked again." }],
      operand: "server",
    },
  ],
  examples: [
    ["agentao mcp add files -- npx -y @modelcontextprotocol/server-filesystem .", "A program that is started."],
    ["agentao mcp add docs https://example.com/mcp", "A server that runs elsewhere."],
    [
      "agentao mcp add gh https://example.com/mcp --header 'Authorization: Bearer $GH_TOKEN'",
      "With a secret that stays in your environment. Mind the quotes.",
    ],
    ["agentao mcp test files", "Does it start, and what can it do?"],
    ["agentao mcp login docs", "It wants to know who you are."],
  ],
  exitCodes: [
    [0, "done; of list --check and test: it could be connected"],
    [1, "there is no such server, it cannot be used, or a file cannot be read or written"],
    [2, "the command line makes no sense"],
  ],
};
