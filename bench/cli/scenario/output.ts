// The program as a command: started, answers on stdout, ends.

import { spawnSync } from "node:child_process";
import type { Scenario } from "../../harness/scenario.ts";
import { GREETING, type Stage } from "../stage.ts";

export function toOutputScenarios(stage: Stage): Scenario[] {
  return [
    command(stage, "version", ["--version"], /^\d+\.\d+\.\d+\n$/),
    command(stage, "help", ["--help"], /^agentao: /),
    command(stage, "run", ["run", "hi"], new RegExp(GREETING)),
  ];
}

function command(stage: Stage, id: string, args: readonly string[], expected: RegExp): Scenario {
  return {
    id,
    sides: ["ours", "floor", "script"],
    async run(side) {
      const [file, words] =
        side === "ours" ? [stage.program, args] : [side === "floor" ? stage.empty : stage.emptyScript, []];
      const env = stage.env("hi");
      const startedAt = performance.now();
      const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...words], {
        cwd: stage.workspace,
        env,
        input: "",
        encoding: "utf8",
      });
      const wallMs = performance.now() - startedAt;
      if (status !== 0 || (side === "ours" && !expected.test(stdout))) {
        throw new Error(`agentao ${args.join(" ")} ended with ${status}: ${stderr}`);
      }
      return { wallMs };
    },
  };
}
