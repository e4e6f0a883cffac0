// The models that play scripts, for a program: the demo, and `scripted/<path>.json`. Their players are loaded when needed.

import { loadedLater } from "./loaded-later.ts";
import type { Model } from "./model.ts";
import type { ReadFile } from "./scenario-model.ts";
import { DEMO_INFO, SCRIPTED_INFO } from "./scripted-info.ts";

export function lazyDemo(): Model {
  return loadedLater(DEMO_INFO, async () => (await import("./demo.ts")).demoModel());
}

/** Nothing unless the id is that of a scenario file. */
export function lazyScenario(id: string, readFile: ReadFile): Model | undefined {
  const path = /^scripted\/(.+\.json)$/is.exec(id)?.[1];
  if (path === undefined) return undefined;
  const info = { ...SCRIPTED_INFO, id, name: `Scenario ${path}` };
  return loadedLater(info, async () => (await import("./scenario-model.ts")).scenarioModel(id, readFile) as Model);
}
