// How a text file is written down: byte order mark and line endings. Models see and write neither, so whoever edits for
// them keeps both.

const BOM = "\uFEFF";

export interface TextForm {
  readonly bom: boolean;
  /** "mixed" texts are edited as they are. */
  readonly lineEnding: "\n" | "\r\n" | "mixed";
}

export function formOf(text: string): TextForm {
  const crlf = text.split("\r\n").length - 1;
  const all = text.split("\n").length - 1;
  return {
    bom: text.startsWith(BOM),
    lineEnding: crlf === 0 ? "\n" : crlf === all ? "\r\n" : "mixed",
  };
}

/** Without the mark, and with plain line endings where all are alike. `inForm` undoes it exactly. */
export function withoutForm(text: string, form: TextForm): string {
  const content = form.bom ? text.slice(BOM.length) : text;
  return form.lineEnding === "\r\n" ? content.replaceAll("\r\n", "\n") : content;
}

export function inForm(text: string, form: TextForm): string {
  const content = form.lineEnding === "\r\n" ? text.replaceAll("\n", "\r\n") : text;
  return form.bom && !content.startsWith(BOM) ? BOM + content : content;
}
