// A model of a real provider, of which nothing is loaded until it is first used or warmed: programs that only name their
// models start sooner.

import { fault } from "../fault/fault.ts";
import type { Model, ModelEvent, ModelInfo } from "../model/model.ts";
import type { Http, Provider } from "./provider.ts";

/** What is loaded: `provider-model`. */
interface Loaded {
  readonly providerModel: (provider: Provider, info: ModelInfo, http: Http) => Model;
}

export function lazyModel(
  provider: Provider,
  info: ModelInfo,
  http: Http,
  importModel: () => Promise<Loaded> = () => import("./provider-model.ts"),
): Model {
  let loading: Promise<Model> | undefined;
  let loaded: Model | undefined;
  const load = async (): Promise<Model> => {
    const { providerModel } = await importModel();
    const model = providerModel(provider, info, http);
    loaded = model;
    return model;
  };
  const once = (): Promise<Model> => {
    loading ??= load().catch((cause: unknown) => {
      // The next request tries again.
      loading = undefined;
      throw cause;
    });
    return loading;
  };
  async function* first(...asked: Parameters<Model["stream"]>): AsyncGenerator<ModelEvent, void, undefined> {
    const model = await once().catch((cause: unknown) => fault("internal", `A part of agentao is missing: ${cause}`));
    if (asked[1].aborted) return;
    if ("stream" in model) yield* model.stream(...asked);
    else yield { type: "failed", fault: model };
  }
  return {
    info,
    stream: (request, signal) => (loaded === undefined ? first(request, signal) : loaded.stream(request, signal)),
    warm: () => {
      once().then(
        (model) => model.warm?.(),
        () => {},
      );
    },
  };
}
