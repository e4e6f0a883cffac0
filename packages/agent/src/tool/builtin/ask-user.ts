// ask_user: a question to the person. An answer is never invented: who declines, or is not there, has not answered.

import { text } from "../../message/message.ts";
import { firstLine } from "../cut.ts";
import { boolean, defineInput, type InputOf, list, object, optional, string, withDefault } from "../input.ts";
import { defineTool } from "../tool.ts";

const MAX_OPTIONS = 20;
const TITLE_CHARS = 120;

const option = object(
  { label: string("The answer, in a few words", { aliases: ["value", "text", "name", "title"] }) },
  { from: (value) => ({ label: value }) },
);

const input = defineInput({
  question: string("The question", { aliases: ["text", "message", "prompt"] }),
  header: optional(string("A word or two above the question")),
  options: optional(
    list({ ...option, schema: { type: "string" } }, "Answers to choose from", {
      maximum: MAX_OPTIONS,
      aliases: ["choices"],
    }),
  ),
  multiple: withDefault(boolean("More than one option may be chosen", { aliases: ["multi_select"] }), false),
  allow_custom: withDefault(boolean("An answer in own words is possible, too"), true),
});

type Input = InputOf<typeof input>;

export const askUser = defineTool<Input>({
  name: "ask_user",
  description:
    "Asks the person a question and waits for the answer. Only for what you cannot find out or decide yourself.",
  inputSchema: input.schema,
  parse: input.parse,
  plan: ({ question }) => ({
    title: firstLine(question, TITLE_CHARS),
    kind: "other",
    locations: [],
    effect: { type: "session" },
  }),
  async run({ question, header, options, multiple, allow_custom }, room, signal) {
    const answer = await room.askPerson(
      { question, header, options: options?.map(({ label }) => label), multiple, allowCustom: allow_custom },
      signal,
    );
    switch (answer.type) {
      case "answered":
        return { told: [text(`The user answered: ${answer.text}`)] };
      case "declined":
        return { told: [text("The user declined to answer. Go on without an answer, or stop and say what you need.")] };
      case "unavailable":
        return {
          failed: true,
          told: [
            text(
              "[ask_user: not available in non-interactive mode] Nobody can answer here. Do not assume an answer: choose " +
                "the safest way and say so, or stop and say what you need.",
            ),
          ],
        };
    }
  },
});
