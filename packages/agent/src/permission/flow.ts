// What goes from one command to the next, as far as the text tells.

import { type Field, literal, STAR, textOf } from "./field.ts";
import { findPlaces } from "./find-place.ts";
import { decoded, echoed, printed } from "./written-text.ts";

/** What is known of a program's input, and of another's output. */
export type Flow =
  | { readonly type: "nothing" }
  | { readonly type: "text"; readonly text: string }
  /** Names of files in these places. */
  | { readonly type: "names"; readonly places: readonly Field[] }
  | { readonly type: "unknown" };

export const UNKNOWN_FLOW: Flow = { type: "unknown" };
export const NO_FLOW: Flow = { type: "nothing" };

/** What a program writes to the next one, where its words tell. */
export function outputOf(program: string, argv: readonly Field[], input: Flow, cwd: string | undefined): Flow {
  const args = argv.slice(1);
  const operands = args.filter(({ shape }) => !/^-./.test(shape));
  switch (program) {
    case "echo":
      return toFlow(echoed(args));
    case "printf":
      return toFlow(printed(args));
    case "yes":
      return toFlow(args.length === 0 ? "y" : echoed(args));
    case "cat":
      return operands.every(({ shape }) => shape === "-" || shape === "/dev/stdin") ? input : UNKNOWN_FLOW;
    case "tee":
      return input;
    case "base64":
    case "rev":
    case "xxd":
      return input.type === "text" ? toFlow(decoded(program, args, input.text)) : UNKNOWN_FLOW;
    case "pwd":
      return cwd === undefined ? UNKNOWN_FLOW : toFlow(textOf({ shape: cwd, sure: true }));
    case "find":
    case "gfind":
      return { type: "names", places: findPlaces(argv, cwd) };
    case "ls":
      return { type: "names", places: (operands.length > 0 ? operands : [literal(".")]).map(entriesOf) };
    case ":":
    case "true":
    case "cd":
    case "set":
      return NO_FLOW;
    default:
      return UNKNOWN_FLOW;
  }
}

function toFlow(text: string | undefined): Flow {
  return text === undefined ? UNKNOWN_FLOW : { type: "text", text };
}

function entriesOf(place: Field): Field {
  return { shape: `${place.shape}/${STAR}`, sure: false };
}

/** One after the other. */
export function joinFlows(flows: readonly Flow[]): Flow {
  const told = flows.filter((flow) => flow.type !== "nothing");
  if (told.length <= 1) return told[0] ?? NO_FLOW;
  if (!told.every((flow) => flow.type === "text")) return UNKNOWN_FLOW;
  return { type: "text", text: told.map((flow) => flow.text).join("") };
}

/** The body of a here-document or here-string; several ways to read it are none. */
export function bodyFlow(fields: readonly Field[]): Flow {
  const text = fields.length === 1 ? textOf(fields[0]) : undefined;
  return text === undefined ? UNKNOWN_FLOW : { type: "text", text: `${text}\n` };
}
