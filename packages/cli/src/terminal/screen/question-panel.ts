// A question of the agent as a panel.

import { cleanText } from "../../text/plain.ts";
import { type FormStep, type FormValue, parseFormText } from "../question/form-step.ts";
import { permissionChoices, permissionView, refusalOf } from "../question/permission-view.ts";
import type { Question } from "../question/question.ts";
import { boundLines, wrap } from "../view/lines.ts";
import type { ViewRoom } from "../view/room.ts";
import { choicePanel, type Panel, textPanel } from "./panel.ts";

export interface PanelPlace {
  readonly room: () => ViewRoom;
  readonly rows: () => number;
  /** Shows the next panel of the same question. */
  show(panel: Panel): void;
}

const NO_ID = "no";
const YES_ID = "yes";
/** No id of the protocol looks like this. */
const OTHER_ID = "\u0000other";
const SKIP_ID = "\u0000skip";

export function questionPanel(question: Question, place: PanelPlace): Panel {
  return question.type === "permission" ? permissionPanel(question, place) : formPanel(question, place);
}

function permissionPanel({ request, settle }: Extract<Question, { type: "permission" }>, place: PanelPlace): Panel {
  return choicePanel({
    ...place,
    choices: permissionChoices(request, place.room().cwd),
    hint: "Number or ↑↓ Enter · Esc: no",
    head: (room, maxLines) => permissionView(request, room, room.opens.calls ? Number.MAX_SAFE_INTEGER : maxLines),
    onChosen: ([id]) => settle(id),
    onEscape: () => settle(refusalOf(request)),
  });
}

function formPanel({ message, steps, settle }: Extract<Question, { type: "form" }>, place: PanelPlace): Panel {
  const values: Record<string, FormValue> = {};
  const head =
    (title: string) =>
    (room: ViewRoom, maxLines = MAX_HEAD): string[] => {
      const words = wrap(`${room.paint.warn("?")} ${room.paint.strong(cleanText(message).trim())}`, room.width);
      const shown = boundLines(words, Math.max(1, maxLines - 1), (missing) =>
        room.paint.quiet(`… ${missing} more lines`),
      );
      return steps.length > 1 ? [...shown, room.paint.quiet(cleanText(title))] : shown;
    };
  const panelAt = (at: number): Panel => {
    const step = steps[at];
    const go = (): void => {
      if (at + 1 < steps.length) place.show(panelAt(at + 1));
      else settle(values);
    };
    if (step === undefined) return agreePanel();
    return stepPanel(step, { place, head: head(step.title), values, go, decline: () => settle(undefined) });
  };
  /** A form without a field that we know is a question to agree to. */
  const agreePanel = (): Panel =>
    choicePanel({
      ...place,
      choices: [
        { id: YES_ID, label: "Yes" },
        { id: NO_ID, label: "No" },
      ],
      hint: "Number or ↑↓ Enter · Esc: no",
      head: head(""),
      onChosen: ([id]) => settle(id === YES_ID ? values : undefined),
      onEscape: () => settle(undefined),
    });
  return panelAt(0);
}

const MAX_HEAD = 12;

interface StepRoom {
  readonly place: PanelPlace;
  readonly head: (room: ViewRoom, maxLines?: number) => string[];
  readonly values: Record<string, FormValue>;
  /** On to the next. */
  readonly go: () => void;
  readonly decline: () => void;
}

function stepPanel(step: FormStep, room: StepRoom): Panel {
  const { place, head, values, go, decline } = room;
  switch (step.type) {
    case "text":
      return textPanel({
        ...place,
        head,
        initial: step.initial,
        hint: "Enter: answer · Esc: no answer",
        onText: (text) => {
          if (text === "" && !step.isRequired) return void go();
          const value = parseFormText(text, step.takes);
          if (value === undefined || value === "") return WANTED[step.takes];
          values[step.name] = value;
          return void go();
        },
        onEscape: decline,
      });
    case "yes-no":
      return choicePanel({
        ...place,
        head,
        choices: [
          { id: YES_ID, label: "Yes" },
          { id: NO_ID, label: "No" },
        ],
        hint: "Number or ↑↓ Enter · Esc: no answer",
        onChosen: ([id]) => {
          values[step.name] = id === YES_ID;
          go();
        },
        onEscape: decline,
      });
    case "choice":
      return choiceStepPanel(step, room);
  }
}

const WANTED = { text: "An answer is needed.", number: "A number is needed.", integer: "A whole number is needed." };

function choiceStepPanel(step: Extract<FormStep, { type: "choice" }>, room: StepRoom): Panel {
  const { place, head, values, go, decline } = room;
  const { name, otherName, isMultiple, isRequired } = step;
  const choices = [
    ...step.choices,
    ...(otherName === undefined ? [] : [{ id: OTHER_ID, label: "Something else…" }]),
    ...(isRequired || otherName !== undefined ? [] : [{ id: SKIP_ID, label: "Leave open" }]),
  ];
  return choicePanel({
    ...place,
    head,
    choices,
    isMultiple,
    hint: isMultiple ? "Space: mark · Enter: answer · Esc: no answer" : "Number or ↑↓ Enter · Esc: no answer",
    onChosen: (ids) => {
      const known = ids.filter((id) => id !== OTHER_ID && id !== SKIP_ID);
      if (known.length > 0) values[name] = isMultiple ? known : (known[0] ?? "");
      if (otherName === undefined || !ids.includes(OTHER_ID)) return go();
      const text: FormStep = { type: "text", name: otherName, title: "", initial: "", takes: "text", isRequired: true };
      place.show(stepPanel(text, room));
    },
    onEscape: decline,
  });
}
