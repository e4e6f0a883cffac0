// Modules of Node that cost milliseconds to import, loaded when they are first needed: an agent that only serves stdio
// starts without them.

export function childProcess(): typeof import("node:child_process") {
  return process.getBuiltinModule("node:child_process");
}

export function fs(): typeof import("node:fs") {
  return process.getBuiltinModule("node:fs");
}
