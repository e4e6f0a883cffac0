// A script is what two sides say to each other, as data: requests and notifications, with the answers. The side that is
// asked may ask back before it answers. Both libraries play the same scripts; what each side must then have heard and
// been answered follows from the script alone.

import type { ErrorObject, methods, V1 } from "@agentao/acp";

export type Side = "client" | "agent";

export type Step = RequestStep | NotificationStep;

export interface NotificationStep {
  readonly type: "notification";
  readonly method: string;
  readonly params: unknown;
  /** Nobody has a handler for it, and nobody minds. */
  readonly unheard: boolean;
}

export interface RequestStep {
  readonly type: "request";
  /** A claim, unique in its script. */
  readonly title: string;
  readonly method: string;
  readonly params: unknown;
  readonly answer: Answer;
  /** What the side that is asked plays before it answers. */
  readonly during: readonly Step[];
}

export type Answer =
  /** The handler's result. Nothing arrives as `{}`. */
  | { readonly type: "result"; readonly result: unknown }
  /** As `result`, once `session/cancel` has come. */
  | { readonly type: "cancelled-turn"; readonly result: unknown }
  /** The handler throws its library's error that travels. */
  | { readonly type: "error"; readonly error: ErrorObject }
  /** The handler throws an error that means nothing to the protocol. */
  | { readonly type: "crash"; readonly message: string }
  /** The library refuses; no handler is asked. */
  | { readonly type: "refusal" }
  /** The handler waits, the side that asks sends `$/cancel_request`, and the handler gives up. */
  | { readonly type: "withdrawal" };

/** Told by a handler that waits to be withdrawn, so that the other side knows when to. */
export const REACHED = "_example.com/reached";

/** Asks an agent what it has heard and been answered. Not part of any script. */
export const REPORT = "_example.com/report";

type Methods = typeof methods;
type Asked = V1["agentRequests"] & V1["clientRequests"];
type Told = V1["agentNotifications"] & V1["clientNotifications"];
type Extension = `_${string}`;

/** The protocol's types by the names on the wire. */
type Requests = {
  [M in keyof Methods as Methods[M]["name"] extends keyof Asked ? M : never]: Asked[Methods[M]["name"] & keyof Asked];
};
type Notifications = {
  [M in keyof Methods as Methods[M]["name"] extends keyof Told ? M : never]: Told[Methods[M]["name"] & keyof Told];
};
type Params<M> = M extends keyof Requests ? Requests[M]["params"] : unknown;
type Result<M> = M extends keyof Requests ? Requests[M]["result"] : unknown;
type Message<M> = M extends keyof Notifications ? Notifications[M] : unknown;

/** A request that is answered with a result; without one, the handler returns nothing. */
export function ask<M extends keyof Requests | Extension>(
  title: string,
  method: M,
  params: Params<M>,
  result?: Result<M>,
  during: readonly Step[] = [],
): RequestStep {
  return { type: "request", title, method, params, answer: { type: "result", result }, during };
}

/** A request that ends in another way. */
export function askFor<M extends keyof Requests | Extension>(
  answer: Answer,
  title: string,
  method: M,
  params: Params<M>,
  during: readonly Step[] = [],
): RequestStep {
  return { type: "request", title, method, params, answer, during };
}

/** A request whose params break the protocol, so that they need not have its types. */
export function askWrongly(title: string, method: keyof Requests, params: unknown): RequestStep {
  return { type: "request", title, method, params, answer: { type: "refusal" }, during: [] };
}

export function tell<M extends keyof Notifications | Extension>(method: M, params: Message<M>): NotificationStep {
  return { type: "notification", method, params, unheard: false };
}

export function tellNobody(method: Extension, params: unknown): NotificationStep {
  return { type: "notification", method, params, unheard: true };
}

/** A step, and who takes it. The client begins; whoever is asked takes the steps below the question. */
export interface TakenStep {
  readonly by: Side;
  readonly step: Step;
}

/** All steps in the order in which they are played. */
export function flatten(steps: readonly Step[], by: Side = "client"): TakenStep[] {
  return steps.flatMap((step) => [
    { by, step },
    ...(step.type === "request" ? flatten(step.during, otherSide(by)) : []),
  ]);
}

/** What a side hears in a script: params by method, in the order in which they come. */
export function heardBy(side: Side, script: readonly Step[]): { [method: string]: unknown[] } {
  const heard: { [method: string]: unknown[] } = {};
  const hear = (method: string, params: unknown): void => {
    heard[method] ??= [];
    heard[method].push(params);
  };
  for (const { by, step } of flatten(script)) {
    const answer = step.type === "request" ? step.answer.type : undefined;
    if (by === side) {
      if (step.type === "request" && answer === "withdrawal") hear(REACHED, { title: step.title });
      continue;
    }
    if (answer === "refusal" || (step.type === "notification" && step.unheard)) continue;
    hear(step.method, step.params);
    if (answer === "withdrawal") hear("$/cancel_request", { method: step.method });
  }
  return heard;
}

export function otherSide(side: Side): Side {
  return side === "client" ? "agent" : "client";
}
