// Variables in configured texts: `$NAME` and `${NAME}`, and `${NAME:-otherwise}` where something else will do. Pure.

const VARIABLE = /\$(?:\{([A-Za-z_]\w*)(?::-([^}]*))?\}|([A-Za-z_]\w*))/g;

/** One that is not set becomes nothing, and is told. What was put in is not looked at again. */
export function expandVariables(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  unset: (variable: string) => void,
): string {
  return text.replace(VARIABLE, (_, braced?: string, otherwise?: string, bare?: string) => {
    const name = braced ?? bare ?? "";
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (otherwise !== undefined) return value || otherwise;
    if (value === undefined) unset(name);
    return value ?? "";
  });
}
