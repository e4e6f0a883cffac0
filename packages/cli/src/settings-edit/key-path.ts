// One place in a tree of settings, as a person writes it: `providers.openai.models["gpt-6.1-sol"].window`. Pure.

import { isFields } from "../json/fields.ts";

export type KeyPath = readonly string[];

/** Nothing when it is no path. */
export function parseKeyPath(text: string): KeyPath | undefined {
  const steps: string[] = [];
  const step = /(?:^|(?<!^)\.)([^.[\]"]+)|\["((?:[^"\\]|\\.)*)"\]/y;
  for (let at = 0; at < text.length; at = step.lastIndex) {
    step.lastIndex = at;
    const found = step.exec(text);
    if (found === null) return undefined;
    steps.push(found[1] ?? found[2]?.replace(/\\(.)/g, "$1") ?? "");
  }
  const isSound = steps.length > 0 && steps.every((one) => one !== "" && one !== "__proto__");
  return isSound ? steps : undefined;
}

/** As a person writes it. */
export function toKeyText(path: KeyPath): string {
  const [first = "", ...rest] = path.map((step) =>
    /^[^.[\]"]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
  );
  return [first.replace(/^\./, ""), ...rest].join("");
}

export function getAt(tree: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (value, step) => (isFields(value) && Object.hasOwn(value, step) ? value[step] : undefined),
    tree,
  );
}
