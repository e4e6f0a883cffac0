// What is known of the models that play scripts, before their players are loaded.

import type { ModelInfo } from "./model.ts";

/** What is told of a model of which nothing else is said. */
export const SCRIPTED_INFO: ModelInfo = {
  id: "scripted/script",
  name: "Scripted",
  windowTokens: 200_000,
  takes: { image: true, audio: true },
  thoughtLevels: [],
};

export const DEMO_INFO: ModelInfo = {
  id: "scripted/demo",
  name: "Demo (scripted, no key needed)",
  windowTokens: 200_000,
  takes: { image: false, audio: false },
  thoughtLevels: [],
};
