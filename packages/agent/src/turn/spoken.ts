// What the model says, on its way to the person and to the journal. The person gets every delta at once; the journal
// gets coarse pieces, at most a quarter of a second old.

import type { MessageId } from "../id/id.ts";
import type { TurnRoom } from "./room.ts";

const PIECE_MS = 250;

type Voice = "text" | "reasoning";

export class Spoken {
  readonly #room: TurnRoom;
  readonly #messageId: MessageId;
  #voice: Voice = "text";
  #unkept = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failure: unknown;

  constructor(room: TurnRoom, messageId: MessageId) {
    this.#room = room;
    this.#messageId = messageId;
  }

  /** Throws what the journal threw, also when that happened in between. */
  say(voice: Voice, text: string): Promise<void> | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    if (voice !== this.#voice) {
      this.keep();
      this.#voice = voice;
    }
    this.#unkept += text;
    this.#timer ??= setTimeout(() => this.#keepLater(), PIECE_MS);
    const messageId = this.#messageId;
    return this.#room.tell(
      voice === "text" ? { type: "text-delta", messageId, text } : { type: "reasoning-delta", messageId, text },
    );
  }

  /** Writes down what is not written yet. `opaque` is what a provider wants back with its reasoning. */
  keep(opaque?: unknown): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unkept === "" && opaque === undefined) return;
    // What a provider wants back belongs to its reasoning, also where that was silent: words before it stay words.
    if (opaque !== undefined && this.#voice === "text") {
      this.keep();
      this.#voice = "reasoning";
    }
    const piece = { messageId: this.#messageId, text: this.#unkept };
    this.#unkept = "";
    if (this.#voice === "text" && opaque === undefined) this.#room.keep({ type: "text", ...piece });
    else this.#room.keep({ type: "reasoning", ...piece, ...(opaque !== undefined && { opaque }) });
  }

  #keepLater(): void {
    try {
      this.keep();
    } catch (cause) {
      this.#failure = cause;
    }
  }
}
