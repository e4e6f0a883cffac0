// What a provider wants back with its reasoning and its calls, marked with who made it: nobody else gets to see it.

import type { SharedV3ProviderMetadata } from "@ai-sdk/provider";
import { isFields } from "../json/fields.ts";
import type { Protocol } from "./provider.ts";

/** Who makes an answer. */
export interface Maker {
  readonly provider: string;
  readonly protocol: Protocol;
  /** As the provider calls it. */
  readonly model: string;
}

/** Plain JSON: it goes through the journal. */
export interface Opaque extends Maker {
  readonly metadata: SharedV3ProviderMetadata;
}

export function toOpaque(maker: Maker, metadata: SharedV3ProviderMetadata): Opaque {
  return { provider: maker.provider, protocol: maker.protocol, model: maker.model, metadata };
}

/** The metadata, if this maker made it. The value may come from a file that anybody could have written. */
export function readOpaque(value: unknown, maker: Maker): SharedV3ProviderMetadata | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { provider, protocol, model, metadata } = value as Partial<Opaque>;
  if (provider !== maker.provider || protocol !== maker.protocol || model !== maker.model) return undefined;
  return isMetadata(metadata) ? metadata : undefined;
}

function isMetadata(value: unknown): value is SharedV3ProviderMetadata {
  return isFields(value) && Object.values(value).every(isFields);
}
