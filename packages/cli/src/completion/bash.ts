// The script for bash 3.2 and later: a `case` of where the cursor is.

import type { Operand } from "../command/command.ts";
import type { Place } from "./collect.ts";
import { listerOf, quoted, SESSION_IDS } from "./shell-word.ts";
import { type ValueKind, valueKind } from "./value-kind.ts";

export function toBash(places: readonly Place[]): string {
  const commands = places.filter(({ path }) => path !== "" && !path.includes(" ")).map(({ path }) => path);
  const subcommands = places.filter(({ path }) => path.includes(" ")).map(({ path }) => path);
  return `# Completion of agentao for bash.
_agentao() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path="" word
  local -i at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case "$path $word" in
      ${[...commands.map((name) => quoted(` ${name}`)), ...subcommands.map(quoted)].join("|")}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path $prev" in
${places.flatMap(valueCases).join("\n")}
  esac
  case "$path" in
${places.map(placeCase).join("\n")}
  esac
}
complete -F _agentao agentao
`;
}

function valueCases({ path, options }: Place): string[] {
  return options.flatMap((option) => {
    const kind = valueKind(option);
    if (kind === undefined) return [];
    const { name, short, choices } = option;
    const marks = [name, ...(short === undefined ? [] : [short])].map((mark) => quoted(`${path} ${mark}`)).join("|");
    const found = choices === undefined ? VALUES[kind] : reply(`-W ${quoted(choices.join(" "))}`);
    return [`    ${marks}) ${found}return ;;`];
  });
}

function placeCase({ path, words, options, operand }: Place): string {
  const names = [...words.map(({ word }) => word), ...options.map(({ name }) => name)].join(" ");
  const all = typeof operand === "object" ? `${names} ${operand.join(" ")}` : names;
  const lister = listerOf(operand);
  const list = lister === undefined ? `-W ${quoted(all)}` : `-W "${all} $(${lister})"`;
  return `    ${quoted(path)}) ${reply(`${list}${operandFlag(operand)}`)};;`;
}

function reply(flags: string): string {
  return `COMPREPLY=($(compgen ${flags} -- "$cur")); `;
}

const VALUES: Readonly<Record<ValueKind, string>> = {
  file: reply("-f"),
  folder: reply("-d"),
  session: reply(`-W "$(${SESSION_IDS})"`),
  other: "",
};

function operandFlag(operand: Operand | undefined): string {
  return operand === "file" ? " -f" : "";
}
