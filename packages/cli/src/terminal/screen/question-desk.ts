// Which question stands in the place of the editor: the agent's, one at a time, and lists of our own.

import type { Choice } from "../question/form-step.ts";
import type { Question, Questions } from "../question/question.ts";
import { fit } from "../view/lines.ts";
import { choicePanel, type Panel } from "./panel.ts";
import { questionPanel } from "./question-panel.ts";
import type { Screen } from "./screen.ts";
import { TypeAhead } from "./type-ahead.ts";

export class QuestionDesk {
  readonly #questions: Questions;
  readonly #screen: Screen;
  readonly #rows: () => number;
  readonly #typeAhead = new TypeAhead(() => performance.now());
  #shown: Question | undefined;

  constructor(questions: Questions, screen: Screen, rows: () => number) {
    this.#questions = questions;
    this.#screen = screen;
    this.#rows = rows;
  }

  /** A key was pressed. True: it was typed before the question was seen. */
  isForEditor(): boolean {
    return this.#typeAhead.isForEditor();
  }

  /** A question has come or gone. */
  look(): void {
    const { first } = this.#questions;
    if (first === this.#shown) return;
    // A list of our own is open: the question comes after it.
    if (this.#shown === undefined && this.#screen.panel !== undefined) return;
    this.#shown = first;
    this.#screen.showPanel(first && questionPanel(first, this.#place()));
    if (first !== undefined) this.#typeAhead.questionShown(this.#screen.text);
  }

  /** A list of our own. Nothing when the person does not choose. */
  choose(title: string, choices: readonly Choice[]): Promise<string | undefined> {
    return new Promise((resolve) => {
      const answer = (id: string | undefined): void => {
        this.#screen.showPanel(undefined);
        this.#shown = undefined;
        this.look();
        resolve(id);
      };
      this.#screen.showPanel(
        choicePanel({
          ...this.#place(),
          choices,
          hint: "Number or ↑↓ Enter · Esc: leave as it is",
          head: (room) => [fit(room.paint.strong(title), room.width)],
          onChosen: ([id]) => answer(id),
          onEscape: () => answer(undefined),
        }),
      );
    });
  }

  #place() {
    return {
      room: () => this.#screen.room(),
      rows: this.#rows,
      show: (panel: Panel) => this.#screen.showPanel(panel),
    };
  }
}
