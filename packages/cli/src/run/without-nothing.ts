// An object without the fields that are undefined: in JSON they are not there, and in tests neither.

export function withoutNothing<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}
