// What is far larger than memory should be: lines of a file of 1 GB, and a command that prints 100 MB.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { MAX_CONTENT_BYTES } from "../../packages/agent/src/tool/bound-content.ts";
import { alone, type Row, ratio, worst } from "../harness/row.ts";
import type { Figures } from "../harness/scenario.ts";
import { floodCommand, lacksRoom, writeLargeFile } from "./large-file.ts";
import type { Scenario } from "./scenario.ts";

const JOB = fileURLToPath(new URL("./memory-job.ts", import.meta.url));
const ROUNDS = 5;

export const largeRows: readonly Row[] = [
  alone("large-end", "wallMs", "read_file, the last 100 lines of 1 GB", "ms", 50),
  worst("large-end", "aboveMb", "RSS above before, meanwhile", "MB", 32),
  worst("output", "aboveMb", "100 MB of output, RSS above before", "MB", 64),
  worst("output", "shownKb", "shown of it, all looks together", "KiB", (2 * MAX_CONTENT_BYTES) / 1024),
];

/** For the reader. */
export const largeRowsWithoutBar: readonly Row[] = [
  alone("large-middle", "firstMs", "read_file, 100 lines 16 million lines into 1 GB, first call", "ms"),
  alone("large-middle", "secondMs", "the same again", "ms"),
  alone("large-middle", "aboveMb", "RSS above before, meanwhile", "MB"),
  ratio("output-wall", "wallMs", "100 MB of output, by a plain spawn that reads it", "ms"),
];

export interface Large {
  readonly scenarios: readonly Scenario[];
  remove(): void;
}

/** Without those of the file where there is no room for it. The file is made when it is first needed. */
export function toLargeScenarios(folder: string, onSkipped: (why: string) => void): Large {
  mkdirSync(folder);
  writeFileSync(join(folder, "small.txt"), "one\ntwo\n");
  const file = join(folder, "large.txt");
  let isMade = false;
  const reading = (id: string, job: string): Scenario => ({
    id,
    sides: ["ours"],
    atMostRounds: ROUNDS,
    async run() {
      if (!isMade) writeLargeFile(file);
      isMade = true;
      return runJob(job, folder, file);
    },
  });
  const flood = (): Promise<Figures> => runJob("output", folder, file);
  const flooding: readonly Scenario[] = [
    { id: "output", sides: ["ours"], atMostRounds: ROUNDS, run: flood },
    {
      id: "output-wall",
      sides: ["ours", "floor"],
      atMostRounds: ROUNDS,
      run: (side) => (side === "ours" ? flood() : plainFlood()),
    },
  ];
  const problem = lacksRoom(folder);
  if (problem !== undefined) onSkipped(`large-end and large-middle are left out: ${problem}`);
  return {
    scenarios: [
      ...(problem === undefined ? [reading("large-end", "end"), reading("large-middle", "middle")] : []),
      ...flooding,
    ],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function runJob(job: string, folder: string, file: string): Promise<Figures> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", JOB, job, folder, file]);
  // What a run kept of the output is no use for the next.
  rmSync(join(folder, "spill"), { recursive: true, force: true });
  return JSON.parse(stdout) as Figures;
}

async function plainFlood(): Promise<Figures> {
  const began = performance.now();
  const child = spawn("/bin/bash", ["-c", floodCommand("the end")], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, "close");
  return { wallMs: performance.now() - began };
}
