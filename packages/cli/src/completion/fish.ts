// The script for fish: one line for each word.

import type { Option } from "../manual/command.ts";
import type { Place } from "./collect.ts";
import { LISTERS, type Offer, offerOf } from "./offer.ts";
import { quoted } from "./shell-word.ts";

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
  // A word of a list stands there once; ids and files may follow each other.
  const isOperand = typeof operand === "object" ? isHere : isBehind;
  return [
    ...words.map(({ word, summary }) => `complete -c agentao ${isHere} -a ${word} -d ${escaped(summary)}`),
    ...options.map((option) => `complete -c agentao ${isBehind} ${optionFlags(option)}`),
    ...(operand === undefined ? [] : [`complete -c agentao ${isOperand} ${offered(operand)}`]),
  ];
}

function optionFlags(option: Option): string {
  const { name, short, value, summary } = option;
  const offer = offerOf(option);
  return [
    `-l ${name.slice(2)}`,
    ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
    ...(value === undefined ? [] : [offer === "file" ? "-r" : "-x"]),
    ...(offer === undefined ? [] : [offered(offer)]),
    `-d ${escaped(summary)}`,
  ].join(" ");
}

function offered(offer: Offer): string {
  if (offer === "file") return "-F";
  if (offer === "folder") return "-a '(__fish_complete_directories)'";
  return `-a ${quoted(typeof offer === "string" ? `(${LISTERS[offer]})` : offer.join(" "))}`;
}

/** Fish reads backslashes in single quotes. */
function escaped(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
