// What every agent under test does, whatever library carries it: streams the updates that were agreed on, and says what
// it has used. `session/prompt` names the number of updates in its text, `session/load` replays `REPLAYED`.

import { createTraffic, type TrafficType, type Update } from "./traffic.ts";
import { readUsage, type Usage } from "./usage.ts";

/** Extension methods of the benchmark. `prepare` builds the updates, so that this is not part of what is measured. */
export const PING = "_bench/ping";
export const PREPARE = "_bench/prepare";
export const USAGE = "_bench/usage";

export const REPLAYED = 5_000;

let traffic: readonly Update[] = [];

export function prepare(params: unknown): object {
  traffic = createTraffic((params as { type: TrafficType }).type);
  return {};
}

export function usage(): Usage {
  return readUsage();
}

/** Every update is awaited, as an agent must to keep its memory bounded. */
export async function stream(count: number, send: (update: Update) => Promise<void> | undefined): Promise<void> {
  for (let at = 0; at < count; at++) await send(traffic[at % traffic.length] as Update);
}

/** The number of updates a prompt asks for. */
export function toCount(prompt: readonly unknown[]): number {
  const [block] = prompt as readonly { text?: string }[];
  return Number(block?.text);
}
