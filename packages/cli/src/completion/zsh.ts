// The script for zsh: what bash's script does, with the summaries beside the words.

import type { Place } from "./collect.ts";
import { LISTERS, type Offer } from "./offer.ts";
import { quoted } from "./shell-word.ts";
import { valueCases } from "./value-case.ts";

export function toZsh(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  return `#compdef agentao
# Completion of agentao for zsh.
_agentao() {
  local place="" word before="\${words[CURRENT-1]}"
  local -a found known
  local -i at
  known=(${paths.join(" ")})
  for ((at = 2; at < CURRENT; at++)); do
    word="\${words[at]}"
    # Behind it stands the command of somebody else.
    if [[ "$word" == "--" ]]; then
      words=("\${(@)words[at+1,-1]}")
      (( CURRENT -= at ))
      _normal
      return
    fi
    if (( \${known[(Ie)\${place:+$place }$word]} )); then place="\${place:+$place }$word"; fi
  done
  if [[ "\${words[CURRENT]}" == --*=* ]]; then
    before="\${words[CURRENT]%%=*}"
    compset -P '*='
  fi
  case "$place $before" in
${places.flatMap((place) => valueCases(place, add)).join("\n")}
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

function placeCase({ path, words, options, operand }: Place): string {
  const described = [
    ...words.map(({ word, summary }) => [word, summary] as const),
    ...options.map(({ name, summary }) => [name, summary] as const),
  ].map(([word, summary]) => quoted(`${word}:${summary.replaceAll(":", "\\:")}`));
  const acts = [`found=(${described.join(" ")})`, ...(operand === undefined ? [] : [add(operand)])];
  return `    ${quoted(path)}) ${acts.join("; ")} ;;`;
}

function add(offer: Offer): string {
  if (offer === "file") return "_files";
  if (offer === "folder") return "_files -/";
  return `compadd -- ${typeof offer === "string" ? `\${(f)"$(${LISTERS[offer]})"}` : offer.map(quoted).join(" ")}`;
}
