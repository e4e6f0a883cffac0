// Whether a text opens more than anybody would read. Asked before it is parsed: a parser may need the square of the time
// for what is opened and never closed.

const MAX_OPEN = 200;

/** By the characters alone, quoted or not. */
export function isTooNested(text: string): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === PARENTHESIS || code === BRACE) {
      open += 1;
      if (open > MAX_OPEN) return true;
    } else if ((code === PARENTHESIS_END || code === BRACE_END) && open > 0) open -= 1;
  }
  return false;
}

const [PARENTHESIS, PARENTHESIS_END, BRACE, BRACE_END] = [40, 41, 123, 125];
