import { expect, test } from "vitest";
import type { ModelInfo, ModelRequest } from "../model/model.ts";
import { lazyModel } from "./lazy-model.ts";
import type { Provider } from "./provider.ts";

const provider: Provider = {
  id: "maker",
  name: "Maker",
  protocol: "chat",
  baseUrl: "http://127.0.0.1:1/v1",
  keyVariable: "MAKER_API_KEY",
  needsKey: true,
};
const info: ModelInfo = {
  id: "maker/m",
  name: "m",
  windowTokens: 1,
  takes: { image: false, audio: false },
  thoughtLevels: [],
};
const http = { env: {}, firstByteMs: 1, idleMs: 1 };
const request: ModelRequest = { system: "", messages: [], tools: [] };

test("a part that could not be loaded is tried again with the next request", async () => {
  let tries = 0;
  const model = lazyModel(provider, info, http, async () => {
    if (tries++ === 0) throw new Error("not there yet");
    return import("./provider-model.ts");
  });
  const kinds: (string | undefined)[] = [];
  for (let turn = 0; turn < 2; turn++) {
    for await (const event of model.stream(request, new AbortController().signal)) {
      kinds.push(event.type === "failed" ? event.fault.kind : event.type);
    }
  }
  expect(kinds).toEqual(["internal", "auth"]);
});
