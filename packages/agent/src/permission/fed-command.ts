// Programs that run a command for each thing they find or are given: xargs, parallel, find, fd.

import { type Carried, joinFields, NOTHING } from "./carried.ts";
import { type Field, literal, textOf, UNKNOWN } from "./field.ts";
import { findPlaces } from "./find-place.ts";
import type { Flow } from "./flow.ts";
import { unwrap } from "./wrapper.ts";

const MAX_FED = 16;
const MAX_FILLED_CHARS = 64 * 1024;

export function fromXargs(argv: readonly Field[], input: Flow): Carried {
  let at = 1;
  let hole: string | undefined;
  let certain = true;
  for (; at < argv.length; at += 1) {
    const word = textOf(argv[at]);
    if (word === undefined || !/^-./.test(word)) break;
    if (word === "--") {
      at += 1;
      break;
    }
    const replace = /^(?:-I|--replace=|-i|-J)(.*)$/.exec(word);
    if (replace !== null) hole = replace[1] || (/^-[IJ]$/.test(word) ? textOf(argv[++at]) : "{}");
    else if (word === "--replace") hole = "{}";
    else if (/^-[adELnPsRS]$|^--(arg-file|delimiter|eof|max-args|max-lines|max-procs|max-chars)$/.test(word)) at += 1;
    else if (/^--process-slot-var/.test(word) || !/^-([0rtpxo]+|[adELnPsRSle].*)$|^--[\w-]+(=.*)?$/.test(word))
      certain = false;
  }
  const command = at < argv.length ? argv.slice(at) : [literal("echo")];
  const fed = fedBy(input);
  const commands =
    hole === undefined
      ? [[...command, ...fed]]
      : fed.map((field) => command.map((word) => fill(word, hole as string, field)));
  return { ...NOTHING, role: "none", via: "xargs", commands, certain };
}

/** It gives each command to a shell; without one, what it is fed are the commands. */
export function fromParallel(argv: readonly Field[], input: Flow): Carried {
  const unwrapped = unwrap("parallel", argv);
  const words = unwrapped?.commands[0] ?? [];
  const at = words.findIndex(({ shape }) => /^::::?\+?$/.test(shape));
  const command = at < 0 ? words : words.slice(0, at);
  const fed = at < 0 ? fedBy(input) : words.slice(at + 1, at + 1 + MAX_FED);
  const line = joinFields(command);
  const hasHole = line.shape.includes("{}");
  const found =
    command.length > 0
      ? fed.map((field) => (hasHole ? fill(line, "{}", field) : joinFields([line, field])))
      : at < 0 && input.type === "text"
        ? [literal(input.text)]
        : fed;
  const texts = found.map(({ shape }) => ({ text: { shape, sure: false }, args: [] }));
  return { ...NOTHING, role: "carrier", via: "parallel", texts, certain: unwrapped?.certain ?? false };
}

function fedBy(input: Flow): readonly Field[] {
  if (input.type === "names") return input.places;
  if (input.type !== "text") return [{ shape: UNKNOWN, sure: false }];
  const words = input.text.split(/[\s\0]+/).filter((word) => word !== "");
  return words.slice(0, MAX_FED).map((word) => ({ ...literal(word.replace(/["'\\]/g, "")), sure: false }));
}

const RUNS = /^-(exec|execdir|ok|okdir)$/;

export function fromFind(argv: readonly Field[], cwd: string | undefined): Carried {
  const commands: Field[][] = [];
  const places = findPlaces(argv, cwd);
  for (let at = 1; at < argv.length; at += 1) {
    if (!RUNS.test(argv[at]?.shape ?? "")) continue;
    let end = at + 1;
    while (end < argv.length && !/^[;+]$/.test(argv[end]?.shape ?? "")) end += 1;
    const words = argv.slice(at + 1, end);
    if (places.length > MAX_FED) commands.push(words.flatMap((word) => fillWithAll(word, places)));
    else for (const place of places) commands.push(words.map((word) => fill(word, "{}", place)));
    at = end;
  }
  return { ...NOTHING, via: "find", commands };
}

export function fromFd(argv: readonly Field[]): Carried {
  const at = argv.findIndex((field) => /^(-x|-X|--exec|--exec-batch)$/.test(field.shape));
  if (at < 0) return NOTHING;
  const found = { shape: UNKNOWN, sure: false };
  const places = argv
    .slice(1, at)
    .filter(({ shape }) => !/^-./.test(shape))
    .slice(1);
  const words = argv.slice(at + 1).map((word) => fill(word, "{}", found));
  return {
    ...NOTHING,
    via: "fd",
    commands: [[...words, found, ...places.map((place) => ({ ...place, sure: false }))]],
  };
}

function fill(word: Field, hole: string, value: Field): Field {
  if (hole === "" || !word.shape.includes(hole)) return word;
  if (word.shape.length * value.shape.length > MAX_FILLED_CHARS) return { shape: UNKNOWN, sure: false };
  return { shape: word.shape.replaceAll(hole, () => value.shape), sure: false };
}

function fillWithAll(word: Field, places: readonly Field[]): readonly Field[] {
  return word.shape === "{}"
    ? places.map((place) => ({ ...place, sure: false }))
    : [fill(word, "{}", joinFields(places))];
}
