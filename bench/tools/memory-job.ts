// One call of a tool in a process of its own, where nothing else takes memory. Prints what it took as one line of JSON.

import { Console } from "node:console";
import { localMachine } from "../../packages/agent/src/machine/local-machine.ts";
import { boundContent } from "../../packages/agent/src/tool/bound.ts";
import { readFile } from "../../packages/agent/src/tool/builtin/read-file.ts";
import { runShellCommand } from "../../packages/agent/src/tool/builtin/run-shell-command.ts";
import { runTool, type ScriptedRoom, scriptedRoom, told } from "../../packages/agent/src/tool/scripted-room.ts";
import type { AnyTool, ToolOutcome } from "../../packages/agent/src/tool/tool.ts";
import type { Figures } from "../harness/scenario.ts";
import { floodCommand, LINES, lineOf } from "./large-file.ts";

const LOOK_EVERY_MS = 2;
const MB = 1e6;

const [, , job = "", folder = "", file = ""] = process.argv;
const room = scriptedRoom(localMachine({ roots: [folder], spillFolder: `${folder}/spill` }), folder);
new Console(process.stdout).log(JSON.stringify(await run(job)));

function run(name: string): Promise<Figures> {
  switch (name) {
    case "end":
      return readEnd();
    case "middle":
      return readMiddle();
    case "output":
      return flood();
  }
  throw new Error(`there is no job named ${name}`);
}

async function readEnd(): Promise<Figures> {
  await runTool(readFile, { file_path: "small.txt", offset: -1 }, room);
  const { outcome, wallMs, aboveMb } = await measured(readFile, { file_path: file, offset: -100 });
  expectTold(outcome, lineOf(LINES - 99), lineOf(LINES));
  return { wallMs, aboveMb };
}

/** The first call looks for the line, the second knows where it is. */
async function readMiddle(): Promise<Figures> {
  const input = { file_path: file, offset: LINES - 1_000, limit: 100 };
  await runTool(readFile, { file_path: "small.txt", offset: 1 }, room);
  const first = await measured(readFile, input);
  const second = await measured(readFile, input);
  for (const { outcome } of [first, second]) expectTold(outcome, lineOf(LINES - 1_000), lineOf(LINES - 901));
  return { firstMs: first.wallMs, secondMs: second.wallMs, aboveMb: first.aboveMb };
}

async function flood(): Promise<Figures> {
  await runTool(runShellCommand, { command: "echo begin" }, room);
  room.shown.length = 0;
  const { outcome, wallMs, aboveMb } = await measured(runShellCommand, { command: floodCommand("the end") });
  expectTold(outcome, "the end", "characters left out here");
  return { wallMs, aboveMb, shownKb: shownBytes(room, outcome) / 1024 };
}

async function measured(tool: AnyTool, input: Readonly<Record<string, unknown>>) {
  const before = process.memoryUsage.rss();
  let most = before;
  const look = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const looks = setInterval(look, LOOK_EVERY_MS);
  const began = performance.now();
  const outcome = await runTool(tool, input, room);
  const wallMs = performance.now() - began;
  clearInterval(looks);
  look();
  return { outcome, wallMs, aboveMb: (most - before) / MB };
}

/** What the person is sent: each look, and the result. */
function shownBytes({ shown }: ScriptedRoom, { content = [] }: ToolOutcome): number {
  return [...shown, content].reduce((sum, one) => sum + Buffer.byteLength(JSON.stringify(boundContent(one))), 0);
}

function expectTold(outcome: ToolOutcome, ...parts: readonly string[]): void {
  const answer = told(outcome);
  const missing = parts.find((part) => !answer.includes(part));
  if (missing !== undefined) throw new Error(`expected: ${missing}, not ${answer.slice(0, 300)}`);
}
