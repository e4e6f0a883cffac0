// What stands in the place of the editor while a question is open: a list to choose from, or a line to write on.

import { type Component, type Focusable, Input, matchesKey } from "@earendil-works/pi-tui";
import { type ChoiceList, choiceView, createChoiceList, pressKey } from "../question/choice-list.ts";
import type { Choice } from "../question/form-step.ts";
import { fit, fitAll } from "../view/lines.ts";
import type { ViewRoom } from "../view/room.ts";
import { toChoiceKey } from "./key.ts";

export interface Panel extends Component, Focusable {}

export interface ChoicePanelOptions {
  readonly choices: readonly Choice[];
  readonly isMultiple?: boolean | undefined;
  readonly hint: string;
  readonly room: () => ViewRoom;
  readonly rows: () => number;
  /** What stands above; told how many lines it may take. */
  head(room: ViewRoom, maxLines: number): string[];
  onChosen(ids: readonly string[]): void;
  onEscape(): void;
}

/** A list never shows more than this; a long one scrolls. */
const MAX_CHOICES = 9;
/** Borders, the hint, and the status line below. */
const FRAME_LINES = 5;
/** What is asked has this much at least. */
const MIN_HEAD_LINES = 4;

export function choicePanel(options: ChoicePanelOptions): Panel {
  let list: ChoiceList = createChoiceList(options.choices, options.isMultiple);
  return {
    focused: false,
    invalidate: () => {},
    render: (width) => {
      const room = { ...options.room(), width };
      const rows = options.rows();
      const maxLines = Math.max(3, rows - FRAME_LINES - MIN_HEAD_LINES);
      const choices = choiceView(list, { width, paint: room.paint, maxChoices: MAX_CHOICES, maxLines });
      const head = options.head(room, Math.max(3, rows - FRAME_LINES - choices.length));
      return framed([...head, ...choices, fit(room.paint.quiet(options.hint), width)], room);
    },
    handleInput: (data) => {
      const key = toChoiceKey(data);
      if (key === undefined) return;
      const step = pressKey(list, key);
      if (step.type === "chosen") options.onChosen(step.ids);
      else if (step.type === "escaped") options.onEscape();
      else list = step.list;
    },
  };
}

export interface TextPanelOptions {
  readonly initial: string;
  readonly hint: string;
  readonly room: () => ViewRoom;
  head(room: ViewRoom): string[];
  /** A sentence where it cannot be that; then it is asked again. */
  onText(text: string): string | undefined;
  onEscape(): void;
}

export function textPanel(options: TextPanelOptions): Panel {
  const input = new Input();
  input.setValue(options.initial);
  let problem: string | undefined;
  input.onSubmit = (value) => {
    problem = options.onText(value);
  };
  return {
    get focused() {
      return input.focused;
    },
    set focused(isFocused) {
      input.focused = isFocused;
    },
    invalidate: () => {},
    render: (width) => {
      const room = { ...options.room(), width };
      const words = problem === undefined ? room.paint.quiet(options.hint) : room.paint.bad(problem);
      return framed([...options.head(room), ...input.render(width), fit(words, width)], room);
    },
    handleInput: (data) => {
      if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) options.onEscape();
      else input.handleInput(data);
    },
  };
}

function framed(lines: readonly string[], { width, paint }: ViewRoom): string[] {
  const border = paint.warn("─".repeat(width));
  return [border, ...fitAll(lines, width), border];
}
