// What a turn works with. The session provides it; a turn knows no session, no journal and no client.

import type { LastingEvent, PassingEvent } from "../event/event.ts";
import type { Ids, TurnId } from "../id/id.ts";
import type { Model, ModelRequest, Usage } from "../model/model.ts";
import type { PermissionRequest, Verdict } from "../permission/request.ts";
import type { Toolset } from "../tool/registry.ts";
import type { ToolRoom } from "../tool/tool.ts";
import type { RetryPolicy } from "./back-off.ts";
import type { CompactionOutcome, CompactionWish } from "./compact.ts";

export interface TurnRoom {
  readonly turnId: TurnId;
  readonly ids: Ids;
  readonly maxSteps: number;
  now(): number;
  /** The model of the next step: it may change between two. */
  model(): Model;
  /** What the model sees next. */
  request(): ModelRequest;
  readonly retry: RetryPolicy;
  /** Makes room in the model's window where there is too little, or where that is wished. */
  fit(signal: AbortSignal, wish?: CompactionWish): Promise<CompactionOutcome>;
  /** Those of the next step: MCP servers come and go. */
  toolset(): Toolset;
  readonly tools: Omit<ToolRoom, "show">;
  readonly gate: { ask(request: PermissionRequest, signal: AbortSignal): Promise<Verdict> };
  /** Writes an event down, then tells it. Throws when it cannot be written: then nothing was told. */
  record(event: LastingEvent): Promise<void> | undefined;
  /** Writes down what was already told piece by piece. */
  keep(event: LastingEvent): void;
  tell(event: PassingEvent): Promise<void> | undefined;
  decided(callId: PermissionRequest["callId"], verdict: Verdict): void;
  used(usage: Usage): Promise<void> | undefined;
  /** Work that goes on after the turn was cancelled; the next turn waits for it, a bounded time. */
  linger(work: Promise<unknown>): void;
}
