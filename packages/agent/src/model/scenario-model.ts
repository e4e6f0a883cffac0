// `scripted/<path>.json` as a model: plays a scenario file. The file is read at the first request, by whoever is allowed
// to; a file that cannot be read or understood is the model's failure, told as its only event.

import { fault } from "../fault/fault.ts";
import { aborted, type Delay } from "./delay.ts";
import type { Model, ModelEvent, ModelRequest } from "./model.ts";
import { parseScenario } from "./scenario.ts";
import { playScript } from "./scripted.ts";
import { SCRIPTED_INFO } from "./scripted-info.ts";

/** May throw. */
export type ReadFile = (path: string, signal: AbortSignal) => Promise<string> | string;

/** Nothing unless the id is that of a scenario file. The path may be relative; what to is up to `readFile`. */
export function scenarioModel(id: string, readFile: ReadFile, options: { delay?: Delay } = {}): Model | undefined {
  const path = /^scripted\/(.+\.json)$/is.exec(id)?.[1];
  if (path === undefined) return undefined;
  const info = { ...SCRIPTED_INFO, id, name: `Scenario ${path}` };
  let loaded: Model | undefined;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    if (loaded === undefined) {
      const opened = await Promise.race([open(signal), aborted(signal)]);
      if (opened === undefined || signal.aborted) return;
      if (typeof opened === "string") {
        yield { type: "failed", fault: fault("bad-request", opened) };
        return;
      }
      loaded ??= opened;
    }
    yield* loaded.stream(request, signal);
  }

  /** A model, or why there is none. */
  async function open(signal: AbortSignal): Promise<Model | string> {
    try {
      const parsed = parseScenario(await readFile(path as string, signal));
      if (parsed.type === "refused") return `The scenario ${path} cannot be played: ${parsed.problems.join("; ")}.`;
      const { script, chunk } = parsed.scenario;
      return playScript(script, { info, chunk, ...options });
    } catch (cause) {
      return `The scenario ${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`;
    }
  }

  return { info, stream };
}
