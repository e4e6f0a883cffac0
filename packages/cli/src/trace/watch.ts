// Looks at every line that passes between a client and an agent, and says in which ways it is not what ACP v1 promises:
// by itself, and at its place among the others. Does no I/O, and keeps only what is still open.

import { type Decoder, explain, hasCapability, INVALID, type Method } from "@agentao/acp";
import { firstDifference } from "./first-difference.ts";
import { type Fields, type FrameShape, isFields, keyOf, toShape } from "./frame-shape.ts";
import { findRow, neededBy, resultDecoder } from "./protocol-row.ts";
import type { Breach, BreachRule, Sender } from "./recording.ts";

export interface Seen {
  /** The line as JSON; nothing where it is none. */
  readonly value?: unknown;
  readonly shape: FrameShape;
  /** Of a response: the method it answers, and how long that took. */
  readonly answers?: { readonly method: string; readonly latencyMs: number } | undefined;
  readonly breaches: readonly Breach[];
}

export interface OpenRequest {
  readonly from: Sender;
  readonly id: string | number;
  readonly method: string;
}

/** Clients in the field read lines into buffers of this size. */
const LONG_LINE_BYTES = 64 * 1024;

interface Asked extends OpenRequest {
  readonly atMs: number;
  readonly params: unknown;
}

/** What belongs to a turn; everything else may be told at any time. */
const TURN_UPDATES: ReadonlySet<unknown> = new Set([
  "user_message_chunk",
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
]);

/** They name a session that need not be open. */
const ABOUT_STORED: ReadonlySet<string> = new Set([
  "session/load",
  "session/resume",
  "session/fork",
  "session/delete",
  "session/archive",
  "session/unarchive",
  "session/status",
  "session/set_title",
]);

const utf8 = new TextDecoder("utf-8", { fatal: true });

export class Watch {
  readonly #open: Record<Sender, Map<string, Asked>> = { client: new Map(), agent: new Map() };
  readonly #sessions = new Set<string>();
  readonly #turns = new Map<string, number>();
  #handshake: "none" | "asked" | "done" = "none";
  #capabilities: Record<Sender, object | undefined> = { client: undefined, agent: undefined };
  #breaches: Breach[] = [];

  see(from: Sender, line: Uint8Array, atMs: number): Seen {
    this.#breaches = [];
    if (line.length > LONG_LINE_BYTES) {
      this.#breach(
        "long-line",
        `the line has ${line.length} bytes; clients in the field break above ${LONG_LINE_BYTES}`,
      );
    }
    const text = decodeText(line);
    const parsed = text === undefined ? { problem: "it is not UTF-8" } : parseJson(text);
    if ("problem" in parsed) {
      this.#breach("not-json", parsed.problem);
      return { shape: { type: "none", problem: parsed.problem }, breaches: this.#breaches };
    }
    const { value } = parsed;
    const shape = toShape(value);
    const answers = this.#look(from, shape, atMs);
    return { value, shape, answers, breaches: this.#breaches };
  }

  /** Requests nobody has answered, in the order in which they were sent. */
  get unanswered(): readonly OpenRequest[] {
    const all = [...this.#open.client.values(), ...this.#open.agent.values()];
    return all.sort((a, b) => a.atMs - b.atMs).map(({ from, id, method }) => ({ from, id, method }));
  }

  #look(from: Sender, shape: FrameShape, atMs: number): Seen["answers"] {
    switch (shape.type) {
      case "none":
        this.#breach("not-a-frame", shape.problem);
        return undefined;
      case "request":
        this.#onCall(from, "request", shape.method, shape.params);
        this.#onRequest(from, shape, atMs);
        return undefined;
      case "notification":
        this.#onCall(from, "notification", shape.method, shape.params);
        return undefined;
      case "result":
      case "error":
        return this.#onResponse(from, shape, atMs);
    }
  }

  // ---- requests and notifications ----

  #onCall(from: Sender, kind: Method["kind"], method: string, params: unknown): void {
    this.#checkOrder(from, method);
    const row = this.#findRow(from, kind, method);
    if (row !== undefined) {
      this.#checkGate(row, from);
      this.#decode("bad-params", row.params, params ?? {}, method);
    }
    if (!isFields(params)) return;
    this.#checkSession(from, method, params);
    if (from === "client") this.#checkContent(method, params);
  }

