// What a program makes others run: the words behind a wrapper, the text given to a shell, `find -exec`, `xargs`, `eval`.

import { type Carried, joinFields, NOTHING, opaque, texts } from "./carried.ts";
import { commandsInCode } from "./code-text.ts";
import { fromFd, fromFind, fromParallel, fromXargs } from "./fed-command.ts";
import { type Field, literal, textOf } from "./field.ts";
import type { Flow } from "./flow.ts";
import { type Unwrapped, unwrap } from "./wrapper.ts";

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "yash", "fish", "csh", "tcsh"]);
const INTERPRETER =
  /^(python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|perl[\d.]*|ruby[\d.]*|php[\d.]*|lua[\d.]*|rscript|osascript|tclsh|pwsh|powershell|[gmn]?awk)$/;
/** Its code is on the command line, so its input is no code. */
const CODE_OPTION = /^-[a-zA-Z]*[cemp]|^--(eval|print)/;

export function isShell(program: string): boolean {
  return SHELLS.has(program);
}

export function isInterpreter(program: string): boolean {
  return INTERPRETER.test(program);
}

/** `program` is the name of `argv[0]` without its folder, in lower case; `cwd` is a shape. */
export function carry(program: string, argv: readonly Field[], input: Flow, cwd: string | undefined): Carried {
  if (program === "command" && /^-p?[vV]/.test(textOf(argv[1]) ?? "")) return NOTHING;
  if (program === "parallel") return fromParallel(argv, input);
  // Where `time` is a keyword, its options look like a program.
  const unwrapped = program.startsWith("-") ? unwrap("time", [literal("time"), ...argv]) : unwrap(program, argv);
  if (unwrapped !== undefined) return fromWrapper(unwrapped);
  if (isShell(program)) return fromShell(program, argv, input);
  if (isInterpreter(program)) return fromCode(program, argv, input);
  switch (program) {
    case "eval":
      return texts("eval", [joinFields(argv.slice(argv[1]?.shape === "--" ? 2 : 1))]);
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
  if (reads) return fromInput(shell, input, [argv[0] ?? literal(shell), ...argv.slice(at)]);
  return first === undefined ? fromInput(shell, input) : fromScript(shell, first, argv.slice(at), input);
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

function fromInput(via: string, input: Flow, args: readonly Field[] = []): Carried {
  switch (input.type) {
    case "text":
      return { ...NOTHING, role: "carrier", via, texts: [{ text: { ...literal(input.text), sure: false }, args }] };
    case "nothing":
      return { ...NOTHING, code: true };
    case "names":
    case "unknown":
      return opaque(via, `${via} runs what it is given by another command or a file`);
  }
}

function fromCode(program: string, argv: readonly Field[], input: Flow): Carried {
  const words = argv.slice(1).map(textOf);
  const isFed = input.type !== "nothing" && readsCode(program, words);
  const codes = [...words, ...(isFed && input.type === "text" ? [input.text] : [])];
  const found = codes.flatMap((text) =>
    text === undefined || text.length < 8 ? [] : [commandsInCode(program, text, words)],
  );
  return {
    ...NOTHING,
    via: program,
    code: true,
    ...(isFed && input.type !== "text" && { opaque: `${program} runs what it is given by another command or a file` }),
    commands: found.flatMap(({ commands }) => commands),
    texts: found.flatMap((code) => code.texts.map((text) => ({ text, args: [] }))),
  };
}

/** No script and no code among its words: then its input is what it runs. */
function readsCode(program: string, words: readonly (string | undefined)[]): boolean {
  if (/awk$/.test(program) || words.some((word) => CODE_OPTION.test(word ?? ""))) return false;
  const [first] = words;
  return words.length === 0 || (first !== undefined && /^-|^\/dev\/stdin$/.test(first));
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
