// A model whose code is loaded with its first request: opening a session needs only what is known of it.

import { untilAborted } from "../abort/until-aborted.ts";
import { fault } from "../fault/fault.ts";
import type { Model, ModelEvent, ModelInfo } from "./model.ts";

export function loadedLater(info: ModelInfo, load: () => Promise<Model>): Model {
  let loading: Promise<Model> | undefined;
  const model = (): Promise<Model> => {
    loading ??= load();
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  return {
    info,
    async *stream(request, signal): AsyncGenerator<ModelEvent, void, undefined> {
      let loaded: Model;
      try {
        loaded = await model();
      } catch (cause) {
        yield { type: "failed", fault: fault("internal", `${info.id} could not be loaded.`, { cause }) };
        return;
      }
      yield* untilAborted(loaded.stream(request, signal), signal);
    },
    warm: () => void model().catch(() => {}),
  };
}
