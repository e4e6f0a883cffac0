// Commands that only look: at the transcript, at what the agent has told.

import { sessionChanges } from "../session-change.ts";
import { costWord } from "../view/status-line.ts";
import { type CommandRoom, type Reply, show, tell } from "./command.ts";
import { findOption } from "./option.ts";

export function help(_: string, { commands }: CommandRoom): Reply {
  const lines = commands.map(
    ({ name, hint, description }) => `- \`/${name}${hint === undefined ? "" : ` ${hint}`}\` ${description}`,
  );
  return show(["Ask for anything in plain words.", "", ...KEYS, "", "Commands", "", ...lines].join("\n"));
}

const KEYS = [
  "- `Enter` sends; `Shift+Enter`, `Alt+Enter` or `Ctrl+J` begins a new line; `↑` `↓` bring back what was typed",
  "- `@` names a file, and at the beginning an agent of acp.json; `!` runs a command yourself, and the agent hears nothing of it; `/` is a command",
  "- `Esc` stops the turn; what is typed while it runs waits for its end",
  "- `Ctrl+O` opens tool calls; `Ctrl+T` opens thoughts; `Shift+Tab` changes the mode; `Ctrl+L` paints anew",
  "- `Ctrl+C` clears the line, twice it leaves; `Ctrl+D` leaves",
];

export function tellCost(_: string, { conversation }: CommandRoom): Reply {
  const cost = conversation.transcript.usage?.cost;
  return tell(cost == null ? "The agent has not told what it costs." : `${costWord(cost)} so far.`);
}

export function showDiff(_: string, { conversation }: CommandRoom): Reply {
  const changes = sessionChanges(conversation.transcript);
  if (changes.length === 0) return tell("This session has changed no file by its tools.");
  return { type: "diff", changes };
}

export function tellTools(_: string, { conversation }: CommandRoom): Reply {
  const counts = new Map<string, number>();
  for (const item of conversation.transcript.items) {
    if (item.type !== "tool-call") continue;
    const name = item.name ?? item.kind;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (counts.size === 0) return tell("No tool has been used yet; agents tell of a tool when they use it.");
  return tell([...counts].map(([name, count]) => `${name} × ${count}`).join("\n"));
}

export function tellPermissions(_: string, { conversation }: CommandRoom): Reply {
  const option = findOption(conversation.configOptions, "mode");
  const known = option?.options.flatMap((one) => ("group" in one ? one.options : [one]));
  const now = known?.find(({ value }) => value === option?.currentValue);
  if (now === undefined) {
    const { modeId } = conversation;
    return tell(modeId === undefined ? "This agent does not tell what it does without asking." : `Mode: ${modeId}.`);
  }
  const words = now.description == null ? now.name : `${now.name}: ${now.description}`;
  return tell(`${words.replace(/\.$/, "")}. /mode changes it.`);
}
