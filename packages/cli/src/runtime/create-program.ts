// The runtime of the program, made from the environment it was started in.

import { existsSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { release, tmpdir, type } from "node:os";
import { join } from "node:path";
import {
  type Config,
  createCatalogue,
  createRuntime,
  lazyDemo,
  lazyScenario,
  loadConfig,
  localMachine,
  memoryStore,
  openStore,
  type Runtime,
  randomIds,
  referenceSessions,
} from "@agentao/agent/program";
import { findHome } from "../home.ts";
import { type Log, openLog } from "./log.ts";
import { createServerLoader } from "./server-loader.ts";
import { systemBytes } from "./system-bytes.ts";

export interface Program {
  readonly runtime: Runtime;
  readonly log: Log;
  close(): Promise<void>;
}

/** What one front asks for beyond the files of its folder. */
export interface Overlay {
  readonly maxSteps?: number | undefined;
  /** The configuration of a folder, with what was asked for. */
  config?(config: Config): Config;
}

const NO_HOME =
  "There is no home folder, so sessions are kept in memory only. Set AGENTAO_HOME to a folder to keep them.";

/** Long after a client has its first answer. */
const SWEEP_MS = 5_000;

export function createProgram(env: Readonly<Record<string, string | undefined>>, overlay: Overlay = {}): Program {
  const home = findHome(env);
  const spillFolder = join(tmpdir(), `agentao-${process.pid}`);
  const scripted = createCatalogue([lazyDemo()], {
    open: (id) => lazyScenario(id, (path, signal) => readFile(path, { encoding: "utf8", signal })),
  });
  const log = openLog(env, home);
  let announce = true;
  const sweep = setTimeout(() => {
    void import("./sweep-leftovers.ts").then(({ sweepLeftovers }) => sweepLeftovers(tmpdir()));
  }, SWEEP_MS).unref();
  const runtime = createRuntime({
    store: home === undefined ? memoryStore() : openStore({ folder: join(home, "sessions") }),
    catalogue: scripted,
    platform: `${type()} ${release()}`,
    ids: randomIds(systemBytes),
    foreign: referenceSessions,
    notices: home === undefined ? [NO_HOME] : [],
    servers: createServerLoader({ home, env }),
    signIn: async (config, hooks) => {
      const { signInFor } = await import("@agentao/agent/mcp");
      return signInFor(config, { home, env, ...hooks });
    },
    log,
    machine: (roots) => localMachine({ roots, spillFolder }),
    ...(overlay.maxSteps !== undefined && { maxSteps: overlay.maxSteps }),
    config: async (cwd, roots) => {
      const loading = loadConfig({ cwd, roots, env, home, besides: scripted, announce });
      announce = false;
      const config = await loading;
      return overlay.config?.(config) ?? config;
    },
  });
  return {
    runtime,
    log,
    close: async () => {
      clearTimeout(sweep);
      await runtime.close();
      if (existsSync(spillFolder)) rmSync(spillFolder, { recursive: true, force: true });
    },
  };
}
