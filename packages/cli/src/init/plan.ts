// What a person chose, and what is to be written for it. Pure.

import { findKnownProvider, type KnownProvider } from "@agentao/agent";
import type { Change } from "../settings-edit/edit-settings.ts";

export interface Choice {
  /** The id of a known provider, or a name of the person's own. */
  readonly provider: string;
  readonly model: string;
  /** Where the key is: in a variable, or here. Nothing where none is needed. */
  readonly key?: { readonly type: "variable"; readonly name: string } | { readonly type: "key"; readonly key: string };
  /** Of a provider that is not known. */
  readonly baseUrl?: string;
}

/** For the person's `settings.json`. */
export function toChanges({ provider, model, key, baseUrl }: Choice): readonly Change[] {
  const known = findKnownProvider(provider);
  const at = (name: string, value: unknown): Change => ({ path: ["providers", provider, name], values: [value] });
  // Variables that the provider is known by are looked at anyway.
  const isUsual = key?.type === "variable" && known?.keyVariables.includes(key.name) === true;
  return [
    { path: ["model"], values: [`${provider}/${model}`] },
    ...(baseUrl === undefined ? [] : [at("baseUrl", baseUrl), at("models", [model])]),
    ...(key === undefined || isUsual ? [] : [at("apiKey", key.type === "key" ? key.key : `$${key.name}`)]),
  ];
}

/** For a project's `.env`. A key in another variable stays there: a file cannot refer to one. */
export function toVariables({ provider, model, key, baseUrl }: Choice): readonly (readonly [string, string])[] {
  const prefix = toPrefix(provider);
  return [
    ["LLM_PROVIDER", prefix],
    ...(key?.type === "key" ? [[keyVariable(provider), key.key] as const] : []),
    ...(baseUrl === undefined ? [] : [[`${prefix}_BASE_URL`, baseUrl] as const]),
    [`${prefix}_MODEL`, model],
  ];
}

export function keyVariable(provider: string): string {
  return findKnownProvider(provider)?.keyVariables[0] ?? `${toPrefix(provider)}_API_KEY`;
}

/** A name in capital letters, or one that is set. Some keys look like names in small letters. */
export function isVariable(name: string, env: Readonly<Record<string, string | undefined>>): boolean {
  return /^[A-Z_][A-Z0-9_]{0,60}$/.test(name) || (/^[A-Za-z_]\w{0,60}$/.test(name) && env[name] !== undefined);
}

/** The variable of a known provider that is set. */
export function setVariable(
  { keyVariables }: Pick<KnownProvider, "keyVariables">,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return keyVariables.find((name) => env[name]?.trim());
}

function toPrefix(provider: string): string {
  return provider.toUpperCase().replace(/[^A-Z0-9]/g, "_");
}
