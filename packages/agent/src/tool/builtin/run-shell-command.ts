// run_shell_command: one command to its end, with its output shown as it comes. What may run is the gate's business.

import type { CallContent } from "../../event/event.ts";
import type { CommandResult } from "../../machine/machine.ts";
import { cleanText } from "../../machine/terminal-text.ts";
import { text } from "../../message/message.ts";
import { borderAfter, firstLine } from "../cut.ts";
import { defineInput, type InputOf, integer, optional, string, withDefault } from "../input.ts";
import { fenced } from "../outcome.ts";
import { absoluteIn } from "../place.ts";
import { defineTool, type ToolRoom } from "../tool.ts";

const DEFAULT_TIMEOUT_S = 120;
const MAX_TIMEOUT_S = 3_600;
const MAX_TOTAL_MS = 2 * 3_600_000;
const TITLE_CHARS = 120;
/** Of the output that is shown while the command runs. */
const SHOWN_CHARS = 8_000;

const input = defineInput({
  command: string("The command, for bash where there is one, else for sh", { aliases: ["cmd", "script"] }),
  description: optional(string("What it is for, in a few words")),
  working_directory: optional(
    string("Where it runs: a folder inside the project. Default: the working directory", {
      aliases: ["cwd", "workdir", "directory", "dir"],
    }),
  ),
  timeout: withDefault(
    integer("Seconds without any output after which it is ended", { minimum: 1, maximum: MAX_TIMEOUT_S }),
    DEFAULT_TIMEOUT_S,
  ),
});

type Input = InputOf<typeof input>;

export const runShellCommand = defineTool<Input>({
  name: "run_shell_command",
  description:
    "Runs a shell command and returns its output, stdout and stderr together, and its exit code. It has no input and no " +
    "terminal. Everything it started is ended with it, so nothing can be left running in the background.",
  inputSchema: input.schema,
  parse(given) {
    const parsed = input.parse(given);
    if ("problem" in parsed || parsed.input.command.trim() !== "") return parsed;
    return { problem: "command must not be empty" };
  },
  plan({ command, working_directory }, room) {
    const cwd = folderOf(working_directory, room);
    return {
      title: firstLine(command, TITLE_CHARS),
      kind: "execute",
      locations: [],
      effect: { type: "command", command, cwd },
    };
  },
  async run({ command, working_directory, timeout }, room, signal) {
    const cwd = await room.machine.resolveInside(folderOf(working_directory, room), signal);
    const screen = createScreen(room);
    const result = await room.machine.run(command, {
      cwd,
      env: room.env,
      inactivityMs: timeout * 1000,
      totalMs: MAX_TOTAL_MS,
      onOutput: screen.write,
      onTerminal: screen.terminal,
      signal,
    });
    return {
      failed: result.ended !== "by-itself" || result.exitCode !== 0,
      told: [text(toTold(result, timeout))],
      content: screen.content(result),
    };
  },
});

function folderOf(named: string | undefined, room: Pick<ToolRoom, "cwd" | "env">): string {
  return named === undefined || named.trim() === "" ? room.cwd : absoluteIn(room, named);
}

/** What the person sees: the terminal of the client where there is one, else the end of the output. */
function createScreen(room: ToolRoom) {
  let terminalId: string | undefined;
  let output = "";
  return {
    terminal(id: string): void {
      terminalId = id;
      room.show([{ type: "terminal", terminalId: id }]);
    },
    write(piece: string): void {
      if (terminalId !== undefined) return;
      output += piece;
      if (output.length > 2 * SHOWN_CHARS) output = output.slice(borderAfter(output, output.length - SHOWN_CHARS));
      room.show([text(fenced(cleanText(output)))]);
    },
    content(result: CommandResult): CallContent[] {
      if (terminalId !== undefined) return [{ type: "terminal", terminalId }];
      const shown = result.output === "" ? [] : [text(fenced(result.output))];
      const status = result.exitCode === 0 ? undefined : statusOf(result);
      return status === undefined ? shown : [...shown, text(status)];
    },
  };
}

function toTold(result: CommandResult, timeoutS: number): string {
  const said = {
    "by-itself": undefined,
    inactive: `Command timed out after ${timeoutS}s of inactivity.`,
    "too-long": `Command was ended after ${MAX_TOTAL_MS / 1000}s.`,
    aborted: "Command was cancelled.",
  }[result.ended];
  const isSilent = said === undefined && result.output === "" && result.exitCode === 0;
  if (isSilent) return "Command completed with no output.";
  const output = result.output === "" ? undefined : `STDOUT:\n${result.output.trimEnd()}`;
  return [said, output, statusOf(result)].filter((part) => part !== undefined).join("\n\n");
}

function statusOf({ exitCode, signal }: CommandResult): string | undefined {
  if (signal !== null) return `Signal: ${signal}`;
  return exitCode === null ? undefined : `Exit code: ${exitCode}`;
}
