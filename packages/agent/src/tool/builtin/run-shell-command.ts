// run_shell_command: one command to its end, with its output shown as it comes, or one that goes on in the background.
// What may run is the gate's business.

import type { CallContent } from "../../event/event.ts";
import type { CommandResult } from "../../machine/machine.ts";
import type { SandboxPolicy } from "../../machine/sandbox-policy.ts";
import { type Trouble, troubleOf } from "../../machine/sandbox-trouble.ts";
import { text } from "../../message/message.ts";
import { visible } from "../../permission/visible.ts";
import { firstLine } from "../cut.ts";
import { boolean, defineInput, type Input, type InputOf, integer, optional, string, withDefault } from "../input.ts";
import { fenced } from "../outcome.ts";
import { absoluteIn } from "../place.ts";
import { type AnyTool, defineTool, type ToolOutcome, type ToolRoom } from "../tool.ts";
import { type CommandLimits, showEnd, tellEnd } from "./command-end.ts";
import { createScreen } from "./command-screen.ts";

const DEFAULT_TIMEOUT_S = 120;
const MAX_TIMEOUT_S = 3_600;
const MAX_TOTAL_S = 7_200;
const TITLE_CHARS = 120;

const fields = {
  command: string("The command, for bash where there is one, else for sh", { aliases: ["cmd", "script"] }),
  description: optional(string("What it is for, in a few words")),
  working_directory: optional(
    string("Where it runs: a folder inside the project. Default: the working directory", {
      aliases: ["cwd", "workdir", "directory", "dir"],
    }),
  ),
  timeout: withDefault(
    integer("Seconds without any output after which it is ended; not for the background", {
      minimum: 1,
      maximum: MAX_TIMEOUT_S,
    }),
    DEFAULT_TIMEOUT_S,
  ),
  is_background: withDefault(
    boolean("Start it, and go on at once while it runs: for servers and watchers", {
      aliases: ["background", "run_in_background"],
    }),
    false,
  ),
};

const input = defineInput(fields);
const sandboxInput = defineInput({
  ...fields,
  outside_sandbox: withDefault(boolean("Run it outside the sandbox. The user is asked, with the reason"), false),
  reason: optional(string("Why it has to run outside the sandbox: one sentence for the user")),
});

type Given = InputOf<typeof input> & Partial<InputOf<typeof sandboxInput>>;

const DESCRIPTION =
  "Runs a shell command and returns its output, stdout and stderr together, and its exit code. It has no input and no " +
  "terminal. Everything it started is ended with it. What has to go on runs with is_background: that returns an id at " +
  "once, check_background_command tells its state and new output, stop_background_command ends it, and it ends with the " +
  "session.";
const IN_SANDBOX =
  " Commands run in a sandbox: they can write in the project and in /tmp, hardly anything else, and may have no network. " +
  "Use outside_sandbox only for a command that failed because of that.";

export const runShellCommand = create(input, DESCRIPTION);
/** For sessions whose commands are confined. */
export const runShellCommandInSandbox = create(sandboxInput, DESCRIPTION + IN_SANDBOX);

function create(accepted: Input<Given>, description: string): AnyTool {
  return defineTool<Given>({
    name: "run_shell_command",
    description,
    inputSchema: accepted.schema,
    parse(given) {
      const parsed = accepted.parse(given);
      if ("problem" in parsed) return parsed;
      const { command, outside_sandbox, reason } = parsed.input;
      if (command.trim() === "") return { problem: "command must not be empty" };
      if (outside_sandbox && (reason ?? "").trim() === "") {
        return { problem: "reason is required with outside_sandbox" };
      }
      return parsed;
    },
    plan(given, room) {
      const { command } = given;
      const cwd = folderOf(given, room);
      const place = placeOf(given, room);
      return {
        title: firstLine(command, TITLE_CHARS) + TITLES[place.type],
        kind: "execute",
        locations: [],
        effect: { type: "command", command, cwd, ...effectOf(place) },
      };
    },
    async preview(given, room) {
      const place = placeOf(given, room);
      const whole = wholeOf(given.command);
      if (place.type === "outside") return [text(`Runs outside the sandbox: ${visible(place.reason)}`), ...whole];
      return place.type === "unavailable" ? [text(`Not sandboxed: ${place.why}`), ...whole] : whole;
    },
    async run(given, room, signal) {
      const cwd = await room.machine.resolveInside(folderOf(given, room), signal);
      const place = placeOf(given, room);
      const where = { cwd, env: room.env, sandbox: place.type === "inside" ? place.policy : undefined, signal };
      return given.is_background ? startInBackground(given, room, where) : runToEnd(given, room, where);
    },
  });
}

