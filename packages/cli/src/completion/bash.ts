// The script for bash 3.2 and later: a `case` of where the cursor is.

import type { Place } from "./collect.ts";
import { LISTERS, type Offer } from "./offer.ts";
import { quoted } from "./shell-word.ts";
import { valueCases } from "./value-case.ts";

export function toBash(places: readonly Place[]): string {
  const known = places.filter(({ path }) => path !== "").map(({ path }) => (path.includes(" ") ? path : ` ${path}`));
  return `# Completion of agentao for bash.
_agentao_words() { COMPREPLY+=($(compgen -W "$1" -- "$cur")); }
_agentao_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY+=($(compgen "$1" -- "$cur"))
}
_agentao() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path="" word
  local -i at
  COMPREPLY=()
  # Bash takes --name=value apart.
  if [[ "$cur" == "=" ]]; then cur=""
  elif [[ "$prev" == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    # Behind it stands the command of somebody else.
    if [[ "$word" == "--" ]]; then
      if (( at == COMP_CWORD - 1 )); then _agentao_files -c; fi
      _agentao_files -f
      return
    fi
    case "$path $word" in
      ${known.map(quoted).join("|")}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path $prev" in
${places.flatMap((place) => valueCases(place, reply)).join("\n")}
  esac
  case "$path" in
${places.map(placeCase).join("\n")}
  esac
}
complete -F _agentao agentao
`;
}

function placeCase({ path, words, options, operand }: Place): string {
  const names = [...words.map(({ word }) => word), ...options.map(({ name }) => name)];
  const acts = [reply(names), ...(operand === undefined ? [] : [reply(operand)])];
  return `    ${quoted(path)}) ${acts.join("; ")} ;;`;
}

function reply(offer: Offer): string {
  if (offer === "file") return "_agentao_files -f";
  if (offer === "folder") return "_agentao_files -d";
  return `_agentao_words ${typeof offer === "string" ? `"$(${LISTERS[offer]})"` : quoted(offer.join(" "))}`;
}
