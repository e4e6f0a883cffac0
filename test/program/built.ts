// The program as it was built, and the build where it is missing.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "../process/until.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** For a build by another test file, on a busy machine. */
const BUILD_MS = 60_000;

/** `AGENTAO_PROGRAM` names another build. */
export const mainFile = process.env.AGENTAO_PROGRAM ?? join(root, "packages/cli/dist/main.js");

/** Builds once when the build is missing, or older than what it is made of. Several test files may ask at once. */
export async function ensureBuilt(): Promise<void> {
  if (process.env.AGENTAO_PROGRAM !== undefined) return;
  const lock = join(root, "node_modules/.agentao-build");
  let isOurs = false;
  await until(
    () => {
      if (isFresh()) return true;
      isOurs = tryLock(lock);
      return isOurs;
    },
    "another test file builds",
    BUILD_MS,
  );
  if (!isOurs) return;
  try {
    // The one before us may have been quicker.
    if (!isFresh()) execFileSync("npx", ["tsx", "scripts/build.ts"], { cwd: root, stdio: "pipe" });
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function isFresh(): boolean {
  const built = mtime(mainFile);
  const sources = ["acp", "agent", "cli"].flatMap((name) =>
    readdirSync(join(root, "packages", name, "src"), { recursive: true, withFileTypes: true }),
  );
  return sources.every(
    (file) => !file.isFile() || /\.test\.ts$/.test(file.name) || mtime(join(file.parentPath, file.name)) <= built,
  );
}

function tryLock(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    // One whose maker died is worth nothing.
    if (Date.now() - mtime(path) > 60_000) rmdirSync(path);
    return false;
  }
}

function mtime(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