/** What the title leaves out is what a person would decide without. */
function wholeOf(command: string): CallContent[] {
  const isInTitle = firstLine(command, TITLE_CHARS) === command.trim();
  return isInTitle ? [] : [text(fenced(visible(command.trim()), "sh"))];
}

// ---- where it runs ----

type Place =
  | { readonly type: "anywhere" }
  | { readonly type: "inside"; readonly policy: SandboxPolicy; readonly isAsked: boolean }
  | { readonly type: "outside"; readonly reason: string }
  | { readonly type: "unavailable"; readonly why: string };

const TITLES: Readonly<Record<Place["type"], string>> = {
  anywhere: "",
  inside: "",
  outside: " (outside the sandbox)",
  unavailable: " (not sandboxed)",
};

function placeOf({ outside_sandbox, reason }: Given, { sandbox }: ToolRoom): Place {
  if (sandbox === undefined) return { type: "anywhere" };
  if (sandbox.type === "unavailable") return sandbox;
  return outside_sandbox ? { type: "outside", reason: reason?.trim() ?? "" } : { ...sandbox, type: "inside" };
}

function effectOf(place: Place): { sandboxed?: boolean; reason?: string } {
  if (place.type === "outside") return { sandboxed: false, reason: place.reason };
  return place.type === "inside" && !place.isAsked ? { sandboxed: true } : {};
}

function folderOf({ working_directory }: Given, room: Pick<ToolRoom, "cwd" | "env">): string {
  const isNamed = working_directory !== undefined && working_directory.trim() !== "";
  return isNamed ? absoluteIn(room, working_directory) : room.cwd;
}

interface Where {
  readonly cwd: string;
  readonly env: ToolRoom["env"];
  readonly sandbox: SandboxPolicy | undefined;
  readonly signal: AbortSignal;
}

// ---- in the background ----

async function startInBackground({ command }: Given, room: ToolRoom, where: Where): Promise<ToolOutcome> {
  const { id, pid } = await room.background.start(command, where);
  const said = `Started in the background as ${id}. PID: ${pid}, PGID: ${pid}.`;
  const next = `check_background_command with id "${id}" tells its state and new output; stop_background_command ends it.`;
  return { told: [text(`${said}\n${next}`)], content: [text(said)] };
}

// ---- to its end ----

async function runToEnd({ command, timeout }: Given, room: ToolRoom, where: Where): Promise<ToolOutcome> {
  const screen = createScreen(room);
  try {
    const result = await room.machine.run(command, {
      ...where,
      inactivityMs: timeout * 1000,
      totalMs: MAX_TOTAL_S * 1000,
      onOutput: screen.write,
      onTerminal: screen.terminal,
    });
    const terminal = screen.end();
    const limits = { inactivityS: timeout, maxInactivityS: MAX_TIMEOUT_S, totalS: MAX_TOTAL_S };
    const hint = where.sandbox === undefined ? undefined : hintOf(troubleOf(result), where.sandbox);
    return {
      failed: result.ended !== "by-itself" || result.exitCode !== 0,
      told: [text([tellEnd(result, limits), hint].filter((part) => part !== undefined).join("\n\n"))],
      content: terminal === undefined ? toContent(result, limits) : [terminal],
    };
  } finally {
    screen.end();
  }
}

const ASK = "If it has to, run it again with outside_sandbox and a reason; the user is asked.";

/** What the model may do about a failure that the sandbox seems to be the cause of. */
function hintOf(trouble: Trouble | undefined, { network }: SandboxPolicy): string | undefined {
  if (trouble === "files") {
    return `This may be the sandbox: a command can write in the project and in /tmp only, and not read credentials. ${ASK}`;
  }
  if (trouble === undefined || network) return undefined;
  return `This may be the sandbox: a command has no network there, and cannot reach servers of other commands. ${ASK}`;
}

function toContent(result: CommandResult, limits: CommandLimits): CallContent[] {
  const shown = result.output === "" ? [] : [text(fenced(result.output))];
  const end = showEnd(result, limits);
  return end === undefined ? shown : [...shown, text(end)];
}
