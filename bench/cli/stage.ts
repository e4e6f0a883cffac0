// The temporary directory everything runs in: the program as it was built, so that a build meanwhile cannot disturb a run,
// an empty module, scenarios, homes and a workspace. Nothing is left of it.

import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toScenario } from "../agent/script.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

export const GREETING = "Hello to you.";
const LIVE_DELTAS = 2_000;
export const LIVE_END = "That was all.";

export class Stage {
  readonly root = mkdtempSync(join(tmpdir(), "bench-cli-"));
  readonly workspace = join(this.root, "workspace");
  readonly program = join(this.root, "agentao/main.js");
  /** Bare node: an ES module with nothing in it. */
  readonly empty = join(this.root, "empty.mjs");
  /** The same as CommonJS, which Node starts sooner. */
  readonly emptyScript = join(this.root, "empty.cjs");
  #homes = 0;

  /** Throws when the program has not been built. */
  constructor() {
    writeFileSync(join(this.root, "package.json"), '{ "type": "module" }\n');
    cpSync(join(repository, "packages/cli/dist"), join(this.root, "agentao"), { recursive: true });
    // What is not built in is looked up from there.
    symlinkSync(join(repository, "node_modules"), join(this.root, "node_modules"));
    for (const file of [this.empty, this.emptyScript]) writeFileSync(file, "");
    writeFileSync(join(this.root, "scenario.json"), toScenario());
    writeFileSync(join(this.root, "live.json"), toLiveScenario());
    writeFileSync(join(this.root, "hi.json"), JSON.stringify({ replies: [[{ text: GREETING }]] }));
    mkdirSync(this.workspace);
  }

  /** The environment of one run: a home of its own, and the scenario as its model. */
  env(scenario: "scenario" | "live" | "hi"): Record<string, string> {
    const { PATH = "", LANG = "C.UTF-8" } = process.env;
    const home = join(this.root, `home-${this.#homes++}`);
    mkdirSync(home);
    const model = `scripted/${join(this.root, `${scenario}.json`)}`;
    return { PATH, LANG, HOME: home, AGENTAO_HOME: join(home, ".agentao"), AGENTAO_MODEL: model };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}

function toLiveScenario(): string {
  const delta = { repeat: { count: LIVE_DELTAS, step: [{ text: "some words " }, { delayMs: 1 }] } };
  return JSON.stringify({ chunk: "whole", replies: [[delta, { text: `\n\n${LIVE_END}` }]] });
}
