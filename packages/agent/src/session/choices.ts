// What a person chose for a session: mode, model and how long to think. A choice is written down before it counts.

import type { LastingEvent } from "../event/event.ts";
import type { EntryBody } from "../journal/entry.ts";
import type { Model } from "../model/model.ts";
import { isMode } from "../permission/mode.ts";
import type { SessionParts } from "./parts.ts";

export interface ChoicesRoom {
  /** Throws when it cannot be written; then nothing is chosen. */
  write(body: EntryBody): void;
  tell(event: LastingEvent): void;
  /** Called when it counts, before it is told. */
  onMode(modeId: string): void;
  /** Called when it counts; whoever is called tells it. */
  onModel(model: Model): void;
}

type ChoiceParts = Pick<SessionParts, "model" | "catalogue" | "gate"> & {
  readonly history: Pick<SessionParts["history"], "thoughtLevel">;
};

export class Choices {
  readonly #parts: ChoiceParts;
  readonly #room: ChoicesRoom;
  #model: Model;
  #thoughtLevel: string | undefined;

  constructor(parts: ChoiceParts, room: ChoicesRoom) {
    this.#parts = parts;
    this.#room = room;
    this.#model = parts.model;
    this.#thoughtLevel = levelOf(parts.model, parts.history.thoughtLevel);
  }

  get modeId(): string {
    return this.#parts.gate.mode;
  }

  get model(): Model {
    return this.#model;
  }

  get thoughtLevel(): string | undefined {
    return this.#thoughtLevel;
  }

  setMode(modeId: string): boolean {
    if (!isMode(modeId)) return false;
    if (modeId === this.modeId) return true;
    this.#room.write({ type: "mode", modeId });
    this.#parts.gate.setMode(modeId);
    this.#room.onMode(modeId);
    this.#room.tell({ type: "mode", modeId });
    return true;
  }

  setModel(id: string): boolean {
    const model = this.#parts.catalogue.find(id, this.#model.info.id);
    if (model === undefined) return false;
    if (model.info.id === this.#model.info.id) return true;
    this.#room.write({ type: "model", modelId: model.info.id });
    this.#model = model;
    this.#thoughtLevel = levelOf(model, this.#thoughtLevel);
    this.#room.onModel(model);
    return true;
  }

  setThoughtLevel(level: string): boolean {
    if (!this.#model.info.thoughtLevels.includes(level)) return false;
    this.#room.write({ type: "thought-level", level });
    this.#thoughtLevel = level;
    this.#room.tell({ type: "thought-level", level });
    return true;
  }
}

/** A level that the model does not have is none. */
function levelOf({ info }: Model, level: string | undefined): string | undefined {
  return level !== undefined && info.thoughtLevels.includes(level) ? level : undefined;
}
