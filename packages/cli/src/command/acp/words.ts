// What can be typed after `agentao acp`, for completion. The tools' own help says more of each.

import type { Operand, Option, Subcommand } from "../../manual/command.ts";

const JSON_OPTION: Option = { name: "--json", summary: "For programs." };

export const acpWords: readonly Subcommand[] = [
  tool("list", "[--json | --names]", "Which agents are configured, and what they are doing.", [
    JSON_OPTION,
    { name: "--names", summary: "Only the names, one in a line." },
  ]),
  tool("status", "[NAME] [--json]", "The same in detail.", [JSON_OPTION], "agent"),
  tool(
    "send",
    "NAME PROMPT",
    "Ask an agent one thing, and print what it says.",
    [
      { name: "--allow", summary: "Give every permission the agent asks for." },
      { name: "--timeout", value: "SECONDS", summary: "How long the agent may be silent." },
      { name: "--json", summary: "Events as JSON lines." },
      { name: "--fresh", summary: "Start the agent anew, also where one is running." },
    ],
    "agent",
  ),
  tool(
    "start",
    "NAME…",
    "Run agents in the foreground, and start them again when they die.",
    [{ name: "--all", summary: "Every agent but those with autoStart false." }],
    "agent",
  ),
  tool("stop", "NAME…", "End what start runs.", [{ name: "--all", summary: "Every agent that runs." }], "agent"),
  tool(
    "logs",
    "NAME",
    "The last lines an agent wrote to stderr.",
    [
      { name: "--lines", short: "-n", value: "N", summary: "How many." },
      { name: "--follow", short: "-f", summary: "Go on with what it writes." },
    ],
    "agent",
  ),
  tool("proxy", "-- COMMAND ARGS…", "Stand between any client and any agent.", [
    { name: "--record", value: "FILE", summary: "Write both directions to FILE." },
    { name: "--strict", summary: "Exit with 3 when something was wrong." },
    { name: "--quiet", summary: "Say nothing at the end." },
  ]),
  tool(
    "inspect",
    "FILE",
    "Print a recording.",
    [
      { name: "--breaches", summary: "Only frames with which something is wrong." },
      { name: "--full", summary: "Whole frames, not only their beginning." },
    ],
    "file",
  ),
  tool(
    "replay",
    "FILE -- COMMAND ARGS…",
    "Play a recording again, and say what is different now.",
    [
      { name: "--as", value: "SIDE", choices: ["client", "agent"], summary: "Which side of the recording to play." },
      { name: "--speed", value: "SPEED", choices: ["real", "instant"], summary: "How fast." },
      { name: "--timeout", value: "SECONDS", summary: "How long to wait for each answer." },
      { name: "--text", summary: "Also compare what the agent says, word for word." },
    ],
    "file",
  ),
];

function tool(name: string, usage: string, summary: string, options: readonly Option[], operand?: Operand): Subcommand {
  return {
    name,
    usage,
    summary,
    options: [...options, { name: "--help", short: "-h", summary: "Show its help." }],
    operand,
  };
}
