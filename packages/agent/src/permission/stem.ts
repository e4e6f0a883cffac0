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
  "git config",
  "git filter-branch",
  "make -C",
]);

/** Options of git that name a program to run. */
const GIT_PROGRAMS = ["--upload-pack", "--receive-pack", "--exec", "--extcmd", "--ext-diff"];

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
  if (isPlain(command)) {
    const known = leadingTexts(argv);
    const count = commonWords(programOf(command) ?? "", known, { isAll: known.length === argv.length });
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

function leadingTexts(fields: readonly Field[]): readonly string[] {
  const end = fields.findIndex((field) => !field.sure || textOf(field) === undefined);
  return (end < 0 ? fields : fields.slice(0, end)).map(({ shape }) => shape);
}

function allTexts(fields: readonly Field[]): readonly string[] | undefined {
  const texts = fields.map((field) => (field.sure ? textOf(field) : undefined));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** How many words make the stem; nothing when all of them matter. */
function commonWords(program: string, words: readonly string[], { isAll }: { isAll: boolean }): number | undefined {
  if (words.length === 0) return undefined;
  if (EACH_ITS_OWN.has(program)) return undefined;
  if (ALONE.has(program)) return 1;
  if (isShell(program) || isInterpreter(program)) return isScript(words[1]) ? 2 : undefined;
  if (!SUBCOMMANDS.has(program)) {
    if (/^[^/]+\//.test(words[0] ?? "")) return 1;
    return isAll || words.length > 2 ? countNames(words.slice(1, 3)) : undefined;
  }
  const pair = `${program} ${words[1]}`;
  if (program === "git" && words.some((word) => GIT_PROGRAMS.some((option) => isShortFor(word, option))))
    return undefined;
  if (!isName(words[1]) || OPEN_ENDED.has(pair)) return undefined;
  if (!DEEPER.has(pair)) return 2;
  return words[2] === undefined || words[2].startsWith("-") ? undefined : 3;
}

/** A file, not an option and not code. */
function isScript(word: string | undefined): boolean {
  return word !== undefined && !word.startsWith("-") && /[/.]/.test(word);
}

function countNames(words: readonly string[]): number | undefined {
  const end = words.findIndex((word) => !isName(word));
  const count = end < 0 ? words.length : end;
  return count === 0 ? undefined : count + 1;
}

function isName(word: string | undefined): boolean {
  return word !== undefined && /^[a-z][a-z0-9:_-]*$/i.test(word);
}
