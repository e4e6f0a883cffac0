// Which models there are, by name. A list that is handed in, and an opener for those that are made when asked for.

import type { Model, ModelCatalogue } from "./model.ts";

export interface CatalogueOptions {
  /** For ids that are not in the list, such as `scripted/<path>`. What it gives is kept, so that it keeps its place. */
  readonly open?: ((id: string) => Model | undefined) | undefined;
}

/** Of the models that were opened, so many are kept; the oldest is forgotten first. */
const MAX_OPENED = 64;

/** The first model is the default. Of two with one id the first counts. */
export function createCatalogue(models: readonly Model[], options: CatalogueOptions = {}): ModelCatalogue {
  const listed = models.filter(({ info }, at) => models.findIndex((other) => other.info.id === info.id) === at);
  const open = remember(options.open ?? (() => undefined));
  return {
    list: () => listed.map(({ info }) => info),
    find(id, current) {
      const bare =
        current !== undefined && mayBeBare(id, current, listed) ? `${split(current).provider}/${id}` : undefined;
      const known = findListed(listed, id, bare);
      if (known !== "unknown") return known;
      return open(id) ?? (bare === undefined ? undefined : open(bare));
    },
  };
}

/**
 * A name with a slash names a provider, so that a misspelt one does not go to another. Only where the models of the
 * provider in use have such names themselves, it may be one of them.
 */
function mayBeBare(id: string, current: string, listed: readonly Model[]): boolean {
  if (!id.includes("/")) return true;
  const { provider } = split(current);
  return [current, ...listed.map(({ info }) => info.id)].some((known) => {
    const { provider: other, name } = split(known);
    return other === provider && name.includes("/");
  });
}

/** Nothing where more than one model could be meant. */
function findListed(models: readonly Model[], id: string, bare: string | undefined): Model | undefined | "unknown" {
  const exact = models.find(({ info }) => info.id === id);
  if (exact !== undefined) return exact;
  for (const wanted of [id, bare]) {
    const found = wanted === undefined ? [] : models.filter(({ info }) => isSame(info.id, wanted));
    if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  }
  if (bare !== undefined) return "unknown";
  const named = models.filter(({ info }) => split(info.id).name === id);
  return named.length === 0 ? "unknown" : named.length === 1 ? named[0] : undefined;
}

/** Providers are written in any case; model names are what their providers say. */
function isSame(id: string, wanted: string): boolean {
  const [left, right] = [split(id), split(wanted)];
  return left.provider.toLowerCase() === right.provider.toLowerCase() && left.name === right.name;
}

/** A model's name may have slashes of its own. */
function split(id: string): { readonly provider: string; readonly name: string } {
  const slash = id.indexOf("/");
  return slash < 0 ? { provider: "", name: id } : { provider: id.slice(0, slash), name: id.slice(slash + 1) };
}

function remember(open: (id: string) => Model | undefined): (id: string) => Model | undefined {
  const opened = new Map<string, Model>();
  return (id) => {
    const known = opened.get(id) ?? open(id);
    if (known === undefined) return undefined;
    opened.delete(id);
    opened.set(id, known);
    for (const oldest of opened.keys()) {
      if (opened.size <= MAX_OPENED) break;
      opened.delete(oldest);
    }
    return known;
  };
}
