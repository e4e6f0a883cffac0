// What clients ask of their sessions: every method to what the runtime does, and back.

import { type PromptRequest, type RequestContext, RpcError } from "@agentao/acp";
import { JournalError } from "../journal/journal.ts";
import { fieldOf, fieldsOf } from "../json/fields.ts";
import type { Opened, Place, Runtime } from "../session/runtime.ts";
import type { Session } from "../session/session.ts";
import type { Client } from "./client.ts";
import { setConfigOption, toModeState } from "./config-option.ts";
import { refuseUnknown } from "./credential.ts";
import { TURN_USAGE } from "./extension.ts";
import { notFound, openedSession } from "./opened-session.ts";
import { type PlaceParams, toPlace } from "./place.ts";
import { listSessions } from "./session-page.ts";
import { toStopReason } from "./stop-reason.ts";
import { Teller } from "./teller.ts";
import { toPromptParts } from "./to-message.ts";
import { bounded, toRpcError } from "./to-rpc-error.ts";
import { unknownModel } from "./unknown-model.ts";

/** `--resume`: which stored session the first new one is. */
export interface ResumeWish {
  readonly id?: string | undefined;
}

export interface DeskOptions {
  readonly resume?: ResumeWish | undefined;
  readonly onDiagnostic?: ((message: string) => void) | undefined;
}

export class Desk {
  readonly #runtime: Runtime;
  readonly #teller: Teller;
  readonly #report: (message: string) => void;
  #resume: ResumeWish | undefined;

  constructor(runtime: Runtime, agent: Client, options: DeskOptions) {
    this.#runtime = runtime;
    this.#teller = new Teller(runtime, agent);
    this.#resume = options.resume;
    this.#report = options.onDiagnostic ?? (() => {});
  }

  // ---- sessions ----

  async newSession(params: PlaceParams, context: RequestContext) {
    const place = toPlace(params, "session/new");
    const wish = this.#resume;
    const resumed = await this.#resumeFirst(place);
    const session =
      resumed ?? openedSession(await this.#runtime.create(place, (id) => this.#teller.door(id)), "session/new");
    context.afterResponse(() => {
      this.#begin(session);
      if (wish?.id !== undefined && resumed === undefined) this.#teller.notice(session, notResumed(wish.id));
    });
    return { sessionId: session.id, ...this.#teller.stateOf(session) };
  }

  #begin(session: Session): void {
    this.#teller.announce(session);
    session.warm();
  }

  /** `--resume`: whatever goes wrong, the client gets a fresh session. */
  async #resumeFirst(place: Place): Promise<Session | undefined> {
    const wish = this.#resume;
    this.#resume = undefined;
    if (wish === undefined) return undefined;
    const id = wish.id ?? (await this.#newestIn(place.cwd));
    if (id === undefined) return undefined;
    const opened = await this.#runtime.open(id, place, (sessionId) => this.#teller.door(sessionId));
    if (opened.type !== "opened") return undefined;
    await this.#replay(opened);
    return opened.session;
  }

  /** A session that cannot be shown is not left half open. */
  async #replay(opened: Extract<Opened, { type: "opened" }>): Promise<void> {
    try {
      await this.#teller.replay(opened);
    } catch (cause) {
      await this.#runtime.closeSession(opened.session.id);
      throw cause;
    }
  }

