// What a test makes and starts, so that it can be taken away again.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const endings: (() => void)[] = [];
const folders: string[] = [];

/** For `afterEach`. Processes go first: they may still write. */
export function cleanUp(): void {
  for (const end of endings.splice(0)) end();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

export function onCleanUp(end: () => void): void {
  endings.push(end);
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "agentao-test-"));
  folders.push(folder);
  return folder;
}
