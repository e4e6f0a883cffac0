// One agent of `acp.json` in a conversation: started when it is first asked, kept, started again when it died by accident.

import { LocalError, type SessionUpdate, type StopReason } from "@agentao/acp";
import { judgeDeath } from "../../drive/death.ts";
import { DriveFault } from "../../drive/drive-fault.ts";
import type { Place } from "../../drive/load-servers.ts";
import type { ServerConfig } from "../../drive/server-config.ts";
import { openServerLog } from "../../drive/server-log.ts";
import { type StartedServer, startServer } from "../../drive/started-server.ts";
import type { Conversation } from "../conversation.ts";
import { toPromptContent } from "../input/prompt-content.ts";
import { findCall } from "../question/find-call.ts";
import type { Questions } from "../question/question.ts";
import { toMark } from "./address.ts";
import { markUpdate, toOwnId } from "./mark-update.ts";

export interface NamedAgentRoom {
  readonly conversation: Conversation;
  readonly questions: Questions;
  readonly place: Place;
}

/** One that does not end its turn within this after it was told to is ended itself. */
const CANCEL_MS = 3_000;

export class NamedAgent {
  readonly server: ServerConfig;
  readonly #room: NamedAgentRoom;
  readonly #closing = new AbortController();
  readonly #mark: string;
  readonly #log: ReturnType<typeof openServerLog>;
  #starting: Promise<StartedServer> | undefined;
  #running: StartedServer | undefined;
  #burial: Promise<string> | undefined;
  #isBusy = false;
  /** Since its last turn that went well. */
  #restarts = 0;
  /** Why it is not started any more. */
  #given: string | undefined;
  #sessionId = "";

  constructor(server: ServerConfig, room: NamedAgentRoom) {
    this.server = server;
    this.#room = room;
    this.#mark = toMark(server.name);
    this.#log = openServerLog(room.place.cwd, server.name);
  }

  /** One turn; the conversation sees to it that there is one at a time. Rejects with a sentence that says what to do. */
  async ask(words: string, signal: AbortSignal): Promise<StopReason> {
    const { conversation } = this.#room;
    this.#sessionId = conversation.sessionId;
    this.#isBusy = true;
    const { plan } = conversation.transcript;
    try {
      const running = this.#running ?? (await this.#start(signal));
      const stopReason = await this.#prompt(running, words, signal);
      this.#restarts = 0;
      return stopReason;
    } catch (cause) {
      if (signal.aborted) return "cancelled";
      throw await this.#explain(cause);
    } finally {
      this.#isBusy = false;
      // Its plan is done with; ours was only put aside.
      if (conversation.transcript.plan !== plan) this.#hear({ sessionUpdate: "plan", entries: [...plan] });
    }
  }

  /** Ends it, whatever it is doing: nothing of it is left running. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#starting?.catch(() => {});
    await Promise.all([this.#end(), this.#burial]);
    this.#log.end();
  }

  // ---- its life ----

  async #start(signal: AbortSignal): Promise<StartedServer> {
    if (this.#given !== undefined) throw new DriveFault("transport_disconnect", this.#given);
    const handlers = {
      ...this.#room.questions.handlers({
        mark: this.#mark,
        findCall: (id) => findCall(this.#room.conversation.transcript, toOwnId(id, this.server.name)),
      }),
      update: ({ update }: { update: SessionUpdate }) => this.#hear(markUpdate(update, this.server.name)),
    };
    this.#starting = startServer(this.server, this.#room.place, handlers, {
      signal: AbortSignal.any([signal, this.#closing.signal]),
      onStderr: (text) => this.#log.write(text),
    });
    const running = await this.#starting;
    this.#running = running;
    this.#burial = undefined;
    void running.client.closed.then(() => this.#bury(running));
    return running;
  }

  /** It has died. Answers, in words, what is next; the same whoever asks first. */
  #bury(running: StartedServer): Promise<string> {
    this.#burial ??= this.#judge(running);
    return this.#burial;
  }

  async #judge(running: StartedServer): Promise<string> {
    const duringTurn = this.#isBusy;
    if (this.#running === running) this.#running = undefined;
    await running.client.close();
    await running.lent.close();
    const { exitCode, signal } = await running.client.process.exited;
    const { name, maxRecoverableRestarts: maxRestarts } = this.server;
    // One that does not come up is not counted: a person who asks again has mended something.
    const death = { exitCode, signal, duringTurn, restarts: this.#restarts, maxRestarts, failedHandshakes: 0 };
    if (judgeDeath(death) === "recoverable") {
      this.#restarts++;
      return "The next prompt starts it anew; it will not know what was said before.";
    }
    const advice = `agentao acp logs ${name} shows what it wrote. Mend its entry in acp.json, or begin a new chat.`;
    this.#given = `${this.#mark} has died too often to be started again. ${advice}`;
    return `It is not started again. ${advice}`;
  }

  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    // Nobody is to be told that it died.
    this.#burial ??= Promise.resolve("");
    await running?.client.close();
    await running?.lent.close();
  }

  // ---- one turn ----

  async #prompt({ client, sessionId }: StartedServer, words: string, signal: AbortSignal): Promise<StopReason> {
    const { conversation } = this.#room;
    const takesImages = client.agentSupports("promptCapabilities.image");
    const { blocks, problems } = await toPromptContent(words, { cwd: conversation.cwd, takesImages });
    for (const problem of problems) conversation.say(problem, "warning");
    this.#hear({ sessionUpdate: "notice", severity: "info", title: this.#mark });
    const { result } = client.prompt(sessionId, blocks, { signal });
    const answered = await Promise.race([result, givenUp(signal)]);
    if (answered !== undefined) return answered.stopReason;
    result.catch(() => {});
    await this.#end();
    conversation.say(`${this.#mark} did not stop, so it was ended. The next prompt starts it anew.`, "warning");
    return "cancelled";
  }

  #hear(update: SessionUpdate | undefined): void {
    if (update !== undefined) this.#room.conversation.hear(this.#sessionId, update);
  }

  async #explain(cause: unknown): Promise<Error> {
    const { name } = this.server;
    const said = (cause as Error).message;
    if (cause instanceof DriveFault) {
      const isTold = cause.code === "transport_disconnect";
      return isTold ? cause : new Error(`${said} (agentao acp list shows how it is set up)`, { cause });
    }
    const running = this.#running;
    const isDead = cause instanceof LocalError && cause.type === "closed";
    const next = !isDead ? "" : await (running === undefined ? (this.#burial ?? "") : this.#bury(running));
    return new Error([`${name}: ${said}`, next].filter((part) => part !== "").join("\n"), { cause });
  }
}

/** Resolves, with nothing, some time after the signal. */
function givenUp(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const wait = (): void => void setTimeout(() => resolve(undefined), CANCEL_MS).unref();
    if (signal.aborted) wait();
    else signal.addEventListener("abort", wait, { once: true });
  });
}
