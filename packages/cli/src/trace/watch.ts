// Looks at every line that passes between a client and an agent, and says in which ways it is not what ACP v1 promises:
// by itself, and at its place among the others. Does no I/O, and keeps only what is still open.

import { hasCapability, type Method } from "@agentao/acp";
import { type Fields, fieldOf, isFields } from "../json/fields.ts";
import { type FrameShape, keyOf, toShape } from "./frame-shape.ts";
import { type Asked, type OpenRequest, OpenRequests } from "./open-requests.ts";
import { Progress } from "./progress.ts";
import { findRow, neededBy, resultDecoder } from "./protocol-row.ts";
import type { Breach, BreachRule, Sender } from "./recording.ts";
import { checkError, checkValue } from "./schema-check.ts";

export interface Seen {
  /** The line as JSON; nothing where it is none. */
  readonly value?: unknown;
  readonly shape: FrameShape;
  /** Of a response: the method it answers, and how long that took. */
  readonly answers?: { readonly method: string; readonly latencyMs: number } | undefined;
  readonly breaches: readonly Breach[];
}

/** Readers in the field, on both sides, read lines into buffers of this size. */
const LONG_LINE_BYTES = 64 * 1024;

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
  readonly #open = new OpenRequests();
  readonly #progress = new Progress();
  #breaches: Breach[] = [];

  see(from: Sender, line: Uint8Array, atMs: number): Seen {
    this.#breaches = [];
    if (line.length > LONG_LINE_BYTES) {
      this.#breach(
        "long-line",
        `the line has ${line.length} bytes; readers in the field break above ${LONG_LINE_BYTES}`,
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
    return this.#open.list();
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
      this.#add(checkValue("bad-params", method, row.params, params ?? {}));
    }
    if (!isFields(params)) return;
    this.#checkSession(from, method, params);
    if (from === "client") this.#checkContent(method, params);
  }

  #checkOrder(from: Sender, method: string): void {
    if (method === "initialize" || method === "proxy/initialize" || method === "$/cancel_request") return;
    if (from === "client" && this.#progress.handshake === "none") {
      this.#breach("not-initialized", `${method} before initialize`);
    }
    if (from === "agent" && this.#progress.handshake !== "done") {
      this.#breach("not-initialized", `${method} before the answer to initialize`);
    }
  }

  /** Nothing for what the protocol does not describe, and for what was already found wrong. */
  #findRow(from: Sender, kind: Method["kind"], method: string): Method | undefined {
    const { row, breach } = findRow(from, kind, method);
    this.#add(breach);
    return row;
  }

  #checkGate({ method, gate }: Method, from: Sender): void {
    if (gate === null || this.#progress.handshake !== "done") return;
    if (hasCapability(this.#progress.capabilitiesOf(gate.of), gate.path)) return;
    this.#breach("gate", `${method} from the ${from}, but the ${gate.of} did not advertise ${gate.path}`);
  }

  #checkSession(from: Sender, method: string, { sessionId, update }: Fields): void {
    if (typeof sessionId !== "string" || method.startsWith("_") || ABOUT_STORED.has(method)) return;
    if (!this.#progress.hasSession(sessionId)) {
      const early = this.#open.has("client", "session/new") ? " (the answer to session/new comes first)" : "";
      this.#breach("unknown-session", `${method} for the session ${bound(sessionId)}, which is not open${early}`);
    } else if (from === "agent" && method === "session/update" && isFields(update)) {
      this.#checkTurn(sessionId, update.sessionUpdate);
    }
  }

  #checkTurn(sessionId: string, kind: unknown): void {
    if (!TURN_UPDATES.has(kind) || this.#progress.isInTurn(sessionId)) return;
    if (this.#open.has("client", "session/load") || this.#open.has("client", "session/new")) return;
    this.#breach("outside-turn", `${kind} while no prompt is open: the answer to a prompt comes after all its updates`);
  }

  #checkContent(method: string, params: Fields): void {
    if (this.#progress.handshake !== "done") return;
    for (const { what, path } of neededBy(method, params)) {
      if (hasCapability(this.#progress.capabilitiesOf("agent"), path)) continue;
      this.#breach("gate", `${method} with ${what}, but the agent did not advertise ${path}`);
    }
  }

  #onRequest(from: Sender, { id, method, params }: Extract<FrameShape, { type: "request" }>, atMs: number): void {
    if (!this.#open.add({ from, id, method, params, atMs })) {
      this.#breach("duplicate-id", `the id ${keyOf(id)} is of a request that is still open`);
    }
    if (from === "agent") return;
    if (method === "initialize" && this.#progress.handshake !== "none") {
      this.#breach("initialize-again", "initialize was sent before");
    }
    this.#progress.ask(method, params);
  }

  // ---- responses ----

  #onResponse(from: Sender, shape: Extract<FrameShape, { type: "result" | "error" }>, atMs: number): Seen["answers"] {
    const asked = this.#open.take(from, shape.id);
    if (shape.type === "error") this.#add(checkError(shape.error));
    if (asked === undefined) {
      // An agent that could not read a line answers to no id.
      if (shape.id !== null || shape.type !== "error") {
        this.#breach("unknown-response", `a response to ${keyOf(shape.id)}, which is no open request`);
      }
      return undefined;
    }
    if (shape.type === "result") this.#checkResult(asked, shape.result);
    if (asked.from === "client") this.#progress.answer(asked, shape);
    return { method: asked.method, latencyMs: round(atMs - asked.atMs) };
  }

  #checkResult({ method, params }: Asked, result: unknown): void {
    const decode = resultDecoder(method);
    if (decode !== undefined) this.#add(checkValue("bad-result", method, decode, result));
    if (method === "session/request_permission") this.#checkOption(params, result);
  }

  #checkOption(params: unknown, result: unknown): void {
    const outcome = fieldOf(result, "outcome");
    const chosen = fieldOf(outcome, "optionId");
    const offered = fieldOf(params, "options");
    if (fieldOf(outcome, "outcome") !== "selected" || !Array.isArray(offered)) return;
    if (offered.some((option) => fieldOf(option, "optionId") === chosen)) return;
    const ids = offered.map((option) => JSON.stringify(fieldOf(option, "optionId"))).join(", ");
    this.#breach("unknown-option", `/outcome/optionId: expected one of ${ids}, got ${JSON.stringify(chosen)}`);
  }

  #add(breach: Breach | undefined): void {
    if (breach !== undefined) this.#breaches.push(breach);
  }

  #breach(rule: BreachRule, message: string): void {
    this.#add({ rule, message });
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

/** Ids are short; what is not is no id. */
function bound(id: string): string {
  return JSON.stringify(id.length <= 80 ? id : `${id.slice(0, 80)}…`);
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
