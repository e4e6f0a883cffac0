// Asks a server on this machine which models it has. Never rejects; what does not look like a list of models is none.

import type { IncomingMessage } from "node:http";
import { fieldsOf, isFields } from "../json/fields.ts";
import { parseJson } from "../json/parse-json.ts";
import { isModelName } from "./model-name.ts";

export interface ServedModel {
  readonly name: string;
  /** Where the server says so. */
  readonly windowTokens?: number | undefined;
}

const MAX_BYTES = 1024 * 1024;
const MAX_MODELS = 200;

export async function listModels(baseUrl: string, signal: AbortSignal): Promise<readonly ServedModel[] | undefined> {
  try {
    const { get } = await import("node:http");
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { signal, agent: false, headers: { accept: "application/json" } };
      get(`${baseUrl}/models`, options, resolve).on("error", reject);
    });
    return response.statusCode === 200 ? parseModels(await readBody(response)) : void response.destroy();
  } catch {
    return undefined;
  }
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BYTES) throw new Error("too long");
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Models for anything but conversation are left out. */
export function parseModels(json: string): readonly ServedModel[] | undefined {
  const { data, models: named } = fieldsOf(parseJson(json));
  const list = data ?? named;
  if (!Array.isArray(list)) return undefined;
  const models = list.slice(0, MAX_MODELS).flatMap(toModel);
  return models.length === 0 && list.length > 0 ? undefined : models.filter(({ name }) => !NO_CONVERSATION.test(name));
}

const NO_CONVERSATION = /embed|rerank|whisper|\btts\b|minilm|\bbge\b/i;

function toModel(entry: unknown): ServedModel[] {
  if (!isFields(entry)) return [];
  const name = [entry.id, entry.name, entry.model].find((word) => typeof word === "string" && isModelName(word));
  if (typeof name !== "string") return [];
  const meta = isFields(entry.meta) ? entry.meta : {};
  const windowTokens = [
    entry.loaded_context_length,
    entry.context_length,
    entry.max_model_len,
    entry.max_context_length,
    entry.context_window,
    meta.n_ctx,
    meta.n_ctx_train,
  ].find((count) => typeof count === "number" && Number.isInteger(count) && count > 0);
  return [typeof windowTokens === "number" ? { name, windowTokens } : { name }];
}
