// What two commands have in common when a person would call them the same: `npm test`, `git commit`, `cargo build`.

import { isShortFor } from "./argument.ts";
import { isInterpreter, isShell } from "./carry.ts";
import { type Field, textOf } from "./field.ts";
import { isPlain, powersOf } from "./read-only-command.ts";
import { programOf, type SimpleCommand } from "./simple-command.ts";

interface Stem {
  /** What it is run through that matters: `sudo`. */
  readonly powers: readonly string[];
  readonly words: readonly string[];
  /** It stands for these words only, not for those that begin with them. */
  readonly exact: boolean;
}

/** Programs whose next word says what they do. */
const SUBCOMMANDS = new Set(
  [
    "git npm pnpm yarn bun cargo go pip pip3 poetry brew apt apt-get dnf dotnet gradle gradlew mvn mvnw gem bundle composer",
    "terraform make gmake just task rake nx turbo rustup mix flutter dart swift zig conda bazel hatch pdm deno sam cdk",
  ]
    .join(" ")
    .split(" "),
);

/** First two words after which one more is needed to know what happens. */
const DEEPER = new Set(
  [
    "npm run,pnpm run,yarn run,bun run,deno run,deno task,composer run,composer run-script,go run,go tool,git stash,git remote",
    "git submodule,git worktree,git bisect,dotnet tool,nx run,turbo run,npm run-script,npm install,npm i,npm add,pnpm install",
    "pnpm add,yarn add,bun add,bun install,pip install,pip3 install,poetry add,cargo add,cargo install,go get,go install",
    "gem install,brew install,apt install,apt-get install,dnf install,conda install,composer require",
  ]
    .join(",")
    .split(","),
);

/** Words after which anything may follow. */
const OPEN_ENDED = new Set([
  "npm exec",
  "pnpm exec",
  "yarn exec",
  "yarn dlx",
  "bun x",
  "yarn node",
  "git config",
  "git difftool",
  "git filter-branch",
  "make -C",
  "rustup run",
  "dotnet exec",
  "deno eval",
  "mix run",
]);

/** Options of git that name a program to run, or settings that do. */
const GIT_PROGRAMS = [
  ...["--upload-pack", "--receive-pack", "--exec", "--extcmd", "--ext-diff", "--tool", "--strategy"],
  ...["--config", "--config-env", "--template"],
];

/** Short ones, by subcommand; alone, in a cluster, or with the program in the same word. */
const GIT_LETTERS: Readonly<Record<string, RegExp>> = {
  clone: /^-[a-zA-Z]*[uc]/,
  rebase: /^-[a-zA-Z]*[xs]/,
  grep: /^-[a-zA-Z]*O/,
};

/** Options by which the others run another program, or what another folder says. */
const DIVERTING: readonly (readonly [programs: RegExp, option: RegExp])[] = [
  [/^go$/, /^--?(exec|toolexec|vettool|ldflags|overlay|modfile|C)(=|$)/],
  [/^(npm|pnpm|yarn|bun)$/, /^(-C|--(prefix|script-shell|shell|dir|cwd|config|userconfig|globalconfig|node-options))/],
  [/^g?make$/, /^-[a-zA-Z]*[fCIE]|^--(eval|file|makefile|directory|include)|=/],
  [/^cargo$/, /^(-C|-Z|--(config|manifest-path))/],
  [/^gradlew?$/, /^(-[Ipbc]|--(init-script|project-dir|build-file|settings-file|include-build))/],
  [/^mvnw?$/, /^(-[fsl]|--(file|settings|global-settings)|-D)/],
  [/^(just|task|rake)$/, /^(-[dft]|--(justfile|taskfile|dir|rakefile|working-directory|shell|require))/],
];

/** Programs that do one kind of thing whatever they are given: they test, check, format or build. */
const ALONE = new Set(
  [
    "pytest tox nox ruff black isort mypy pyright flake8 pylint eslint prettier biome tsc vitest jest mocha rollup vite webpack",
    "esbuild rspec rubocop phpunit phpstan ctest ninja gcc g++ clang clang++ rustc rustfmt gofmt golangci-lint goimports",
    "shellcheck shfmt hadolint actionlint stylelint swiftlint ktlint mkdir javac",
  ]
    .join(" ")
    .split(" "),
);

