// Modules of Node without the cost of importing them: some take milliseconds to load, and are loaded when they are first
// needed; others are loaded already, and an import would only wrap them.

export function childProcess(): typeof import("node:child_process") {
  return process.getBuiltinModule("node:child_process");
}

export function fs(): typeof import("node:fs") {
  return process.getBuiltinModule("node:fs");
}

export const { isAscii, isUtf8 } = process.getBuiltinModule("node:buffer");
export const path = process.getBuiltinModule("node:path");
