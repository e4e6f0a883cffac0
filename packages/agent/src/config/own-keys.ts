// Which variables are ours: keys to models. Commands do not need them.

import { findKnownProvider, knownProviders, variablePrefixes } from "../provider/known-providers.ts";
import { namedKey } from "../provider/provider-settings.ts";
import type { Settings } from "./settings.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const OWN = new Set([
  ...knownProviders.flatMap(({ id, keyVariables }) => [
    ...keyVariables,
    ...variablePrefixes(id).map((prefix) => `${prefix}_API_KEY`),
  ]),
  ...["JINA", "BOCHA", "BRAVE", "TAVILY"].map((name) => `${name}_API_KEY`),
  "AZURE_OPENAI_API_KEY",
  "LLM_API_KEY",
  "LLM_EXTRA_BODY",
]);

/**
 * What commands may see: without the keys of these providers, and without these variables. `AGENTAO_SCRUB_CHILD_ENV=0`
 * leaves them in.
 */
export function withoutKeys(
  env: Variables,
  providers: readonly string[] = [],
  variables: readonly string[] = [],
): Variables {
  if (env.AGENTAO_SCRUB_CHILD_ENV?.trim() === "0") return env;
  const others = providers.filter((word) => word.trim() !== "" && findKnownProvider(word) === undefined);
  const own = new Set([
    ...OWN,
    ...others.flatMap(variablePrefixes).map((prefix) => `${prefix}_API_KEY`),
    ...variables.map((name) => name.toUpperCase()),
  ]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !own.has(name.toUpperCase())));
}

/** Variables that a person's settings name as keys. Those of a project are looked up in its own file alone. */
export function keysNamedIn({ providers }: Settings): readonly string[] {
  return Object.values(providers).flatMap((one) => namedKey(one) ?? []);
}
