// Which git commands only look. Options of git itself are refused but for a few: `-c`, `-C` and `--exec-path` choose
// whose programs run.

import { hasOption } from "./argument.ts";
import { type Field, textOf } from "./field.ts";

/** Any of these makes a looking command write or run something. */
const ACTING = [
  "--output",
  "--output-directory",
  "--ext-diff",
  "--textconv",
  "--filters",
  "--open-files-in-pager",
  "--show-signature",
  "--exec",
  "--upload-pack",
  "--receive-pack",
  "--remote",
];

/** In a format: it runs whatever is configured to check signatures. */
const CHECKS_SIGNATURES = /%G/;

const LOOKING = new Set(
  [
    "status log diff show shortlog describe blame annotate ls-files ls-tree rev-parse rev-list show-ref for-each-ref",
    "merge-base name-rev cat-file check-ignore check-attr count-objects diff-tree diff-index diff-files cherry whatchanged",
    "var version show-branch range-diff",
  ]
    .join(" ")
    .split(" "),
);

type Check = (args: readonly string[]) => boolean;

const LISTING = new Map<string, Check>(
  Object.entries({
    branch: listsRefs,
    tag: listsRefs,
    grep: (args: readonly string[]) => !args.some((word) => /^-[^-]*O/.test(word)),
    stash: (args: readonly string[]) => args[0] === "list" || args[0] === "show",
    reflog: (args: readonly string[]) => args[0] === undefined || args[0] === "show" || args[0] === "HEAD",
    worktree: (args: readonly string[]) => args[0] === "list",
    notes: (args: readonly string[]) => args[0] === "list" || args[0] === "show",
    remote: (args: readonly string[]) => args.length === 0 || /^(-v|--verbose|get-url [\w./-]+)$/.test(args.join(" ")),
    config: readsConfiguration,
  }),
);

/** `args` without `git` itself; all of them must be what they look like. */
export function isReadOnlyGit(args: readonly Field[]): boolean {
  if (!args.every((field) => field.sure && /^[^\uE001-\uE003]/.test(field.shape))) return false;
  const at = args.findIndex(({ shape }) => !/^(--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(shape));
  const subcommand = textOf(args[at]);
  if (subcommand === undefined) return false;
  const rest = args.slice(at + 1);
  if (subcommand === "--version") return rest.length === 0;
  if (hasOption(rest, "", ACTING) || rest.some(({ shape }) => CHECKS_SIGNATURES.test(shape))) return false;
  return LOOKING.has(subcommand) || (LISTING.get(subcommand)?.(rest.map(({ shape }) => shape)) ?? false);
}

/** A name among the words would be created, unless the command was told to list. */
function listsRefs(args: readonly string[]): boolean {
  const flags = args.filter((word) => word.startsWith("-"));
  const known =
    /^(-a|-r|-v|-vv|-n\d*|--all|--remotes|--verbose|--show-current|--column|--no-column|--(sort|format|contains|no-contains|merged|no-merged|points-at)(=.*)?)$/;
  const lists = (word: string): boolean => word === "-l" || word === "--list";
  return flags.every((word) => known.test(word) || lists(word)) && (flags.some(lists) || flags.length === args.length);
}

function readsConfiguration(args: readonly string[]): boolean {
  const scope =
    /^(--global|--local|--system|--worktree|--show-origin|--show-scope|--name-only|-z|--null|--includes|--type=\w+)$/;
  const words = args.filter((word) => !scope.test(word));
  const [first, ...others] = words;
  if (first === "--list" || first === "-l" || first === "list") return others.length === 0;
  if (!/^(--get|--get-all|--get-regexp|get)$/.test(first ?? "")) return false;
  return others.length >= 1 && others.length <= 2 && !others.some((word) => word.startsWith("-"));
}
