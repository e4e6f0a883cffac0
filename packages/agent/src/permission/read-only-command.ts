// Which commands provably only look. Proof, not guess: what is not understood here is not read-only.

import { hasOption, operandsOf } from "./argument.ts";
import type { ParsedCommand } from "./command.ts";
import { type Field, textOf } from "./field.ts";
import { resolvePath } from "./path.ts";
import { reachesSecrets } from "./reach.ts";
import { isReadOnlyGit } from "./read-only-git.ts";
import { isReadOnlyAwk, isReadOnlySed } from "./read-only-script.ts";
import { programOf, type Redirect, type SimpleCommand } from "./simple-command.ts";

/** `roots`: git reads the configuration of the folder it stands in, and only theirs is trusted. */
export function isReadOnly(parsed: ParsedCommand, roots: readonly string[]): boolean {
  if (parsed.opaque.length > 0 || parsed.evaluates || parsed.excessive || parsed.forkBomb) return false;
  if (parsed.commands.length === 0) return false;
  return parsed.commands.every((command) => isReadOnlyPart(command, parsed, roots));
}

/** One command of a line that is not opaque. */
export function isReadOnlyPart(command: SimpleCommand, parsed: ParsedCommand, roots: readonly string[]): boolean {
  if (!isPlain(command) || reachesSecrets(command)) return false;
  if (!powersOf(command.via).every((name) => MOVING_CARRIERS.has(name))) return false;
  const [first, ...args] = command.argv;
  if (first === undefined) return true;
  const name = textOf(first);
  const program = programOf(command);
  if (name === undefined || program === undefined || !first.sure) return false;
  if (command.carrier) return isHarmlessCarrier(name, args, parsed);
  if (name !== program && !/^(\/usr)?(\/local)?\/bin\/[\w.[-]+$/.test(name)) return false;
  if (program === "git")
    return powersOf(command.via).length === 0 && staysInRoots(parsed, roots) && isReadOnlyGit(args);
  if (args.length === 1 && VERSIONED.get(program)?.includes(textOf(args[0]) ?? "")) return true;
  return ANYTHING_GOES.has(program) || (CHECKS.get(program)?.(args) ?? false);
}

/** Every command of the line runs in a root itself, not below one. */
function staysInRoots(parsed: ParsedCommand, roots: readonly string[]): boolean {
  const trusted = roots.map((root) => resolvePath(root));
  return parsed.commands.every(({ cwd }) => cwd !== undefined && trusted.includes(resolvePath(cwd)));
}

/** Writes no file by redirection, and sets no variable that could change what a program does. */
export function isPlain(command: SimpleCommand): boolean {
  return (
    command.redirects.every(isHarmlessRedirect) && command.assignments.every(({ name }) => isHarmlessVariable(name))
  );
}

function isHarmlessRedirect({ operator, target }: Redirect): boolean {
  const path = textOf(target);
  if (!target.sure || path === undefined) return false;
  if (operator === "<") return !/^\/dev\/(tcp|udp)\//.test(path);
  if (operator === "<&" || operator === ">&") return /^(\d+|-|\/dev\/null)$/.test(path);
  return operator !== "<>" && /^\/dev\/(null|stdout|stderr)$/.test(path);
}

/** Names in lower case are a script's own; no program listed here asks for one. */
function isHarmlessVariable(name: string): boolean {
  if (/^(LC_[A-Z]+|LANG|TZ|NO_COLOR|CI|COLUMNS|LINES|NODE_ENV|DEBUG|VERBOSE)$/.test(name)) return true;
  return /^[a-z][a-z0-9_]*$/.test(name) && !/proxy|^npm_/.test(name);
}

/** Not `time`, which can write what it measured; the keyword of that name is no program and never listed. */
const HARMLESS_CARRIERS = new Set([
  "timeout",
  "nice",
  "ionice",
  "command",
  "builtin",
  "stdbuf",
  "bash",
  "sh",
  "dash",
  "eval",
]);
/** These may also run it in another folder. */
const MOVING_CARRIERS = new Set(["env", "xargs", "find"]);

/** Of what a command is run through, what may change more than when and how fast it runs. */
export function powersOf(via: readonly string[]): readonly string[] {
  return via.filter((carrier) => !HARMLESS_CARRIERS.has(carrier));
}

function isHarmlessCarrier(name: string, args: readonly Field[], parsed: ParsedCommand): boolean {
  if (parsed.functions.has(name) || name === "eval") return true;
  if (name === "env") return args.length === 0;
  // Only with the text on the command line: a profile or a script would be code.
  return /^(bash|sh|dash)$/.test(name) && /^-[el]?c$/.test(textOf(args[0]) ?? "");
}

/** No argument makes these write or run anything. */
const ANYTHING_GOES = new Set(
  [
    "cat head tail wc ls grep egrep fgrep echo pwd cd which whereis type du df stat cut tr paste join comm nl fold rev",
    "tac column expand unexpand od hexdump strings diff cmp uname whoami id groups tty nproc arch uptime free lscpu lsblk",
    "pgrep basename dirname realpath readlink true false : sleep seq cal printenv exit return break continue jq",
    "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum md5 shasum who users",
  ]
    .join(" ")
    .split(" "),
);

const VERSIONED = new Map<string, readonly string[]>([
  ...["bash", "clang", "cmake", "curl", "docker", "gcc", "jq", "make", "perl", "php", "rg", "ruby"].map(
    (program) => [program, ["--version"]] as const,
  ),
  ...["python", "python3", "pip", "pip3"].map((program) => [program, ["--version", "-V"]] as const),
  ...["node", "npm"].map((program) => [program, ["--version", "-v"]] as const),
  ["go", ["version"]],
  ["java", ["--version", "-version"]],
]);

type Check = (args: readonly Field[]) => boolean;

const CHECKS = new Map<string, Check>(
  Object.entries({
    sort: without("oT", ["--output", "--compress-program", "--temporary-directory"]),
    rg: without("z", ["--pre", "--pre-glob", "--hostname-bin", "--search-zip"]),
    fd: without("xX", ["--exec", "--exec-batch"]),
    tree: without("oR", ["--output"]),
    file: without("CzZ", ["--compile", "--uncompress", "--uncompress-noreport"]),
    find: (args: readonly Field[]) => args.every(isSettled) && !args.some(({ shape }) => FIND_ACTS.test(shape)),
    ps: showsNoEnvironment,
    uniq: readsOneFile,
    xxd: (args: readonly Field[]) => readsOneFile(args) && !hasOption(args, "r", ["--revert"]),
    date: tellsDate,
    hostname: (args: readonly Field[]) =>
      args.every((field) => /^-(f|s|i|I|d|A|-fqdn|-short|-ip-address)$/.test(textOf(field) ?? "")),
    printf: (args: readonly Field[]) =>
      args[0] === undefined || (isSettled(args[0]) && !args[0].shape.startsWith("-v")),
    test: comparesOnly,
    "[": comparesOnly,
    set: (args: readonly Field[]) => args.every((field) => /^[-+][eux]*o?$|^pipefail$/.test(textOf(field) ?? "")),
    command: (args: readonly Field[]) => /^-p?[vV]$/.test(textOf(args[0]) ?? ""),
    sed: isReadOnlySed,
    awk: isReadOnlyAwk,
    gawk: isReadOnlyAwk,
    mawk: isReadOnlyAwk,
  }),
);

/** `-exec` is judged by what it runs, which is listed as a command of its own. */
const FIND_ACTS = /^-(ok|okdir|delete|fprint|fprint0|fprintf|fls)$/;

/** It is what it looks like: no expansion, and no file name that turns out to be an option. */
function isSettled(field: Field): boolean {
  return field.sure && (textOf(field) !== undefined || /^[^-\uE001-\uE003]/.test(field.shape));
}

function without(letters: string, long: readonly string[]): Check {
  return (args) => args.every(isSettled) && !hasOption(args, letters, long);
}

/** `e` without a dash, or beside `x` behind one, shows the environment of processes; so does `-E` on some systems. */
function showsNoEnvironment(args: readonly Field[]): boolean {
  return args.every((field, at) => {
    const word = field.sure ? textOf(field) : undefined;
    if (word === undefined || /environ/i.test(word)) return false;
    if (/^-[^-]/.test(word)) return !/E/.test(word) && !(/e/.test(word) && /x/.test(word.replace(/o.*$/, "")));
    if (word.startsWith("--") || /^(-[a-zA-Z]*[opCuUtgGsqO]|--\w+)$/.test(args[at - 1]?.shape ?? "")) return true;
    return !/e/.test(word);
  });
}

/** A second file would be written. A number after an option counts as one: rather ask. */
function readsOneFile(args: readonly Field[]): boolean {
  return (
    args.every(isSettled) && operandsOf(args).length <= 1 && !args.some(({ shape }) => /[\uE001-\uE003]/.test(shape))
  );
}

/** A word that is neither an option, nor an option's value, nor a format sets the clock. */
function tellsDate(args: readonly Field[]): boolean {
  if (!args.every(isSettled) || hasOption(args, "s", ["--set"])) return false;
  return args.every(({ shape }, at) => {
    if (shape.startsWith("+") || /^-./.test(shape)) return true;
    return /^(-[dfr]|--(date|file|reference))$/.test(args[at - 1]?.shape ?? "");
  });
}

/** `-v 'a[$(…)]'` runs what it tests. */
function comparesOnly(args: readonly Field[]): boolean {
  return args.every(isSettled) && !args.some(({ shape }) => /^-[vR]$/.test(shape));
}
