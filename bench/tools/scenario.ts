// What is measured: one call of a tool as a turn makes it, and what it stands on, called as plainly as can be.

import { spawn } from "node:child_process";
import { rgPath } from "@vscode/ripgrep";
import { fdir } from "fdir";
import { localMachine } from "../../packages/agent/src/machine/local-machine.ts";
import { glob } from "../../packages/agent/src/tool/builtin/glob.ts";
import { searchFileContent } from "../../packages/agent/src/tool/builtin/search-file-content.ts";
import { runTool, scriptedRoom, told } from "../../packages/agent/src/tool/scripted-room.ts";
import type { AnyTool } from "../../packages/agent/src/tool/tool.ts";
import type { Scenario as CommonScenario } from "../harness/scenario.ts";
import { COMMON, RARE, type Tree } from "./tree.ts";

/** Where no bar hangs on it. */
const FEW_ROUNDS = 7;

export type Side = "ours" | "floor";

export type Scenario = CommonScenario<Side>;

/** The wall time of what is done. */
export function timed(act: (side: Side) => Promise<void>): Scenario["run"] {
  return async (side) => {
    const began = performance.now();
    await act(side);
    return { wallMs: performance.now() - began };
  };
}

export function toScenarios(tree: Tree): readonly Scenario[] {
  const { root } = tree;
  const place = { roots: [root], spillFolder: `${root}-spill` };
  const room = scriptedRoom(localMachine(place), root);
  const alone = scriptedRoom(localMachine({ ...place, ripgrep: "none" }), root);
  const call = async (tool: AnyTool, input: Record<string, unknown>, expected: string, where = room): Promise<void> => {
    expect(told(await runTool(tool, input, where)).startsWith(expected), `${tool.name} answers ${expected}`);
  };
  const rare = `Found ${tree.rare} match(es) in ${tree.rare} file(s):`;
  return [
    {
      id: "search",
      sides: ["ours", "floor"],
      run: timed((side) =>
        side === "ours" ? call(searchFileContent, { pattern: RARE }, rare) : plainSearch(root, RARE, tree.rare),
      ),
    },
    {
      id: "search-common",
      sides: ["ours", "floor"],
      atMostRounds: FEW_ROUNDS,
      run: timed((side) =>
        side === "ours"
          ? call(searchFileContent, { pattern: COMMON }, "Found at least 10000 match(es)")
          : plainSearch(root, COMMON, 25 * 10_000),
      ),
    },
    {
      id: "search-alone",
      sides: ["ours", "floor"],
      atMostRounds: FEW_ROUNDS,
      run: timed((side) =>
        side === "ours" ? call(searchFileContent, { pattern: RARE }, rare, alone) : plainSearch(root, RARE, tree.rare),
      ),
    },
    {
      id: "glob",
      sides: ["ours", "floor"],
      run: timed((side) =>
        side === "ours" ? call(glob, { pattern: "**/*.ts" }, `Found ${tree.scripts} file(s):`) : plainGlob(tree),
      ),
    },
  ];
}

/** The same program and pattern, as one would type it. */
async function plainSearch(root: string, pattern: string, lines: number): Promise<void> {
  const child = spawn(rgPath, ["--fixed-strings", "--line-number", "-e", pattern, "./"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let found = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) found++;
  }
  expect(found === lines, `ripgrep finds ${lines} lines, not ${found}`);
}

async function plainGlob({ root, scripts }: Tree): Promise<void> {
  const paths = await new fdir().withBasePath().glob("**/*.ts").crawl(root).withPromise();
  expect(paths.length === scripts, `fdir finds ${scripts} files, not ${paths.length}`);
}

function expect(isSo: boolean, claim: string): void {
  if (!isSo) throw new Error(`expected: ${claim}`);
}
