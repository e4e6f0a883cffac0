// A folder with named agents in it, for one test.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach } from "vitest";
import { cleanUp, temporaryFolder } from "../process/clean-up.ts";
import { until } from "../process/until.ts";
import { ensureBuilt } from "../program/built.ts";
import { cli, type Finished, type Running, run, scriptedAgent, start } from "./cli.ts";

export interface Project {
  /** Made anew for each test; a test may go elsewhere. */
  folder: string;
  configure(servers: Record<string, object>): void;
  /** `agentao acp …` in the folder, to its end. */
  acp(...args: string[]): Promise<Finished>;
  begin(...args: string[]): Running;
  /** `agentao acp start NAME`, once it is ready. */
  startServer(name: string): Promise<Running>;
  state(name: string): { readonly [field: string]: unknown } & { readonly agentPid: number; readonly socket: string };
  log(name: string): string;
}

/** An entry of acp.json. */
export function agent(trick: string, more: object = {}, code = "0"): object {
  const [command, ...args] = scriptedAgent(trick, code);
  return { command, args, env: {}, cwd: ".", ...more };
}

export function useProject(): Project {
  beforeAll(ensureBuilt, 120_000);
  beforeEach(() => {
    project.folder = temporaryFolder();
  });
  afterEach(cleanUp);
  const ofRun = (name: string): string => join(project.folder, ".agentao", "acp", name);
  const project: Project = {
    folder: "",
    configure(servers) {
      mkdirSync(join(project.folder, ".agentao"), { recursive: true });
      writeFileSync(join(project.folder, ".agentao", "acp.json"), JSON.stringify({ servers }));
    },
    acp: (...args) => run(cli("acp", ...args), "", { cwd: project.folder }),
    begin: (...args) => start(cli("acp", ...args), { cwd: project.folder }),
    async startServer(name) {
      const running = project.begin("start", name);
      await until(() => running.stderr().includes(`${name} is ready`), `${name} is ready: ${running.stderr()}`);
      return running;
    },
    state: (name) => JSON.parse(readFileSync(ofRun(`${name}.json`), "utf8")),
    log(name) {
      try {
        return readFileSync(ofRun(`${name}.log`), "utf8");
      } catch {
        return "";
      }
    },
  };
  return project;
}
