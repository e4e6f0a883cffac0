// Imported before a program: writes down the address of every module that it loads.

import { appendFileSync } from "node:fs";
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

if (isMainThread) register(import.meta.url);

export async function load(url, context, nextLoad) {
  appendFileSync(process.env.RECORD_MODULES, `${url}\n`);
  return nextLoad(url, context);
}
