// The runtime of the program for a front of its own: the same as for `--acp`, with what this one run asks for laid over.

import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { release, tmpdir, type } from "node:os";
import { join } from "node:path";
import {
  type Config,
  createCatalogue,
  createRuntime,
  demoModel,
  loadConfig,
  localMachine,
  memoryStore,
  openStore,
  ReferenceFolder,
  scenarioModel,
} from "@agentao/agent";
import type { Program } from "../command/acp-runtime.ts";
import { findHome } from "../home.ts";
import { openLog } from "../log.ts";

/** What a run asks for beyond the files of its folder. */
export interface Overlay {
  readonly maxSteps?: number | undefined;
  /** The configuration of a folder, with what was asked for. */
  config?(config: Config): Config;
}

const NO_HOME =
  "There is no home folder, so sessions are kept in memory only. Set AGENTAO_HOME to a folder to keep them.";

export function createOwnProgram(env: Readonly<Record<string, string | undefined>>, overlay: Overlay): Program {
  const home = findHome(env);
  const spillFolder = join(tmpdir(), `agentao-${process.pid}`);
  const scripted = createCatalogue([demoModel()], {
    open: (id) => scenarioModel(id, (path, signal) => readFile(path, { encoding: "utf8", signal })),
  });
  const runtime = createRuntime({
    store: home === undefined ? memoryStore() : openStore({ folder: join(home, "sessions") }),
    catalogue: scripted,
    platform: `${type()} ${release()}`,
    foreign: (cwd) => new ReferenceFolder(cwd),
    notices: home === undefined ? [NO_HOME] : [],
    machine: (roots) => localMachine({ roots, spillFolder }),
    ...(overlay.maxSteps !== undefined && { maxSteps: overlay.maxSteps }),
    config: async (cwd, roots) => {
      const config = await loadConfig({ cwd, roots, env, home, besides: scripted, announce: true });
      return overlay.config?.(config) ?? config;
    },
  });
  return {
    runtime,
    log: openLog(env, home),
    close: async () => {
      await runtime.close();
      rmSync(spillFolder, { recursive: true, force: true });
    },
  };
}
