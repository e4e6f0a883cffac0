// Commands that can be seen in code for another interpreter: `os.system("…")`, `rmtree("…")`. Code is not understood
// here, and most of it shows nothing; this only keeps the plainest disguises from working.

import { type Field, literal } from "./field.ts";

const MAX_CODE_CHARS = 20_000;
const SHELL_CALL =
  /\b(?:system|popen|exec|execSync|spawn|spawnSync|shell_exec|passthru|getoutput|run|call|check_call|check_output|Popen|qx|execute|shell script)\b\s{0,9}[({[]?\s{0,9}(["'`])([^\n]{1,300}?)\1/g;
/** In perl, ruby and php, what stands between backticks is run. */
const BACKTICKS = /`([^`\n]{1,300})`|\bqx\s{0,9}[({[]([^\n]{1,300}?)[)}\]]/g;
const AWK_PIPE = /"([^"\n]{1,300})"\s{0,9}\|\s{0,9}getline|\|&?\s{0,9}"([^"\n]{1,300})"/g;
const TCL_EXEC = /\bexec\s{1,9}([^\n\];]{1,300})/g;
const LIST_CALL = /\[\s{0,9}((?:["'][^"'\n]{0,100}["']\s{0,9},?\s{0,9}){2,12})\]/g;
const REMOVE_CALL =
  /\b(?:rmtree|rmSync|rmdirSync|rm_rf|rm_r|remove_dir_all|remove_tree|RemoveAll)\b\s{0,9}\(?\s{0,9}(["'])([^"'\n]{1,300})\1/g;

interface CodeText {
  readonly texts: readonly Field[];
  readonly commands: readonly (readonly Field[])[];
}

/** `words`: what the interpreter was given. */
export function commandsInCode(program: string, code: string, words: readonly (string | undefined)[]): CodeText {
  const text = code.slice(0, MAX_CODE_CHARS);
  const texts = [
    ...[...text.matchAll(SHELL_CALL)].map(([, , call = ""]) => literal(call)),
    ...ownCalls(program, text, words).map(literal),
  ];
  const lists = [...text.matchAll(LIST_CALL)].map(([, list = ""]) =>
    [...list.matchAll(/(["'])([^"'\n]*)\1/g)].map(([, , word = ""]) => literal(word)),
  );
  const removals = [...text.matchAll(REMOVE_CALL)].map(([, , path = ""]) => ["rm", "-rf", path].map(literal));
  return { texts, commands: [...lists, ...removals] };
}

/** What only this language runs: PowerShell is a shell, and others have a syntax for it. */
function ownCalls(program: string, text: string, words: readonly (string | undefined)[]): readonly string[] {
  if (/^(pwsh|powershell)$/.test(program)) return words.some((word) => /^-c/i.test(word ?? "")) ? [text] : [];
  const calls = /^(perl|ruby|php)/.test(program)
    ? BACKTICKS
    : /awk$/.test(program)
      ? AWK_PIPE
      : program === "tclsh"
        ? TCL_EXEC
        : undefined;
  return calls === undefined ? [] : [...text.matchAll(calls)].map((match) => match[1] ?? match[2] ?? "");
}
