// What stands at a place of a value, the place written as a JSON pointer without escapes: `/outcome/optionId`.

export function atPlace(value: unknown, place: string): unknown {
  const keys = place.split("/").slice(1);
  return keys.reduce(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}
