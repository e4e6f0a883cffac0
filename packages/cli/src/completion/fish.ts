// The script for fish: one line for each word.

import type { Option } from "../command/command.ts";
import type { Place } from "./collect.ts";
import { listerOf, quoted, SESSION_IDS } from "./shell-word.ts";
import { type ValueKind, valueKind } from "./value-kind.ts";

export function toFish(places: readonly Place[]): string {
  return `# Completion of agentao for fish.
function __agentao_at
    set -l path
    for word in (commandline -opc)[2..-1]
        string match -q -- '-*' $word; or set -a path $word
    end
    string match -q -- "$argv" "$path"; or string match -q -- "$argv *" "$path"
end
function __agentao_is
    set -l path
    for word in (commandline -opc)[2..-1]
        string match -q -- '-*' $word; or set -a path $word
    end
    test "$path" = "$argv"
end
complete -c agentao -f
${places.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ path, words, options, operand }: Place): string[] {
  const isHere = `-n ${quoted(`__agentao_is ${path}`.trimEnd())}`;
  const isBehind = path === "" ? isHere : `-n ${quoted(`__agentao_at ${path}`)}`;
  const lister = listerOf(operand);
  return [
    ...words.map(({ word, summary }) => `complete -c agentao ${isHere} -a ${word} -d ${escaped(summary)}`),
    ...options.map((option) => `complete -c agentao ${isBehind} ${optionFlags(option)}`),
    ...(lister === undefined ? [] : [`complete -c agentao ${isBehind} -a ${quoted(`(${lister})`)}`]),
    ...(operand === "file" ? [`complete -c agentao ${isBehind} -F`] : []),
    ...(typeof operand === "object" ? [`complete -c agentao ${isHere} -a ${quoted(operand.join(" "))}`] : []),
  ];
}

function optionFlags(option: Option): string {
  const { name, short, choices, summary } = option;
  const kind = valueKind(option);
  return [
    `-l ${name.slice(2)}`,
    ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
    ...(choices !== undefined ? [`-x -a ${quoted(choices.join(" "))}`] : kind === undefined ? [] : [VALUES[kind]]),
    `-d ${escaped(summary)}`,
  ].join(" ");
}

const VALUES: Readonly<Record<ValueKind, string>> = {
  file: "-r -F",
  folder: "-x -a '(__fish_complete_directories)'",
  session: `-x -a ${quoted(`(${SESSION_IDS})`)}`,
  other: "-x",
};

/** Fish reads backslashes in single quotes. */
function escaped(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
