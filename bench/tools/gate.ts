// What the gate needs to decide on a line of ten commands, by what it needs where there is nothing to read.

import { createGate } from "../../packages/agent/src/permission/gate.ts";
import type { Effect, PermissionRequest } from "../../packages/agent/src/permission/request.ts";
import { alone, type Row } from "../harness/row.ts";
import { type Scenario, timed } from "./scenario.ts";

const DECISIONS = 1_000;
const ROOT = "/repo/app";
const LINE =
  "cat a.ts | grep -n foo | sort -u | uniq -c | sort -rn | head -n 20 | cut -d: -f1 | tr a-z A-Z | sed -n '1,5p' | wc -l";

export const gateRows: readonly Row[] = [
  alone("gate", "wallMs", "1,000 decisions on a pipeline of 10 commands", "ms", 200),
];

export function toGateScenarios(): readonly Scenario[] {
  const gate = createGate({ roots: [ROOT], ask: async () => undefined });
  const { signal } = new AbortController();
  return [
    {
      id: "gate",
      sides: ["ours", "floor"],
      run: timed(async (side) => {
        for (let time = 0; time < DECISIONS; time++) {
          // No two neighbours are the same line: what was read last is remembered.
          const command = LINE + " ".repeat(time % 100);
          const effect: Effect =
            side === "ours" ? { type: "command", command, cwd: ROOT } : { type: "read", paths: [ROOT] };
          if ((await gate.ask(toRequest(effect), signal)).type !== "allowed") throw new Error("expected: allowed");
        }
      }),
    },
  ];
}

function toRequest(effect: Effect): PermissionRequest {
  return {
    callId: "call_1" as PermissionRequest["callId"],
    tool: "run_shell_command",
    input: {},
    effect,
    title: "a call",
    kind: "execute",
    locations: [],
    content: [],
  };
}
