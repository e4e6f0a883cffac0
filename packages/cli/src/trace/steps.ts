// A recording as a play: who says what after what, and which answer belongs to which question.

import { type FrameShape, keyOf, toShape } from "./frame-shape.ts";
import { type RecordedEnd, RecordingError, readRecording, type Sender } from "./recording.ts";

export type Said = Exclude<FrameShape, { type: "none" }>;
export type Question = Extract<Said, { type: "request" }>;
export type Answer = Extract<Said, { type: "result" | "error" }>;

export interface Step {
  readonly index: number;
  readonly from: Sender;
  readonly atMs: number;
  readonly said: Said;
  /** Of an answer: the step it answers. */
  readonly question?: Step | undefined;
}

export interface Play {
  readonly steps: readonly Step[];
  /** Of questions, by their index. */
  readonly answers: ReadonlyMap<number, Step>;
  readonly end?: RecordedEnd | undefined;
  /** Lines that were no frames, and answers to nothing: they cannot be played. */
  readonly left: number;
}

/** Throws a `RecordingError`. */
export async function readPlay(path: string): Promise<Play> {
  const lines: { from: Sender; atMs: number; frame: unknown }[] = [];
  let end: RecordedEnd | undefined;
  for await (const line of readRecording(path)) {
    if (line.type === "frame") lines.push({ from: line.from, atMs: line.atMs, frame: line.frame });
    else if (line.type === "end") end = line;
  }
  if (lines.length === 0) throw new RecordingError(`${path} has no frames to play`);
  return { ...toPlay(lines), end };
}

export function toPlay(
  lines: readonly { readonly from: Sender; readonly atMs: number; readonly frame: unknown }[],
): Play {
  const steps: Step[] = [];
  const answers = new Map<number, Step>();
  const open: Record<Sender, Map<string, Step>> = { client: new Map(), agent: new Map() };
  for (const { from, atMs, frame } of lines) {
    const said = toShape(frame);
    if (said.type === "none") continue;
    const index = steps.length;
    if (said.type === "request" || said.type === "notification") {
      const step: Step = { index, from, atMs, said };
      steps.push(step);
      if (said.type === "request") open[from].set(keyOf(said.id), step);
      continue;
    }
    const asked = open[from === "client" ? "agent" : "client"];
    const question = asked.get(keyOf(said.id));
    if (question === undefined) continue;
    asked.delete(keyOf(said.id));
    const step: Step = { index, from, atMs, said, question };
    steps.push(step);
    answers.set(question.index, step);
  }
  return { steps, answers, left: lines.length - steps.length };
}

export function methodOf({ said, question }: Step): string {
  if (said.type === "request" || said.type === "notification") return said.method;
  return question === undefined ? "" : methodOf(question);
}
