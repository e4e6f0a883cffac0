// The tree that is searched: 10,000 small files in 500 folders, always the same.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FOLDERS = 500;
const FILES_EACH = 20;
const ENDINGS = ["ts", "js", "md", "json", "txt"];
const MODIFIED = new Date("2024-01-01T00:00:00Z");

export interface Tree {
  readonly root: string;
  /** Files that end with `.ts`. */
  readonly scripts: number;
  /** Lines that hold `RARE`. */
  readonly rare: number;
  remove(): void;
}

export const RARE = "needleInTheHay";
export const COMMON = "computeValue";

export function makeTree(): Tree {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "agentao-bench-tools-")));
  writeFileSync(join(root, ".gitignore"), "*.log\n/out/\n*.tmp\n!keep.tmp\n");
  let [scripts, rare] = [0, 0];
  for (let at = 0; at < FOLDERS * FILES_EACH; at++) {
    const folder = folderOf(at % FOLDERS);
    const ending = ENDINGS[at % ENDINGS.length] as string;
    const path = join(root, folder, `file${at}.${ending}`);
    const isRare = at % 100 === 7;
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(path, textOf(at, isRare));
    utimesSync(path, MODIFIED, MODIFIED);
    scripts += ending === "ts" ? 1 : 0;
    rare += isRare ? 1 : 0;
  }
  const remove = (): void => {
    for (const folder of [root, `${root}-spill`]) rmSync(folder, { recursive: true, force: true });
  };
  return { root, scripts, rare, remove };
}

/** Ten areas with seven packages each, and modules in them. */
function folderOf(at: number): string {
  return `area${at % 10}/package${Math.floor(at / 10) % 7}/module${Math.floor(at / 70)}`;
}

function textOf(at: number, isRare: boolean): string {
  const lines = Array.from({ length: 25 }, (_, line) => `const value${line} = ${COMMON}(${at}, "${line * 7}");`);
  return `${[...lines, isRare ? `// ${RARE} ${at}` : "// the end"].join("\n")}\n`;
}
