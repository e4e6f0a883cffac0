// What the agent asks the person, in plain lines: the choices with their numbers, and a line for the answer.

import { cleanLine, cleanText } from "../text/plain.ts";
import { type Choice, type FormStep, type FormValue, parseFormText } from "./question/form-step.ts";
import { permissionChoices, permissionView, refusalOf } from "./question/permission-view.ts";
import type { Question } from "./question/question.ts";
import type { ViewRoom } from "./view/room.ts";

export interface PlainDesk {
  line(text: string): void;
  /** What is typed behind these words. */
  read(words: string): Promise<string>;
  room(): ViewRoom;
}

export async function askInLines(question: Question, desk: PlainDesk): Promise<void> {
  if (question.type === "permission") {
    const { request } = question;
    const room = desk.room();
    desk.line(permissionView(request, room, Number.MAX_SAFE_INTEGER).join("\n"));
    const choices = permissionChoices(request, room.cwd);
    return question.settle((await chooseInLines("", choices, desk)) ?? refusalOf(request));
  }
  desk.line(`? ${cleanText(question.message)}`);
  const values: Record<string, FormValue> = {};
  // A form without a field that we know is a question to agree to.
  if (question.steps.length === 0)
    return question.settle((await chooseInLines("", YES_NO, desk)) === "yes" ? values : undefined);
  for (const step of question.steps) {
    if (question.steps.length > 1 && step.type !== "text") desk.line(cleanLine(step.title));
    const answer = await askStep(step, desk);
    if (answer !== undefined) values[answer.name] = answer.value;
    else if (step.isRequired) return question.settle(undefined);
  }
  question.settle(values);
}

/** Nothing for an empty line. */
export async function chooseInLines(
  title: string,
  choices: readonly Choice[],
  desk: PlainDesk,
): Promise<string | undefined> {
  if (title !== "") desk.line(title);
  list(choices, desk);
  for (;;) {
    const said = await desk.read("Number: ");
    const chosen = choices[Number(said) - 1];
    if (said === "" || chosen !== undefined) return chosen?.id;
    desk.line(`Write a number from 1 to ${choices.length}, or nothing for no.`);
  }
}

interface Answer {
  /** Of the field. */
  readonly name: string;
  readonly value: FormValue;
}

async function askStep(step: FormStep, desk: PlainDesk): Promise<Answer | undefined> {
  const { name } = step;
  if (step.type === "text") {
    const value = parseFormText(await desk.read(`${cleanLine(step.title)}: `), step.takes);
    return value === undefined || value === "" ? undefined : { name, value };
  }
  const choices = step.type === "yes-no" ? YES_NO : step.choices;
  list(choices, desk);
  const said = await desk.read("Number or words: ");
  const chosen = said.split(/[\s,]+/).flatMap((word) => choices[Number(word) - 1]?.id ?? []);
  const [first] = chosen;
  if (step.type === "yes-no") return first === undefined ? undefined : { name, value: first === "yes" };
  if (first !== undefined) return { name, value: step.isMultiple ? chosen : first };
  return said !== "" && step.otherName !== undefined ? { name: step.otherName, value: said } : undefined;
}

function list(choices: readonly Choice[], desk: PlainDesk): void {
  const lines = choices.map(({ label, detail }, at) =>
    cleanLine([`${at + 1} ${label}`, ...(detail === undefined ? [] : [detail])].join("  ")),
  );
  desk.line(lines.map((line) => `  ${line}`).join("\n"));
}

const YES_NO: readonly Choice[] = [
  { id: "yes", label: "Yes" },
  { id: "no", label: "No" },
];
