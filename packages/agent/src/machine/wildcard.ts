// One name against one pattern of names, in time that grows with both lengths and never faster: no pattern, however it is
// made, keeps the process busy. Pure.

/** A character, any character, or any number of them. */
type Token = string | RegExp | typeof ONE | typeof ANY;

const ONE = Symbol("?");
const ANY = Symbol("*");

export type NameMatcher = (name: string) => boolean;

/** Knows `*`, `?`, `[a-z]` and `\`. What is not closed stands for itself. */
export function toNameMatcher(pattern: string): NameMatcher {
  const tokens = toTokens(pattern);
  return (name) => matches(tokens, name);
}

function toTokens(pattern: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] as string;
    const set = character === "[" ? SET.exec(pattern.slice(at)) : null;
    if (character === "*") {
      if (tokens.at(-1) !== ANY) tokens.push(ANY);
    } else if (character === "?") tokens.push(ONE);
    else if (character === "\\" && at + 1 < pattern.length) tokens.push(pattern[++at] as string);
    else if (set !== null) {
      tokens.push(toSet(set));
      at += set[0].length - 1;
    } else tokens.push(character);
  }
  return tokens;
}

const SET = /^\[([!^]?)(\]?[^\]]*)\]/;

/** One that makes no sense matches nothing. */
function toSet([, not = "", inner = ""]: RegExpExecArray): RegExp {
  try {
    return new RegExp(`^[${not === "" ? "" : "^"}${inner.replace(/[\\[\]^]/g, "\\$&")}]$`, "s");
  } catch {
    return /^(?!)/;
  }
}

/** Only the last `*` is ever tried again: what an earlier one could still take, the last can take as well. */
function matches(tokens: readonly Token[], name: string): boolean {
  let at = 0;
  let token = 0;
  let again: { at: number; token: number } | undefined;
  while (at < name.length || token < tokens.length) {
    const next = tokens[token];
    if (next === ANY) {
      again = { at, token };
      token++;
    } else if (next !== undefined && at < name.length && isOne(next, name[at] as string)) {
      at++;
      token++;
    } else {
      if (again === undefined || again.at >= name.length) return false;
      again.at++;
      at = again.at;
      token = again.token + 1;
    }
  }
  return true;
}

function isOne(token: Token, character: string): boolean {
  return token === ONE || token === character || (token instanceof RegExp && token.test(character));
}
