// What stands behind a name in a run spec, as far as it is read alike wherever it stands.

export type Fields = Readonly<Record<string, unknown>>;

/** Says what is wrong with a spec. Throws. */
export type Refuse = (problem: string) => never;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function readTexts(name: string, value: unknown, refuse: Refuse): readonly string[] {
  if (!Array.isArray(value) || !value.every((one) => typeof one === "string"))
    refuse(`"${name}" is not a list of texts`);
  return value as readonly string[];
}
