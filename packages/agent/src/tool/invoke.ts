// One call, from what the model wrote to what it is told: understand, announce, ask, run, bound. Every way out is an
// end that is told; nothing is thrown but a journal that cannot be written.

import { ABORTED, orAborted } from "../abort/until-aborted.ts";
import type { CallContent, CallView, Denial, Location } from "../event/event.ts";
import type { CallId } from "../id/id.ts";
import { type ImagePart, type TextPart, text } from "../message/message.ts";
import type { PermissionRequest, Verdict } from "../permission/request.ts";
import { boundContent, boundTold } from "./bound.ts";
import { parseInput } from "./parse-input.ts";
import { realEffect } from "./real-effect.ts";
import type { Toolset } from "./registry.ts";
import type { AnyTool, CallPlan, ToolOutcome, ToolRoom } from "./tool.ts";

interface CallBase {
  readonly callId: CallId;
  readonly name: string;
  readonly rawInput: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A call that can be carried out, or one that cannot be understood and why. */
export type PreparedCall = CallBase &
  (
    | { readonly type: "ready"; readonly tool: AnyTool; readonly parsed: never; readonly plan: CallPlan }
    | { readonly type: "unusable"; readonly problem: string }
  );

export interface CallEnd {
  readonly failed: boolean;
  readonly told: readonly (TextPart | ImagePart)[];
  readonly content?: readonly CallContent[] | undefined;
  readonly locations?: readonly Location[] | undefined;
  readonly denial?: Denial | undefined;
}

/** Where a call is reported. Whoever records may throw; progress may not. */
export interface CallDesk {
  readonly tools: Omit<ToolRoom, "show">;
  readonly gate: { ask(request: PermissionRequest, signal: AbortSignal): Promise<Verdict> };
  announce(view: CallView, rawInput: string): Promise<void> | undefined;
  decided(verdict: Verdict): void;
  started(): Promise<void> | undefined;
  progress(content: readonly CallContent[]): void;
  ended(end: CallEnd): Promise<void> | undefined;
  linger(work: Promise<unknown>): void;
}

/** Understands a call without doing anything. */
export function prepare(
  call: { readonly callId: CallId; readonly name: string; readonly input: string },
  toolset: Toolset,
  room: Omit<ToolRoom, "show">,
): PreparedCall {
  const parsed = parseInput(call.input);
  const input = parsed.type === "object" ? parsed.input : {};
  const base: CallBase = { callId: call.callId, name: call.name, rawInput: call.input, input };
  const tool = toolset.find(call.name) ?? toolset.closest(call.name);
  if (tool === undefined) return { ...base, type: "unusable", problem: unknownTool(call.name, toolset) };
  if (parsed.type === "nonsense") return { ...base, name: tool.name, type: "unusable", problem: parsed.problem };
  const read = tool.parse(input);
  if ("problem" in read) return { ...base, name: tool.name, type: "unusable", problem: read.problem };
  const plan = planOf(tool, read.input, room);
  if (typeof plan === "string") return { ...base, name: tool.name, type: "unusable", problem: plan };
  return { ...base, name: tool.name, type: "ready", tool, parsed: read.input, plan };
}

/** Or why there is none: a path no system would open. */
function planOf(tool: AnyTool, input: never, room: Omit<ToolRoom, "show">): CallPlan | string {
  try {
    return tool.plan(input, { ...room, show: () => {} });
  } catch (cause) {
    return `Error: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

/** Whether it may run beside others: it looks, asks, or cannot run at all. */
export function isHarmless(call: PreparedCall): boolean {
  if (call.type === "unusable") return true;
  const { effect } = call.plan;
  return effect.type === "read" || effect.type === "fetch" || (effect.type === "other" && effect.readOnly);
}

export async function invoke(call: PreparedCall, desk: CallDesk, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  if (call.type === "unusable") {
    await desk.announce(unusableView(call), call.rawInput);
    await desk.ended(failure(call.problem));
    return;
  }
  const preview = await previewOf(call, desk, signal);
  if (preview === ABORTED) return;
  await desk.announce(viewOf(call, preview), call.rawInput);

  const verdict = await orAborted(judge(call, preview, desk, signal), signal);
  if (verdict === ABORTED) {
    await desk.ended(failure("Not run: the turn was cancelled."));
    return;
  }
  desk.decided(verdict);
  if (verdict.type === "denied") {
    await desk.ended(denial(verdict));
    return;
  }
  await desk.started();
  await desk.ended(await run(call, desk, signal));
}

async function judge(
  call: ReadyCall,
  content: readonly CallContent[],
  { gate, tools }: CallDesk,
  signal: AbortSignal,
): Promise<Verdict> {
  const effect = await realEffect(call.plan.effect, tools, signal);
  return gate.ask({ ...requestOf(call, content), effect }, signal);
}

type ReadyCall = Extract<PreparedCall, { type: "ready" }>;

async function run(call: ReadyCall, desk: CallDesk, signal: AbortSignal): Promise<CallEnd> {
  let over = false;
  const room: ToolRoom = {
    ...desk.tools,
    show: (content) => {
      if (!over) desk.progress(boundContent(content));
    },
  };
  const work = attempt(() => call.tool.run(call.parsed, room, signal));
  const outcome = await orAborted(work, signal);
  over = true;
  if (outcome === ABORTED) {
    desk.linger(work);
    return failure("Cancelled while it ran. It may have had a part of its effect.");
  }
  return {
    failed: outcome.failed ?? false,
    told: boundTold(outcome.told),
    ...(outcome.content && { content: boundContent(outcome.content) }),
    ...(outcome.locations && { locations: outcome.locations }),
  };
}

/** A tool's failure is something to tell the model, not something to throw. */
async function attempt(run: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await run();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    return { failed: true, told: [text(`Error: ${message}`)] };
  }
}

/** A preview that fails is no reason not to ask: the run will tell what is wrong. */
function previewOf(call: ReadyCall, desk: CallDesk, signal: AbortSignal) {
  const { tool, parsed } = call;
  if (tool.preview === undefined) return Promise.resolve([] as readonly CallContent[]);
  const look = tool.preview(parsed, { ...desk.tools, show: () => {} }, signal).then(boundContent, () => []);
  return orAborted<readonly CallContent[]>(look, signal);
}

function viewOf(call: ReadyCall, content: readonly CallContent[]): CallView {
  const { callId, name, input, plan } = call;
  return { callId, name, title: plan.title, kind: plan.kind, locations: plan.locations, input, content };
}

function unusableView({ callId, name, input }: PreparedCall): CallView {
  return { callId, name, title: name, kind: "other", locations: [], input, content: [] };
}

function requestOf(call: ReadyCall, content: readonly CallContent[]): PermissionRequest {
  const { callId, name, input, parsed, plan } = call;
  const { effect, title, kind, locations } = plan;
  return { callId, tool: name, input, parsed, effect, title, kind, locations, content };
}

function unknownTool(name: string, toolset: Toolset): string {
  const names = toolset.specs().map((spec) => spec.name);
  return `There is no tool named "${name}". The tools are: ${names.join(", ")}.`;
}

/** The person is told why, the model also what not to do now. */
function denial({ by, because, rule, told = because }: Verdict): CallEnd {
  return {
    ...failure(told),
    content: [text(`Not run: ${because}.`)],
    denial: { by, because, ...(rule !== undefined && { rule }) },
  };
}

function failure(message: string): CallEnd {
  return { failed: true, told: [text(message)] };
}
