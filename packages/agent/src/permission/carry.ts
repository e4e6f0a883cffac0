// What a program makes others run: the words behind a wrapper, the text given to a shell, `find -exec`, `xargs`, `eval`.

import { commandsInCode } from "./code-text.ts";
import { type Field, literal, textOf, UNKNOWN } from "./field.ts";
import { findPlaces } from "./find-place.ts";
import type { Flow } from "./flow.ts";
import { type Unwrapped, unwrap } from "./wrapper.ts";

interface Carried {
  /** `itself`: it does something of its own; `carrier`: it only runs others; `none`: it is gone once they run. */
  readonly role: "itself" | "carrier" | "none";
  readonly via: string;
  readonly commands: readonly (readonly Field[])[];
  /** For a shell, with `$0`, `$1`, … */
  readonly texts: readonly { readonly text: Field; readonly args: readonly Field[] }[];
  readonly assignments: Unwrapped["assignments"];
  readonly opaque?: string | undefined;
  /** Runs code that is not a command line. */
  readonly code?: boolean | undefined;
  readonly certain: boolean;
}

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "yash", "fish", "csh", "tcsh"]);
const INTERPRETER =
  /^(python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|perl[\d.]*|ruby[\d.]*|php[\d.]*|lua[\d.]*|rscript|osascript|tclsh|pwsh|powershell|[gmn]?awk)$/;
const NOTHING: Carried = { role: "itself", via: "", commands: [], texts: [], assignments: [], certain: true };
const MAX_FED = 16;

export function isShell(program: string): boolean {
  return SHELLS.has(program);
}

export function isInterpreter(program: string): boolean {
  return INTERPRETER.test(program);
}

/** `program` is the name of `argv[0]` without its folder, in lower case; `cwd` is a shape. */
export function carry(program: string, argv: readonly Field[], input: Flow, cwd: string | undefined): Carried {
  if (program === "command" && /^-p?[vV]/.test(textOf(argv[1]) ?? "")) return NOTHING;
  const unwrapped = unwrap(program, argv);
  if (unwrapped !== undefined) return fromWrapper(unwrapped);
  if (isShell(program)) return fromShell(program, argv, input);
  if (isInterpreter(program)) return fromCode(program, argv);
  switch (program) {
    case "eval":
      return texts("eval", [joinFields(argv.slice(1))]);
    case "source":
    case ".":
      return fromScript(program, argv[1], argv.slice(1), input);
    case "at":
    case "batch":
      return fromInput(program, input);
    case "trap":
      return fromTrap(argv);
    case "alias":
      return fromAliases(argv);
    case "xargs":
    case "gxargs":
      return fromXargs(argv, input);
    case "find":
    case "gfind":
      return fromFind(argv, cwd);
    case "fd":
    case "fdfind":
      return fromFd(argv);
    case "git":
      return fromGit(argv);
    default:
      return NOTHING;
  }
}

function fromWrapper({ name, commands, texts: found, assignments, certain }: Unwrapped): Carried {
  const role = commands.length > 0 && found.length === 0 ? "none" : "carrier";
  return { role, via: name, commands, texts: found.map((text) => ({ text, args: [] })), assignments, certain };
}

function texts(via: string, found: readonly Field[]): Carried {
  return { ...NOTHING, role: "carrier", via, texts: found.map((text) => ({ text, args: [] })) };
}

function opaque(via: string, reason: string): Carried {
  return { ...NOTHING, role: "carrier", via, opaque: reason };
}

/** `-c` may hide in a cluster, and options may stand between it and its text. */
function fromShell(shell: string, argv: readonly Field[], input: Flow): Carried {
  let at = 1;
  let given = false;
  let reads = false;
  for (; at < argv.length; at += 1) {
    const word = textOf(argv[at]);
    if (word === undefined || word === "" || !/^[-+]/.test(word)) break;
    if (word === "-" || word === "--") {
      at += 1;
      break;
    }
    if (word.startsWith("--")) {
      if (/^--(rcfile|init-file)$/.test(word)) at += 1;
      continue;
    }
    if (word.startsWith("-") && word.includes("c")) given = true;
    if (word.startsWith("-") && word.includes("s")) reads = true;
    if (/[oO]$/.test(word)) at += 1;
  }
  const first = argv[at];
  if (given) {
    if (first === undefined) return { ...NOTHING, role: "carrier", via: shell };
    return { ...NOTHING, role: "carrier", via: shell, texts: [{ text: first, args: argv.slice(at + 1) }] };
  }
  return first === undefined || reads ? fromInput(shell, input) : fromScript(shell, first, argv.slice(at), input);
}

