// A model of a real provider, behind the seam. One attempt per request: whoever asks decides on another. The one
// exception is a request that the endpoint refuses because of a setting it turns out not to know.

import type { LanguageModelV3, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { Model, ModelEvent, ModelInfo, ModelRequest } from "../model/model.ts";
import { unnamedCall } from "./chat-chunk.ts";
import { readFailure } from "./failure.ts";
import { isKey } from "./key.ts";
import type { Maker } from "./opaque.ts";
import { openModel } from "./open-model.ts";
import type { Http, Provider } from "./provider.ts";
import { learnQuirk, type Quirk, remarkOn } from "./quirk.ts";
import { readStream } from "./read-stream.ts";
import { toCallOptions } from "./to-call-options.ts";
import { badKey, missingKey, toFault } from "./to-fault.ts";

/** Loads nothing before the first request, or `warm`. */
export function providerModel(provider: Provider, info: ModelInfo, http: Http): Model {
  const maker: Maker = { provider: provider.id, protocol: provider.protocol, model: modelName(provider, info) };
  const quirks = new Set<Quirk>();
  let opened: Promise<LanguageModelV3> | undefined;

  function open(): Promise<LanguageModelV3> {
    opened ??= openModel(provider, maker.model, http, quirks);
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  }

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    if (signal.aborted) return;
    if (provider.needsKey && !provider.apiKey) {
      yield { type: "failed", fault: missingKey(provider) };
      return;
    }
    if (provider.apiKey && !isKey(provider.apiKey)) {
      yield { type: "failed", fault: badKey(provider) };
      return;
    }
    const stop = new AbortController();
    let reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart> | undefined;
    const onAbort = (): void => {
      stop.abort();
      reader?.cancel().catch(() => {});
    };
    signal.addEventListener("abort", onAbort, { once: true });
    const fail = (thrown: unknown) => toFault(thrown, provider, maker.model);
    const remarks: string[] = [];
    const tell = (): ModelEvent[] => remarks.splice(0).map((message) => ({ type: "notice", message }));
    try {
      reader = (await ask(request, stop.signal, remarks)).getReader();
      yield* tell();
      const events = readStream({ maker, prices: info.prices, toFault: fail });
      while (!signal.aborted) {
        const { done, value } = await reader.read();
        if (done || signal.aborted) return;
        for (const event of events.read(value)) {
          yield event;
          if (event.type === "finish" || event.type === "failed") return;
        }
      }
    } catch (thrown) {
      if (signal.aborted) return;
      yield* tell();
      yield* unnamedCall(thrown) ?? [{ type: "failed", fault: fail(thrown) }];
    } finally {
      signal.removeEventListener("abort", onAbort);
      // Also where the reader of the events left early: the socket is closed, whatever still comes.
      stop.abort();
      reader?.cancel().catch(() => {});
    }
  }

  /** Rejects with what went wrong. `remarks` gets what the person should know. */
  async function ask(
    request: ModelRequest,
    signal: AbortSignal,
    remarks: string[],
  ): Promise<ReadableStream<LanguageModelV3StreamPart>> {
    for (;;) {
      try {
        const model = await open();
        const options = toCallOptions(request, { provider, info, maker }, quirks);
        return (await model.doStream({ ...options, abortSignal: signal })).stream;
      } catch (thrown) {
        const { status, codes, sentence } = readFailure(thrown);
        const quirk = signal.aborted ? undefined : learnQuirk(status, `${codes} ${sentence}`, quirks);
        if (quirk === undefined) throw thrown;
        quirks.add(quirk);
        const remark = remarkOn(quirk, maker.model);
        if (remark !== undefined) remarks.push(remark);
      }
    }
  }

  return {
    info,
    stream,
    warm() {
      open().catch(() => {});
    },
  };
}

/** Behind the provider's name; the name itself may contain further slashes. */
function modelName(provider: Provider, info: ModelInfo): string {
  const prefix = `${provider.id}/`;
  return info.id.startsWith(prefix) ? info.id.slice(prefix.length) : info.id;
}