  async #newestIn(cwd: string): Promise<string | undefined> {
    const page = await this.#runtime.list({ cwd, limit: 1 });
    return page.type === "page" ? page.sessions[0]?.id : undefined;
  }

  async loadSession(params: PlaceParams & { readonly sessionId: string }, context: RequestContext) {
    const { sessionId: id } = params;
    const place = toPlace(params, "session/load");
    let opened = await this.#runtime.open(id, place, (sessionId) => this.#teller.door(sessionId));
    if (opened.type === "active") {
      throw RpcError.invalidRequest(
        `session/load: sessionId '${bounded(id, 200)}' is already active; cancel and tear it down before reloading`,
      );
    }
    const history = await readHistory(fieldOf(params, "history"));
    if (opened.type === "missing" && history !== undefined) {
      opened = await this.#runtime.adopt(id, place, history, (sessionId) => this.#teller.door(sessionId));
    }
    const session = openedSession(opened, "session/load", id);
    if (opened.type === "opened") await this.#replay(opened);
    context.afterResponse(() => this.#begin(session));
    return this.#teller.stateOf(session);
  }

  async resumeSession(params: PlaceParams & { readonly sessionId: string }, context: RequestContext) {
    const { sessionId: id } = params;
    const place = toPlace(params, "session/resume");
    const live = this.#runtime.live(id);
    const session =
      live ??
      openedSession(
        await this.#runtime.open(id, place, (sessionId) => this.#teller.door(sessionId)),
        "session/resume",
        id,
      );
    context.afterResponse(() => this.#begin(session));
    return this.#teller.stateOf(session);
  }

  async forkSession(params: PlaceParams & { readonly sessionId: string }, context: RequestContext) {
    const { sessionId: id } = params;
    const place = toPlace(params, "session/fork");
    const forked = await this.#runtime.fork(id, place, (sessionId) => this.#teller.door(sessionId));
    const session = openedSession(forked, "session/fork", id);
    context.afterResponse(() => this.#begin(session));
    return { sessionId: session.id, ...this.#teller.stateOf(session) };
  }

  listSessions({ cwd, cursor }: { cwd?: string | null | undefined; cursor?: string | null | undefined }) {
    return listSessions(this.#runtime, { cwd: cwd ?? undefined, cursor: cursor ?? undefined });
  }

  async closeSession({ sessionId }: { sessionId: string }): Promise<void> {
    if (!(await this.#runtime.closeSession(sessionId))) throw notFound(sessionId);
  }

  async deleteSession({ sessionId }: { sessionId: string }): Promise<void> {
    const failed = await this.#runtime.delete(sessionId);
    if (failed !== undefined) throw toRpcError(failed);
  }

  // ---- turns ----

  cancel({ sessionId }: { sessionId: string }): void {
    this.#runtime.live(sessionId)?.cancel();
  }

  async prompt({ sessionId, prompt }: PromptRequest, context: RequestContext) {
    const session = this.#session(sessionId);
    const parts = toPromptParts(prompt);
    const { info } = session.model;
    const unseen = parts.find(({ type }) => (type === "image" || type === "audio") && !info.takes[type]);
    if (unseen !== undefined) {
      throw RpcError.invalidParams(`Invalid params: the model ${bounded(info.id, 100)} takes no ${unseen.type}`);
    }
    // `session/cancel`, `$/cancel_request` on the prompt, and the end of the connection are the end of its turn.
    const outcome = await session.prompt(parts, context.signal);
    if (outcome.type === "failed") {
      this.#report(`a turn of ${sessionId} failed (${outcome.fault.kind}): ${outcome.fault.message}`);
    }
    const stopReason = toStopReason(outcome, sessionId);
    const { spent } = session;
    return { stopReason, ...(spent !== undefined && spent.totalTokens > 0 && { _meta: { [TURN_USAGE]: spent } }) };
  }

  cancelRequest(params: unknown): object {
    const sessionId = fieldOf(params, "sessionId");
    const session = typeof sessionId === "string" ? this.#runtime.live(sessionId) : undefined;
    if (session === undefined) throw RpcError.invalidRequest(`unknown sessionId: ${bounded(String(sessionId), 200)}`);
    session.cancel();
    return {};
  }

  // ---- settings ----

  setMode({ sessionId, modeId }: { sessionId: string; modeId: string }) {
    const session = this.#session(sessionId);
    if (!change(() => session.setMode(modeId))) {
      const known = toModeState(session).availableModes.map(({ id }) => id);
      throw RpcError.invalidParams(
        `Invalid params: there is no mode "${bounded(modeId, 100)}"; choose from ${known.join(", ")}`,
      );
    }
    return { _meta: { "_agentao.cn/modeId": modeId } };
  }

  setConfigOption(params: { sessionId: string; configId: string; value: string | boolean }) {
    refuseUnknown(params, ["sessionId", "configId", "type", "value"]);
    const session = this.#session(params.sessionId);
    const problem = change(() => setConfigOption(session, params.configId, params.value));
    if (problem !== undefined) throw RpcError.invalidParams(`Invalid params: ${bounded(problem, 300)}`);
    return { configOptions: this.#teller.options(session) };
  }

  setModel(params: unknown, allowed: readonly string[]): object {
    const { sessionId, model } = fieldsOf(params);
    refuseUnknown(fieldsOf(params), allowed);
    if (typeof sessionId !== "string") throw RpcError.invalidParams("Invalid params: /sessionId: expected a string");
    const session = this.#session(sessionId);
    if (typeof model !== "string" || model.trim() === "") {
      throw RpcError.invalidParams("Invalid params: /model: expected the name of a model");
    }
    if (!change(() => session.setModel(model.trim()))) {
      throw RpcError.invalidParams(`Invalid params: ${unknownModel(bounded(model.trim(), 100))}`);
    }
    return { model: session.model.info.id };
  }

  listModels(params: unknown): object {
    return { models: this.#session(String(fieldOf(params, "sessionId"))).models.map(({ id }) => id) };
  }

  #session(id: string): Session {
    const session = this.#runtime.live(id);
    if (session === undefined) throw notFound(id);
    return session;
  }
}

/** Clients of the reference system may bring the conversation along. */
async function readHistory(history: unknown) {
  if (history === undefined) return undefined;
  const { importHistory } = await import("../journal/reference.ts");
  return importHistory(history);
}

function notResumed(id: string): string {
  return `Session ${bounded(id, 200)} could not be resumed: it is not stored here, or in use. This is a new one.`;
}

/** Runs a change of settings; one that cannot be written down is refused, and not made. */
function change<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw cause instanceof JournalError ? toRpcError(cause.fault) : cause;
  }
}
