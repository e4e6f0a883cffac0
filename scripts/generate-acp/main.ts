// Writes our ACP types, decoders and method tables from the official schema, or with --check tells which are stale.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { render } from "./render.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

function read(path: string): string | null {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return null;
  }
}

function main(args: readonly string[]): void {
  const stale = [...render()].filter(([path, text]) => read(path) !== text);
  if (args.includes("--check")) {
    for (const [path] of stale) console.error(`${path} is stale: run \`npm run generate\` and commit what it writes.`);
    if (stale.length > 0) process.exitCode = 1;
    return;
  }
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(`wrote ${path}`);
  }
}

main(process.argv.slice(2));
