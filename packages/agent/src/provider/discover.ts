// Looks for servers of models on this machine, at the ports they usually have. Where nobody listens, nothing is loaded and
// nothing is waited for. Never rejects.

import { knownProviders } from "./known-providers.ts";
import { listModels, type ServedModel } from "./list-models.ts";

export interface LocalServer {
  /** The id of a known provider. */
  readonly id: string;
  readonly baseUrl: string;
  readonly models: readonly ServedModel[];
}

export interface DiscoveryOptions {
  /** Ids and addresses; the usual ones where they are not given. */
  readonly places?: readonly Place[] | undefined;
  readonly now?: (() => number) | undefined;
}

export interface Place {
  readonly id: string;
  readonly baseUrl: string;
}

export type Discover = (place?: Place) => Promise<readonly LocalServer[]>;

/** Refusal comes at once on most systems; some try for seconds. */
const CONNECT_MS = 50;
const ANSWER_MS = 300;
const KEPT_MS = 5_000;

const usualPlaces: readonly Place[] = knownProviders.filter(({ needsKey }) => !needsKey);

/** Looks at all its places, or at the one it is asked for. What it finds is kept for some seconds. */
export function createDiscovery({ places = usualPlaces, now = Date.now }: DiscoveryOptions = {}): Discover {
  const kept = new Map<string, { readonly at: number; readonly found: Promise<LocalServer | undefined> }>();
  const lookOnce = (place: Place): Promise<LocalServer | undefined> => {
    const known = kept.get(place.baseUrl);
    if (known !== undefined && now() - known.at < KEPT_MS) return known.found;
    const found = look(place);
    kept.set(place.baseUrl, { at: now(), found });
    return found;
  };
  return async (place) => {
    const found = await Promise.all((place === undefined ? places : [place]).map(lookOnce));
    return found.filter((server) => server !== undefined);
  };
}

/** Of this process. */
export const discoverLocal: Discover = createDiscovery();

async function look({ id, baseUrl }: Place): Promise<LocalServer | undefined> {
  const { hostname, port } = new URL(baseUrl);
  if (!(await listens(hostname, Number(port || 80)))) return undefined;
  const models = await listModels(baseUrl, AbortSignal.timeout(ANSWER_MS));
  return models === undefined ? undefined : { id, baseUrl, models };
}

async function listens(hostname: string, port: number): Promise<boolean> {
  const { connect } = await import("node:net");
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port, timeout: CONNECT_MS });
    const end = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", end(true)).once("timeout", end(false)).on("error", end(false));
  });
}
