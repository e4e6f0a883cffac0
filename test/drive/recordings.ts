// Recorded sessions, made by the proxy itself: one that only speaks, one with a question, one in which the agent dies.

import { join } from "node:path";
import { until } from "../process/until.ts";
import { cli, echoAgent, hello, open, prompt, type Running, run, script, scriptedAgent, start } from "./cli.ts";

export interface Recordings {
  readonly echo: string;
  readonly permission: string;
  readonly died: string;
}

export async function makeRecordings(folder: string): Promise<Recordings> {
  const at = (name: string): string => join(folder, `${name}.jsonl`);
  const recordings = { echo: at("echo"), permission: at("permission"), died: at("died") };
  const proxy = (file: string, agent: string[]): string[] =>
    cli("acp", "proxy", "--quiet", "--record", file, "--", ...agent);
  await run(script("examples/client.ts", "Hi", ...proxy(recordings.echo, echoAgent)));
  const answer = { jsonrpc: "2.0", id: "q1", result: { outcome: { outcome: "selected", optionId: "no" } } };
  const died = await converse(proxy(recordings.died, scriptedAgent("die", "9")), [
    [hello, '"id":0'],
    [open, '"id":1'],
    [prompt(2, "x"), "I am going"],
  ]);
  await died.finished;
  const asked = await converse(proxy(recordings.permission, scriptedAgent("permission")), [
    [hello, '"id":0'],
    [open, '"id":1'],
    [prompt(2, "x"), '"q1"'],
    [`${JSON.stringify(answer)}\n`, "stopReason"],
  ]);
  asked.child.stdin.end();
  await asked.finished;
  return recordings;
}

/** Says one thing after the other, each when the answer to the one before has come. */
async function converse(
  command: string[],
  exchange: readonly (readonly [said: string, heard: string])[],
): Promise<Running> {
  const running = start(command);
  for (const [said, heard] of exchange) {
    running.child.stdin.write(said);
    await until(() => running.stdout().includes(heard), heard);
  }
  return running;
}
