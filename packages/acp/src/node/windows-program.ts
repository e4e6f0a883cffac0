// Where Windows keeps its own programs. By their full path: a bare name would also be looked up in the current folder.

import { path } from "./builtin.ts";

const { win32 } = path;

export function windowsProgram(file: string, env: Readonly<Record<string, string | undefined>>): string {
  const name = Object.keys(env).find((key) => key.toLowerCase() === "systemroot");
  const systemRoot = name === undefined ? undefined : env[name];
  return win32.join(systemRoot || "C:\\Windows", "System32", file);
}
