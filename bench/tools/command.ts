// One command as a turn runs it, with and without the sandbox, by the same command spawned as plainly as can be.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { localMachine } from "../../packages/agent/src/machine/local-machine.ts";
import { probeSandbox } from "../../packages/agent/src/machine/sandbox-probe.ts";
import { runShellCommand } from "../../packages/agent/src/tool/builtin/run-shell-command.ts";
import { runTool, scriptedRoom, told } from "../../packages/agent/src/tool/scripted-room.ts";
import { alone, type Row } from "../harness/row.ts";
import { type Scenario, timed } from "./scenario.ts";

export const commandRows: readonly Row[] = [
  above("command", "run_shell_command, above a plain spawn", 3),
  above("command-sandbox", "run_shell_command in the sandbox, above a plain spawn", 15),
];

function above(scenario: string, name: string, atMost: number): Row {
  return { ...alone(scenario, "wallMs", name, "ms", atMost), compared: "above" };
}

/** Without the sandbox where there is none. */
export async function toCommandScenarios(root: string): Promise<readonly Scenario[]> {
  const machine = localMachine({ roots: [root], spillFolder: `${root}-spill` });
  const policy = { writable: [root], network: false };
  const free = scriptedRoom(machine, root);
  const confined = scriptedRoom(machine, root, { sandbox: { type: "active", policy, isAsked: false } });
  const scenario = (id: string, room: typeof free): Scenario => ({
    id,
    sides: ["ours", "floor"],
    run: timed(async (side) => {
      if (side === "floor") return plainSpawn(root);
      const answer = told(await runTool(runShellCommand, { command: "echo done" }, room));
      if (answer !== "STDOUT:\ndone\n\nExit code: 0") throw new Error(`expected: done, not ${answer}`);
    }),
  });
  const { available } = await probeSandbox();
  return [scenario("command", free), ...(available ? [scenario("command-sandbox", confined)] : [])];
}

async function plainSpawn(cwd: string): Promise<void> {
  const child = spawn("/bin/bash", ["-c", "echo done"], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, "close");
}
