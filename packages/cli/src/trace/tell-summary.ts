// What a proxy says at the end, on stderr.

import { cleanLine } from "../text/plain.ts";
import type { Summary } from "./recorder.ts";

const SHOWN = 20;

export function tellSummary({ frames, breaches, breachCount, unanswered, problem }: Summary): string {
  const lines = [
    `${counted(frames.client, "frame", "frames")} from the client, ${frames.agent} from the agent, ${counted(breachCount, "breach", "breaches")}.`,
    ...breaches
      .slice(0, SHOWN)
      .map(
        ({ atMs, from, method, rule, message }) =>
          `  ${(atMs / 1000).toFixed(3)}s ${from}: ${cleanLine(`${method}: ${rule}: ${message}`)}`,
      ),
    ...(breachCount > SHOWN ? [`  and ${breachCount - SHOWN} more.`] : []),
    ...unanswered.slice(0, SHOWN).map(({ from, method }) => `  never answered: ${cleanLine(method)} of the ${from}`),
    ...(problem === undefined ? [] : [problem]),
  ];
  return lines.map((line) => `agentao acp proxy: ${line}\n`).join("");
}

function counted(count: number, one: string, many: string): string {
  return `${count === 0 ? "no" : count} ${count === 1 ? one : many}`;
}
