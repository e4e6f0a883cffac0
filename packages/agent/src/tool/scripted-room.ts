// For tests of tools: a room that remembers what was shown and asked, on whatever machine it is given.

import type { CallContent, PlanEntry } from "../event/event.ts";
import { createBackground } from "../machine/background.ts";
import type { Machine } from "../machine/machine.ts";
import { createSeenFiles } from "./seen-files.ts";
import type { AnyTool, PersonAnswer, Question, ToolOutcome, ToolRoom } from "./tool.ts";

export interface ScriptedRoom extends ToolRoom {
  readonly shown: (readonly CallContent[])[];
  readonly plans: (readonly PlanEntry[])[];
  readonly questions: Question[];
}

export function scriptedRoom(
  machine: Machine,
  cwd: string,
  options: {
    readonly answer?: PersonAnswer;
    readonly env?: ToolRoom["env"];
    readonly sandbox?: ToolRoom["sandbox"];
  } = {},
): ScriptedRoom {
  const [shown, plans, questions]: [ScriptedRoom["shown"], ScriptedRoom["plans"], Question[]] = [[], [], []];
  return {
    machine,
    cwd,
    roots: [cwd],
    env: options.env ?? { PATH: "/usr/local/bin:/usr/bin:/bin" },
    background: createBackground(machine),
    sandbox: options.sandbox,
    seen: createSeenFiles(),
    shown,
    plans,
    questions,
    show: (content) => void shown.push(content),
    setPlan: (entries) => void plans.push(entries),
    async askPerson(question) {
      questions.push(question);
      return options.answer ?? { type: "unavailable" };
    },
  };
}

const never = new AbortController().signal;

/** Parses, then runs; input that is refused is a mistake of the test. */
export async function runTool(
  tool: AnyTool,
  input: Readonly<Record<string, unknown>>,
  room: ToolRoom,
  signal: AbortSignal = never,
): Promise<ToolOutcome> {
  return tool.run(parsed(tool, input), room, signal);
}

export function planTool(tool: AnyTool, input: Readonly<Record<string, unknown>>, room: ToolRoom) {
  return tool.plan(parsed(tool, input), room);
}

export async function previewTool(tool: AnyTool, input: Readonly<Record<string, unknown>>, room: ToolRoom) {
  return tool.preview?.(parsed(tool, input), room, never);
}

/** What the model is told, when it is one text. */
export function told(outcome: ToolOutcome): string {
  return outcome.told.map((part) => (part.type === "text" ? part.text : `<${part.mimeType}>`)).join("\n");
}

function parsed(tool: AnyTool, input: Readonly<Record<string, unknown>>): never {
  const read = tool.parse(input);
  if ("problem" in read) throw new Error(read.problem);
  return read.input;
}
