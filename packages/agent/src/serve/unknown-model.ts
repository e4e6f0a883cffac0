// What to say of a model that cannot be had: that nobody knows it, or which key is missing.

import { findKnownProvider } from "../provider/known-providers.ts";

export function unknownModel(id: string): string {
  const at = id.indexOf("/");
  const provider = at > 0 ? findKnownProvider(id.slice(0, at)) : undefined;
  if (provider === undefined || !provider.needsKey) return `the model "${id}" is not known`;
  return `the model "${id}" needs a key of ${provider.name}: set ${provider.keyVariables[0]}`;
}
