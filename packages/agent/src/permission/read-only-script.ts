// Scripts for sed and awk that only print. A small part of either language, and nothing beyond it.

import { type Field, textOf } from "./field.ts";

const ADDRESS = "(?:\\d+(?:~\\d+)?|\\$|/[^/\\\\\\n]*/)";
const SED_COMMAND = `(?:${ADDRESS}(?:,\\+?${ADDRESS})?!?)?(?:[pdq=]|s/[^/\\\\\\n]*/[^/\\\\\\n&]*/[gpI\\d]*)`;
const SED_SCRIPT = new RegExp(`^\\s*${SED_COMMAND}\\s*(?:[;\\n]\\s*${SED_COMMAND}\\s*)*;?\\s*$`);

/** `sed -n '1,20p' file`. Never `-i`, `w`, `e` or a script from a file. */
export function isReadOnlySed(args: readonly Field[]): boolean {
  const words = allTexts(args);
  if (words === undefined) return false;
  const scripts: string[] = [];
  let isGiven = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    if (word === "-e" || word === "--expression") {
      scripts.push(words[++at] ?? "");
      isGiven = true;
    } else if (/^-./.test(word)) {
      if (!/^(-[nErsuz]+|--quiet|--silent|--regexp-extended|--separate|--null-data)$/.test(word)) return false;
    } else if (!isGiven && scripts.length === 0) scripts.push(word);
  }
  return scripts.length > 0 && scripts.every((script) => script.length < 500 && SED_SCRIPT.test(script));
}

/** `awk -F: '{print $1}' file`. Nothing that could write, read from a command or load code. */
export function isReadOnlyAwk(args: readonly Field[]): boolean {
  const words = allTexts(args);
  if (words === undefined) return false;
  let at = 0;
  for (; at < words.length && /^-./.test(words[at] as string); at += 1) {
    const word = words[at] as string;
    if (word === "-F" || word === "-v") at += 1;
    else if (!/^-[Fv]./.test(word)) return false;
  }
  const program = words[at];
  return program !== undefined && !/[|>@\\]|system|getline|close|fflush|extension/.test(program);
}

function allTexts(args: readonly Field[]): string[] | undefined {
  const texts = args.map((field) => (field.sure ? textOf(field) : undefined));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}
