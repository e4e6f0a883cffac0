// What stands behind a name in a run spec, as far as it is read alike wherever it stands.

import { isTexts } from "../json/fields.ts";

/** Says what is wrong with a spec. Throws. */
export type Refuse = (problem: string) => never;

export function readTexts(name: string, value: unknown, refuse: Refuse): readonly string[] {
  return isTexts(value) ? value : refuse(`"${name}" is not a list of texts`);
}
