// What this folder uses of Node's file system, loaded with its first use: an agent that only serves stdio needs none.

type Files = typeof import("node:fs/promises");

export const lstat = lazily("lstat");
export const mkdir = lazily("mkdir");
export const open = lazily("open");
export const readdir = lazily("readdir");
export const readFile = lazily("readFile");
export const readlink = lazily("readlink");
export const realpath = lazily("realpath");
export const rename = lazily("rename");
export const stat = lazily("stat");
export const unlink = lazily("unlink");
export const { constants } = process.getBuiltinModule("node:fs");

function lazily<Name extends keyof Files>(name: Name): Files[Name] {
  const call = (...args: unknown[]): unknown => {
    const files = process.getBuiltinModule("node:fs/promises");
    return (files[name] as (...args: unknown[]) => unknown)(...args);
  };
  return call as Files[Name];
}
