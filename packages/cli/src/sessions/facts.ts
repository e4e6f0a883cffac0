// What there is to know about a session besides what was said, a line each.

import { toClock, toSpan } from "../text/when.ts";
import { type CallItem, describeDecision, type Item, type Transcript, type Turn } from "./transcript.ts";

export function titleOf({ title, turns }: Transcript): string {
  if (title !== undefined && title.trim() !== "") return title;
  const first = turns[0]?.prompt.find((part) => part.type === "text");
  return (first?.type === "text" && first.text.trim().split("\n", 1)[0]?.slice(0, 80)) || "Untitled session";
}

export function factsOf(transcript: Transcript): readonly (readonly [name: string, value: string])[] {
  const { id, cwd, model, mode, thoughtLevel, cost, usedTokens, windowTokens, forkedFrom } = transcript;
  const decisions = callsOf(transcript).flatMap((call) => call.decisions);
  const denied = decisions.filter(({ allowed }) => !allowed).length;
  const tokens =
    usedTokens === undefined
      ? undefined
      : `${grouped(usedTokens)} of ${grouped(windowTokens)} tokens in the last request`;
  return [
    fact("Session", id),
    fact("Folder", cwd),
    fact("Forked from", forkedFrom),
    fact("Model", model === undefined || thoughtLevel === undefined ? model : `${model}, thinking ${thoughtLevel}`),
    fact("Mode", mode),
    fact("Began", toClock(transcript.createdAt)),
    fact("Last used", toClock(transcript.updatedAt)),
    fact("Worked", workOf(transcript)),
    fact("Cost", cost === undefined ? undefined : `$${cost.toFixed(cost < 1 ? 4 : 2)}`),
    fact("Context", tokens),
    fact("Decisions", decisions.length === 0 ? undefined : `${decisions.length}, ${denied} of them denied`),
  ].flat();
}

/** `200,000`. */
function grouped(count = 0): string {
  return count.toLocaleString("en-US");
}

/** How long is not known of sessions of the reference system. */
function workOf({ workedMs, turns }: Transcript): string {
  const count = `${turns.length} ${turns.length === 1 ? "turn" : "turns"}`;
  return workedMs === 0 ? count : `${toSpan(workedMs)} in ${count}`;
}

function callsOf({ turns }: Transcript): readonly CallItem[] {
  return turns.flatMap(({ items }) => items.filter((item) => item.type === "call"));
}

/** What was decided about a call, and how it ended. */
export function notesOn({ decisions, runningAt, endedAt, failed }: CallItem): readonly string[] {
  const took = runningAt !== undefined && endedAt !== undefined ? [`took ${toSpan(endedAt - runningAt)}`] : [];
  const isDenied = decisions.some(({ allowed }) => !allowed);
  const ended = failed === undefined ? ["never ended"] : failed && !isDenied ? ["failed"] : [];
  return [...decisions.map(describeDecision), ...ended, ...took];
}

/** Of a plan that was changed again and again, the last one tells it all. */
export function itemsToShow({ items }: Turn): readonly Item[] {
  const last = items.findLast(({ type }) => type === "plan");
  return items.filter((item) => item.type !== "plan" || item === last);
}

export function callTitle({ call }: CallItem): string {
  return call.title || call.name;
}

function fact(name: string, value: string | undefined): readonly (readonly [string, string])[] {
  return value === undefined ? [] : [[name, value]];
}
