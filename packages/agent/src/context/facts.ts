// What changes while a session goes on, told to the model beside a prompt, so that what it was told before never
// changes. The system prompt says what the tag means.

import type { PlanEntry } from "../event/event.ts";

export interface Facts {
  /** Of the person's day: 2026-01-31. */
  readonly date: string;
  readonly modeId: string;
  readonly branch?: string | undefined;
  readonly plan: readonly PlanEntry[];
}

/** Everything to a model that knows nothing yet, else what changed; nothing where nothing did. */
export function tellFacts(now: Facts, before: Facts | undefined): string | undefined {
  const lines = before === undefined ? all(now) : changes(now, before);
  return lines.length === 0 ? undefined : `<context>\n${lines.join("\n")}\n</context>`;
}

function all({ date, modeId, branch, plan }: Facts): string[] {
  return [
    `Date: ${date}`,
    ...(branch === undefined ? [] : [`Git branch: ${inline(branch)}`]),
    `Mode: ${modeId}. ${adviceOn(modeId)}`.trimEnd(),
    ...(plan.length === 0 ? [] : ["Your plan so far:", ...plan.map(planLine)]),
  ];
}

/** The plan is not among them: the model changed it itself. */
function changes(now: Facts, before: Facts): string[] {
  const { date, modeId, branch } = now;
  return [
    ...(date === before.date ? [] : [`Date: ${date}`]),
    ...(branch === before.branch ? [] : [`Git branch: ${branch === undefined ? "none any more" : inline(branch)}`]),
    ...(modeId === before.modeId ? [] : [`Mode: ${modeId}, no longer ${before.modeId}. ${adviceOn(modeId)}`.trimEnd()]),
  ];
}

function adviceOn(modeId: string): string {
  return MODE_ADVICE.get(modeId) ?? "";
}

const MODE_ADVICE: ReadonlyMap<string, string> = new Map([
  [
    "read-only",
    "You can read and search. Edits, and commands that change something, are refused: say what you would change instead.",
  ],
  [
    "workspace-write",
    "You can edit files in the folders of this session. Commands that may change something, and the web, ask the person first.",
  ],
  [
    "full-access",
    "Nothing asks the person first, so you answer for every call: be sure before you do what cannot be undone.",
  ],
  [
    "plan",
    "Explore and propose: read, search, and answer with a plan the person can agree to. Change nothing; edits and commands that change something are refused.",
  ],
]);

function planLine({ content, status }: PlanEntry): string {
  const mark = status === "completed" ? "x" : status === "in_progress" ? ">" : " ";
  return `- [${mark}] ${inline(content)}`;
}

/** Nothing that is told can end the line, or the tag. */
function inline(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("</", "< /");
}
