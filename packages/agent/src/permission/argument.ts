// Options and operands of a command, read the way programs commonly read them.

import type { Field } from "./field.ts";

/** Words that are no options; after `--`, all of them. */
export function operandsOf(args: readonly Field[]): readonly Field[] {
  const end = args.findIndex(({ shape }) => shape === "--");
  const before = (end < 0 ? args : args.slice(0, end)).filter(({ shape }) => !/^-./.test(shape));
  return end < 0 ? before : [...before, ...args.slice(end + 1)];
}

/**
 * One of these letters among the short options, or one of the long ones, which may be shortened. After `--`, too: it
 * may be the value of an option, and then it ends nothing.
 */
export function hasOption(args: readonly Field[], letters: string, long: readonly string[]): boolean {
  return args.some(({ shape }) => {
    if (shape.startsWith("--")) return long.some((name) => isShortFor(shape, name));
    return /^-[^-]/.test(shape) && [...shape.slice(1)].some((letter) => letters.includes(letter));
  });
}

/** `--out=x` means `--output` to most programs. */
export function isShortFor(word: string, name: string): boolean {
  const given = word.split("=")[0] ?? "";
  return given.length > 2 && name.startsWith(given);
}

/** Values of an option, as the next word or in the same one. */
export function valuesOf(args: readonly Field[], separate: RegExp, attached: RegExp): readonly Field[] {
  return args.flatMap((field, at) => {
    const inside = attached.exec(field.shape)?.[1];
    if (inside !== undefined) return [{ ...field, shape: inside }];
    const next = args[at + 1];
    return separate.test(field.shape) && next !== undefined ? [next] : [];
  });
}
