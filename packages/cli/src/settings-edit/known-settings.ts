// The names in a `settings.json`, and in what they hold. Pure.

/** By name, with what may stand below; `"*"` is any name. `true` holds a value, or what is not ours to know. */
interface Known {
  readonly [name: string]: Known | true;
}

const PRICES: Known = { input: true, output: true, cachedInput: true, cacheWrite: true };

const MODEL: Known = {
  name: true,
  window: true,
  contextLength: true,
  output: true,
  maxTokens: true,
  image: true,
  audio: true,
  thoughtLevels: true,
  thoughtLevel: true,
  prices: PRICES,
};

const PROVIDER: Known = {
  name: true,
  protocol: true,
  baseUrl: true,
  apiKey: true,
  headers: true,
  models: { "*": MODEL },
  temperature: true,
  maxTokens: true,
  extraBody: true,
};

/** Those that agentao reads, and those that it leaves alone because the reference system keeps them there. */
const KNOWN: Known = {
  model: true,
  mode: true,
  providers: { "*": PROVIDER },
  context: { compactAt: true },
  stallSeconds: true,
  firstByteSeconds: true,
  caFile: true,
  webSearch: { provider: true, url: true },
  sandbox: true,
  agents: true,
  replay: true,
  goal: true,
};

/** The names at the top. */
export const KNOWN_SETTINGS: readonly string[] = Object.keys(KNOWN);

/** Which names may stand at the end of a path; nothing where any may. */
export function knownBeside(path: readonly string[]): readonly string[] | undefined {
  let known: Known | true | undefined = KNOWN;
  for (const step of path.slice(0, -1)) {
    if (known === undefined || known === true) return undefined;
    known = Object.hasOwn(known, step) ? known[step] : known["*"];
  }
  if (known === undefined || known === true || Object.hasOwn(known, "*")) return undefined;
  return Object.keys(known);
}
