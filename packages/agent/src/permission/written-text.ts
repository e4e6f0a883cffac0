// What `echo`, `printf` and those that decode write, where it can be told: such text is often on its way to a shell.

import { type Field, textOf } from "./field.ts";

/** Nothing when it cannot be told. `args` without the program's name. */
export function echoed(args: readonly Field[]): string | undefined {
  const words = allTexts(args);
  if (words === undefined) return undefined;
  let first = 0;
  let newline = "\n";
  for (; /^-[neE]+$/.test(words[first] ?? ""); first += 1) if (words[first]?.includes("n")) newline = "";
  return decodeEscapes(words.slice(first).join(" ")) + newline;
}

export function printed(args: readonly Field[]): string | undefined {
  const words = allTexts(args[0] !== undefined && textOf(args[0]) === "--" ? args.slice(1) : args);
  const [format, ...values] = words ?? [];
  if (format === undefined) return undefined;
  const holes = format.match(/%[sbq]/g)?.length ?? 0;
  const rounds = holes === 0 ? 1 : Math.max(1, Math.ceil(values.length / holes));
  let next = 0;
  let text = "";
  for (let round = 0; round < rounds; round += 1) {
    text += decodeEscapes(format).replace(/%%|%[sbq]/g, (hole) => (hole === "%%" ? "%" : (values[next++] ?? "")));
  }
  return /%[^sbq%]/.test(format.replaceAll("%%", "")) ? undefined : text;
}

/** What `base64 -d`, `xxd -r -p` and `rev` make of a text. */
export function decoded(program: string, args: readonly Field[], text: string): string | undefined {
  const options = allTexts(args)?.join(" ") ?? "";
  if (program === "rev") return text.replace(/[^\n]+/g, (line) => [...line].reverse().join(""));
  if (program === "xxd") return /-r/.test(options) && /p/.test(options) ? fromHex(text) : undefined;
  if (!/(^| )(-[a-z]*[dD]|--d)/.test(options)) return undefined;
  try {
    return atob(text.replace(/[^A-Za-z0-9+/=]/g, ""));
  } catch {
    return undefined;
  }
}

function fromHex(text: string): string {
  return text.replace(/\s+/g, "").replace(/(..)/g, (pair) => String.fromCharCode(Number.parseInt(pair, 16) || 32));
}

function allTexts(fields: readonly Field[]): string[] | undefined {
  const texts = fields.map(textOf);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

const CONTROLS: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "",
  b: "",
  f: " ",
  v: " ",
  "\\": "\\",
};

/** Some shells decode always, some with `-e`: whoever looks for harm assumes they do. */
function decodeEscapes(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|0?[0-7]{1,3}|.)/g, (whole, code: string) => {
    const control = CONTROLS[code];
    if (control !== undefined) return control;
    if (/^[xu][0-9a-fA-F]/.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]+$/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 255);
    return whole;
  });
}
