// The script for zsh: what bash's script does, with the summaries beside the words.

import type { Place } from "./collect.ts";
import { listerOf, quoted, SESSION_IDS } from "./shell-word.ts";
import { type ValueKind, valueKind } from "./value-kind.ts";

export function toZsh(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  return `#compdef agentao
# Completion of agentao for zsh.
_agentao() {
  local place="" word before="\${words[CURRENT-1]}"
  local -a found known
  known=(${paths.join(" ")})
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if (( \${known[(Ie)\${place:+$place }$word]} )); then place="\${place:+$place }$word"; fi
  done
  case "$place $before" in
${places.flatMap(valueCases).join("\n")}
  esac
  case "$place" in
${places.map(placeCase).join("\n")}
  esac
  _describe -t words 'agentao' found
}
if [ "\${funcstack[1]}" = "_agentao" ]; then
  _agentao "$@"
else
  compdef _agentao agentao
fi
`;
}

function valueCases({ path, options }: Place): string[] {
  return options.flatMap((option) => {
    const kind = valueKind(option);
    if (kind === undefined) return [];
    const { name, short, choices } = option;
    const marks = [name, ...(short === undefined ? [] : [short])].map((mark) => quoted(`${path} ${mark}`)).join("|");
    const act = choices === undefined ? VALUES[kind] : `compadd -- ${choices.map(quoted).join(" ")}; `;
    return [`    ${marks}) ${act}return ;;`];
  });
}

const adding = (lister: string): string => `compadd -- \${(f)"$(${lister})"}`;

const VALUES: Readonly<Record<ValueKind, string>> = {
  file: "_files; ",
  folder: "_files -/; ",
  session: `${adding(SESSION_IDS)}; `,
  other: "",
};

function placeCase({ path, words, options, operand }: Place): string {
  const described = [
    ...words.map(({ word, summary }) => [word, summary] as const),
    ...options.map(({ name, summary }) => [name, summary] as const),
    ...(typeof operand === "object" ? operand.map((word) => [word, ""] as const) : []),
  ].map(([word, summary]) => quoted(`${word}:${summary.replaceAll(":", "\\:")}`));
  const lister = listerOf(operand);
  const acts = [
    `found=(${described.join(" ")})`,
    ...(lister === undefined ? [] : [adding(lister)]),
    ...(operand === "file" ? ["_files"] : []),
  ];
  return `    ${quoted(path)}) ${acts.join("; ")} ;;`;
}
