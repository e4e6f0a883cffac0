// check_background_command: what runs in the background, or how one of it is doing and what it said since the last time.

import type { BackgroundCommand, BackgroundReport } from "../../machine/background.ts";
import { text } from "../../message/message.ts";
import { firstLine } from "../cut.ts";
import { defineInput, type InputOf, optional, string } from "../input.ts";
import { failure, fenced } from "../outcome.ts";
import { defineTool, type ToolOutcome, type ToolRoom } from "../tool.ts";
import { explainExit } from "./command-end.ts";

const LISTED_CHARS = 80;

const input = defineInput({
  id: optional(
    string("Which one, as run_shell_command named it. Default: all of them, in a list", { aliases: ["command_id"] }),
  ),
});

type Given = InputOf<typeof input>;

export const checkBackgroundCommand = defineTool<Given>({
  name: "check_background_command",
  description:
    "Tells whether a command in the background still runs or how it ended, and what it has written since the last " +
    "check. Without an id it lists all of them.",
  inputSchema: input.schema,
  parse: input.parse,
  plan: ({ id }) => ({
    title: isNamed(id) ? `Check ${id.trim()}` : "List background commands",
    kind: "read",
    locations: [],
    effect: { type: "session" },
  }),
  async run({ id }, room) {
    if (!isNamed(id)) return { told: [text(toList(room.background.list()))] };
    const report = room.background.check(id.trim());
    return report === undefined ? unknownCommand(id, room) : toOutcome(report);
  },
});

function isNamed(id: string | undefined): id is string {
  return id !== undefined && id.trim() !== "";
}

function toList(commands: readonly BackgroundCommand[]): string {
  if (commands.length === 0) return "No command runs in the background.";
  return commands.map((one) => `${one.id}: ${stateOf(one)}: ${firstLine(one.command, LISTED_CHARS)}`).join("\n");
}

export function unknownCommand(id: string, { background }: Pick<ToolRoom, "background">): ToolOutcome {
  const known = background.list().map((one) => one.id);
  const those = known.length === 0 ? "There are none" : `There are: ${known.join(", ")}`;
  return failure(`No command in the background is named "${id}". ${those}.`);
}

export function toOutcome(report: BackgroundReport): ToolOutcome {
  const { output, outputFile } = report;
  const file = outputFile === undefined ? undefined : `All of its output: ${outputFile}`;
  const news = output === "" ? "No new output." : `New output:\n${leftOut(report)}${output.trimEnd()}`;
  const head = `${report.id}: ${stateOf(report)}`;
  return {
    told: [text([head, news, file].filter((part) => part !== undefined).join("\n\n"))],
    content: [text(head), ...(output === "" ? [] : [text(fenced(output))])],
  };
}

function leftOut({ leftOut }: BackgroundReport): string {
  return leftOut === 0 ? "" : `[… ${leftOut.toLocaleString("en-US")} characters left out here …]\n`;
}

function stateOf({ ended, pid }: BackgroundCommand): string {
  if (ended === undefined) return `running (PID ${pid})`;
  if ("problem" in ended) return `failed: ${ended.problem}`;
  const { exitCode, signal } = ended;
  const end = signal === null ? `, exit code ${exitCode}` : ` by ${signal}`;
  // Who was stopped got its signal from us.
  return ended.ended === "aborted" ? `stopped${end}` : `ended${end}${explainExit(ended)}`;
}