function fromScript(via: string, script: Field | undefined, args: readonly Field[], input: Flow): Carried {
  if (script === undefined) return NOTHING;
  if (script.output !== undefined) {
    return { ...NOTHING, role: "carrier", via, texts: [{ text: { shape: script.output, sure: false }, args }] };
  }
  const path = textOf(script);
  if (path !== undefined && /^\/(dev\/(stdin|fd\/0)|proc\/self\/fd\/0)$/.test(path)) return fromInput(via, input);
  if (path === undefined && script.shape.startsWith("/dev/fd/"))
    return opaque(via, `${via} runs what another command prints`);
  return { ...NOTHING, code: true };
}

function fromInput(via: string, input: Flow): Carried {
  switch (input.type) {
    case "text":
      return texts(via, [{ ...literal(input.text), sure: false }]);
    case "nothing":
      return { ...NOTHING, code: true };
    case "names":
    case "unknown":
      return opaque(via, `${via} runs what it is given by another command or a file`);
  }
}

function fromCode(program: string, argv: readonly Field[]): Carried {
  const found = argv.slice(1).flatMap((field) => {
    const text = textOf(field);
    return text === undefined || text.length < 8 ? [] : [commandsInCode(text)];
  });
  return {
    ...NOTHING,
    via: program,
    code: true,
    commands: found.flatMap(({ commands }) => commands),
    texts: found.flatMap((code) => code.texts.map((text) => ({ text, args: [] }))),
  };
}

function fromTrap(argv: readonly Field[]): Carried {
  const action = argv[argv[1]?.shape === "--" ? 2 : 1];
  if (action === undefined || argv.length < 3 || /^-?$/.test(action.shape)) return NOTHING;
  return { ...texts("trap", [action]), role: "itself" };
}

function fromAliases(argv: readonly Field[]): Carried {
  const meanings = argv.slice(1).flatMap((field) => {
    const at = field.shape.indexOf("=");
    return at < 0 ? [] : [{ ...field, shape: field.shape.slice(at + 1) }];
  });
  return { ...texts("alias", meanings), role: "itself" };
}

function fromXargs(argv: readonly Field[], input: Flow): Carried {
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

function fedBy(input: Flow): readonly Field[] {
  if (input.type === "names") return input.places;
  if (input.type !== "text") return [{ shape: UNKNOWN, sure: false }];
  const words = input.text.split(/\s+/).filter((word) => word !== "");
  return words.slice(0, MAX_FED).map((word) => ({ ...literal(word.replace(/["'\\]/g, "")), sure: false }));
}

const RUNS = /^-(exec|execdir|ok|okdir)$/;

function fromFind(argv: readonly Field[], cwd: string | undefined): Carried {
  const commands: Field[][] = [];
  const places = findPlaces(argv, cwd);
  for (let at = 1; at < argv.length; at += 1) {
    if (!RUNS.test(argv[at]?.shape ?? "")) continue;
    const end = argv.findIndex((field, index) => index > at && (field.shape === ";" || field.shape === "+"));
    const words = argv.slice(at + 1, end < 0 ? argv.length : end);
    for (const place of places) commands.push(words.map((word) => fill(word, "{}", place)));
  }
  return { ...NOTHING, via: "find", commands };
}

function fromFd(argv: readonly Field[]): Carried {
  const at = argv.findIndex((field) => /^(-x|-X|--exec|--exec-batch)$/.test(field.shape));
  if (at < 0) return NOTHING;
  const words = argv.slice(at + 1).map((word) => fill(word, "{}", { shape: UNKNOWN, sure: false }));
  return { ...NOTHING, via: "fd", commands: [[...words, { shape: UNKNOWN, sure: false }]] };
}

/** Aliases on the command line, and subcommands that run a command for each commit or module. */
function fromGit(argv: readonly Field[]): Carried {
  const words = argv.map(({ shape }) => shape);
  const found: Field[] = [];
  for (const [at, field] of argv.entries()) {
    const inline =
      /^(?:-c)?[\w.-]+=!(.*)$/s.exec(field.shape) ?? (words.includes("config") ? /^!(.*)$/s.exec(field.shape) : null);
    if (inline !== null) found.push({ ...field, shape: inline[1] ?? "" });
    if (words.includes("rebase") && /^(--exec|-x)$/.test(field.shape)) found.push(...argv.slice(at + 1, at + 2));
    if (words.includes("rebase") && field.shape.startsWith("--exec="))
      found.push({ ...field, shape: field.shape.slice(7) });
    if (words.includes("submodule") && field.shape === "foreach") found.push(joinFields(argv.slice(at + 1)));
  }
  const run = words.indexOf("run");
  const commands = run > 0 && words[run - 1] === "bisect" ? [argv.slice(run + 1)] : [];
  return { ...NOTHING, via: "git", commands, texts: found.map((text) => ({ text, args: [] })) };
}

function fill(word: Field, hole: string, value: Field): Field {
  if (hole === "" || !word.shape.includes(hole)) return word;
  return { shape: word.shape.replaceAll(hole, () => value.shape), sure: false };
}

function joinFields(fields: readonly Field[]): Field {
  return { shape: fields.map(({ shape }) => shape).join(" "), sure: fields.every(({ sure }) => sure) };
}