/** Programs of which each use is another matter. */
const EACH_ITS_OWN = new Set(
  [
    "rm rmdir unlink mv cp ln install dd tee sed awk gawk mawk chmod chown chgrp kill pkill killall curl wget ssh scp sftp rsync",
    "nc ncat socat find fd xargs tar unzip zip 7z crontab at batch systemctl service mount umount docker podman kubectl helm gh",
    "aws gcloud az psql mysql sqlite3 redis-cli mongosh eval source . exec export trap alias su watch script touch truncate shred",
    "patch ed vi vim nano emacs open xdg-open osascript launchctl defaults npx bunx cd",
  ]
    .join(" ")
    .split(" "),
);

/** Nothing when the command cannot be known again: a word that matters is not written out. */
export function stemOf(command: SimpleCommand): Stem | undefined {
  const { argv, assignments, redirects, via } = command;
  const powers = powersOf(via);
  if (powers.includes("?")) return undefined;
  const program = programOf(command) ?? "";
  if (isPlain(command) && !isDiverted(program, argv)) {
    const known = leadingTexts(argv);
    const count = commonWords(program, known);
    if (count !== undefined) return { powers, words: known.slice(0, count), exact: false };
  }
  // Where every word matters, so do the files it writes and the variables it sets.
  const words = allTexts([
    ...assignments.map(({ name, value }) => ({ ...value, shape: `${name}=${value.shape}` })),
    ...argv,
    ...redirects.map(({ operator, target }) => ({ ...target, shape: operator + target.shape })),
  ]);
  return words === undefined ? undefined : { powers, words, exact: true };
}

/** Whatever word it is: an option that comes last counts as much. */
function isDiverted(program: string, argv: readonly Field[]): boolean {
  const words = argv.slice(1).map(({ shape }) => shape);
  if (program !== "git") {
    return DIVERTING.some(([programs, option]) => programs.test(program) && words.some((word) => option.test(word)));
  }
  const letters = Object.hasOwn(GIT_LETTERS, words[0] ?? "") ? GIT_LETTERS[words[0] ?? ""] : undefined;
  // What is not written out may be such an option.
  if (letters !== undefined && argv.some((field) => !field.sure || textOf(field) === undefined)) return true;
  return words.some((word) => letters?.test(word) || GIT_PROGRAMS.some((option) => isShortFor(word, option)));
}

function leadingTexts(fields: readonly Field[]): readonly string[] {
  const end = fields.findIndex((field) => !field.sure || textOf(field) === undefined);
  return (end < 0 ? fields : fields.slice(0, end)).map(({ shape }) => shape);
}

function allTexts(fields: readonly Field[]): readonly string[] | undefined {
  const texts = fields.map((field) => (field.sure ? textOf(field) : undefined));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** How many words make the stem; nothing when all of them matter. */
function commonWords(program: string, words: readonly string[]): number | undefined {
  if (words.length === 0) return undefined;
  if (EACH_ITS_OWN.has(program)) return undefined;
  if (ALONE.has(program)) return 1;
  if (isShell(program) || isInterpreter(program)) return isScript(words[1]) ? 2 : undefined;
  // A script of the project is known by its name; of any other program nobody knows what its words mean.
  if (!SUBCOMMANDS.has(program)) return /^[^/]+\//.test(words[0] ?? "") ? 1 : undefined;
  const pair = `${program} ${words[1]}`;
  if (!isName(words[1]) || OPEN_ENDED.has(pair)) return undefined;
  if (!DEEPER.has(pair)) return 2;
  return words[2] === undefined || words[2].startsWith("-") ? undefined : 3;
}

/** A file, not an option and not code. */
function isScript(word: string | undefined): boolean {
  return word !== undefined && !word.startsWith("-") && /[/.]/.test(word);
}

function isName(word: string | undefined): boolean {
  return word !== undefined && /^[a-z][a-z0-9:_-]*$/i.test(word);
}