  #checkOrder(from: Sender, method: string): void {
    if (method === "initialize" || method === "proxy/initialize" || method === "$/cancel_request") return;
    if (from === "client" && this.#handshake === "none") {
      this.#breach("not-initialized", `${method} before initialize`);
    }
    if (from === "agent" && this.#handshake !== "done") {
      this.#breach("not-initialized", `${method} before the answer to initialize`);
    }
  }

  /** Nothing for what the protocol does not describe, and for what was already found wrong. */
  #findRow(from: Sender, kind: Method["kind"], method: string): Method | undefined {
    const { row, breach } = findRow(from, kind, method);
    if (breach !== undefined) this.#breaches.push(breach);
    return row;
  }

  #checkGate({ method, gate }: Method, from: Sender): void {
    if (gate === null || this.#handshake !== "done") return;
    if (hasCapability(this.#capabilities[gate.of], gate.path)) return;
    this.#breach("gate", `${method} from the ${from}, but the ${gate.of} did not advertise ${gate.path}`);
  }

  #checkSession(from: Sender, method: string, { sessionId, update }: Fields): void {
    if (typeof sessionId !== "string" || method.startsWith("_") || ABOUT_STORED.has(method)) return;
    if (!this.#sessions.has(sessionId)) {
      const early = this.#isOpen("client", "session/new") ? " (the answer to session/new comes first)" : "";
      this.#breach("unknown-session", `${method} for a session that is not open${early}`);
    } else if (from === "agent" && method === "session/update" && isFields(update)) {
      this.#checkTurn(sessionId, update.sessionUpdate);
    }
  }

  #checkTurn(sessionId: string, kind: unknown): void {
    if (!TURN_UPDATES.has(kind) || (this.#turns.get(sessionId) ?? 0) > 0) return;
    if (this.#isOpen("client", "session/load") || this.#isOpen("client", "session/new")) return;
    this.#breach("outside-turn", `${kind} while no prompt is open: the answer to a prompt comes after all its updates`);
  }

  #checkContent(method: string, params: Fields): void {
    if (this.#handshake !== "done") return;
    for (const { what, path } of neededBy(method, params)) {
      if (hasCapability(this.#capabilities.agent, path)) continue;
      this.#breach("gate", `${method} with ${what}, but the agent did not advertise ${path}`);
    }
  }

  #onRequest(from: Sender, { id, method, params }: Extract<FrameShape, { type: "request" }>, atMs: number): void {
    const open = this.#open[from];
    if (open.has(keyOf(id))) this.#breach("duplicate-id", `the id ${keyOf(id)} is of a request that is still open`);
    open.set(keyOf(id), { from, id, method, params, atMs });
    if (from === "agent") return;
    if (method === "initialize") {
      if (this.#handshake !== "none") this.#breach("initialize-again", "initialize was sent before");
      else this.#handshake = "asked";
      this.#capabilities.client = fieldOf(params, "clientCapabilities") as object | undefined;
    }
    const sessionId = fieldOf(params, "sessionId");
    if (typeof sessionId !== "string") return;
    // Its history is told before it is answered.
    if (method === "session/load" || method === "session/resume") this.#sessions.add(sessionId);
    if (method === "session/prompt") this.#turns.set(sessionId, (this.#turns.get(sessionId) ?? 0) + 1);
  }

  // ---- responses ----

  #onResponse(from: Sender, shape: Extract<FrameShape, { type: "result" | "error" }>, atMs: number): Seen["answers"] {
    const open = this.#open[from === "client" ? "agent" : "client"];
    const asked = open.get(keyOf(shape.id));
    if (asked === undefined) {
      // An agent that could not read a line answers to no id.
      if (shape.id !== null || shape.type !== "error") {
        this.#breach("unknown-response", `a response to ${keyOf(shape.id)}, which is no open request`);
      }
      if (shape.type === "error") this.#checkError(shape.error);
      return undefined;
    }
    open.delete(keyOf(shape.id));
    if (shape.type === "error") this.#checkError(shape.error);
    else this.#checkResult(asked, shape.result);
    this.#learn(asked, shape);
    return { method: asked.method, latencyMs: round(atMs - asked.atMs) };
  }

  #checkError(error: unknown): void {
    if (!isFields(error)) this.#breach("bad-error", "the error is not an object");
    else if (!Number.isInteger(error.code)) this.#breach("bad-error", "/code: expected an integer");
    else if (typeof error.message !== "string") this.#breach("bad-error", "/message: expected a string");
  }

  #checkResult({ method, params }: Asked, result: unknown): void {
    const decode = resultDecoder(method);
    if (decode !== undefined) this.#decode("bad-result", decode, result, method);
    if (method === "session/request_permission") this.#checkOption(params, result);
  }

  #checkOption(params: unknown, result: unknown): void {
    const outcome = fieldOf(result, "outcome");
    const chosen = fieldOf(outcome, "optionId");
    const offered = fieldOf(params, "options");
    if (fieldOf(outcome, "outcome") !== "selected" || !Array.isArray(offered)) return;
    if (offered.some((option) => fieldOf(option, "optionId") === chosen)) return;
    this.#breach("unknown-option", "the chosen option was not offered");
  }

  /** What a response changes: sessions open and close, turns end, capabilities become known. */
  #learn({ from, method, params }: Asked, shape: Extract<FrameShape, { type: "result" | "error" }>): void {
    if (from === "agent") return;
    const sessionId = fieldOf(params, "sessionId");
    if (method === "session/prompt" && typeof sessionId === "string") this.#endTurn(sessionId);
    const failed = shape.type === "error";
    if (method === "initialize") {
      this.#handshake = failed ? "none" : "done";
      this.#capabilities.agent = failed
        ? undefined
        : (fieldOf(shape.result, "agentCapabilities") as object | undefined);
    } else if (method === "session/new" || method === "session/fork") {
      const made = failed ? undefined : fieldOf(shape.result, "sessionId");
      if (typeof made === "string") this.#sessions.add(made);
    } else if (typeof sessionId === "string") {
      const closes = !failed && (method === "session/close" || method === "session/delete");
      const neverOpened = failed && (method === "session/load" || method === "session/resume");
      if (closes || neverOpened) this.#sessions.delete(sessionId);
    }
  }

  #endTurn(sessionId: string): void {
    const left = (this.#turns.get(sessionId) ?? 1) - 1;
    if (left > 0) this.#turns.set(sessionId, left);
    else this.#turns.delete(sessionId);
  }

  // ---- checks ----

  #decode(rule: "bad-params" | "bad-result", decode: Decoder<unknown>, value: unknown, method: string): void {
    const decoded = decode(value);
    if (decoded === value) return;
    if (decoded === INVALID) {
      this.#breach(rule, `${method}: ${explain()}`);
      return;
    }
    // Nothing, where there is nothing to say, is how many peers answer.
    if (value === null || value === undefined) return;
    const place = firstDifference(value, decoded);
    if (place !== undefined)
      this.#breach("repaired", `${method}: ${place || "/"} is missing or malformed, and ignored`);
  }

  #isOpen(from: Sender, method: string): boolean {
    for (const asked of this.#open[from].values()) if (asked.method === method) return true;
    return false;
  }

  #breach(rule: BreachRule, message: string): void {
    this.#breaches.push({ rule, message });
  }
}

function decodeText(line: Uint8Array): string | undefined {
  try {
    return utf8.decode(line);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: text.trim() === "" ? "the line is empty" : "it is not JSON" };
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return isFields(value) ? value[name] : undefined;
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
