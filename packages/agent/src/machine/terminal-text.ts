// What is left of a program's output when nobody looks at a terminal: escape codes are gone, and of a line that was
// written over and over only the last version stays.

/** Works across chunks: lines are given out when they are complete, the last one at the end. */
export interface TerminalText {
  write(text: string): string;
  end(): string;
}

/** A line longer than this is given out in pieces. */
const MAX_LINE_CHARS = 64 * 1024;

// CSI, OSC, the other strings, then short sequences; one that the text ends in may be incomplete.
const ESCAPE_CODE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are made of them
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*(?:[@-~]|$)|\u001b\][^\u0007\u001b\n]*(?:\u0007|\u001b\\|$)?|\u001b[PX^_][^\u001b\n]*(?:\u001b\\|$)?|\u001b[ -/]*(?:[0-~]|$)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: everything but tab and newline
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

export function createTerminalText(): TerminalText {
  let line = "";
  return {
    write(text) {
      line += text;
      const end = line.lastIndexOf("\n") + 1;
      const complete = cleanText(line.slice(0, end));
      line = line.slice(end);
      if (line.length <= MAX_LINE_CHARS) return complete;
      line = line.slice(line.lastIndexOf("\r", line.length - 2) + 1);
      if (line.length <= MAX_LINE_CHARS) return complete;
      const piece = cleanText(line);
      line = "";
      return complete + piece;
    },
    end() {
      const rest = cleanText(line);
      line = "";
      return rest;
    },
  };
}

export function cleanText(text: string): string {
  const plain = text.replace(ESCAPE_CODE, "").replace(/\r+\n/g, "\n");
  const lines = /[\r\b]/.test(plain) ? plain.split("\n").map(lastVersion).join("\n") : plain;
  return lines.replace(CONTROL, "");
}

function lastVersion(line: string): string {
  const version = line.split("\r").findLast((part) => part !== "") ?? "";
  return version.includes("\b") ? erase(version) : version;
}

function erase(line: string): string {
  const kept: string[] = [];
  for (const character of line) {
    if (character === "\b") kept.pop();
    else kept.push(character);
  }
  return kept.join("");
}
