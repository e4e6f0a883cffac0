// How deep a JSON text goes, told before it is parsed: whoever walks the value needs a stack as deep.

const MAX_DEPTH = 64;

/** By brackets outside of strings; the text need not be valid. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isQuoted) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) isQuoted = false;
    } else if (code === QUOTE) isQuoted = true;
    else if (code === BRACKET || code === BRACE) {
      depth++;
      if (depth > MAX_DEPTH) return true;
    } else if (code === BRACKET_END || code === BRACE_END) depth--;
  }
  return false;
}

const [QUOTE, BACKSLASH, BRACKET, BRACKET_END, BRACE, BRACE_END] = [34, 92, 91, 93, 123, 125];
