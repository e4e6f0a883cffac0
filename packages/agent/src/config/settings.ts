// Reads the text of a `settings.json`. Pure. What it does not know it leaves alone, since other programs keep their
// settings there too; what has the wrong type is named and left out, and everything else counts.

import { isFields } from "../json/fields.ts";
import type { ModelFacts } from "../model/known-models.ts";
import { isMode, type ModeId } from "../permission/mode.ts";
import type { Protocol } from "../provider/provider.ts";
import type { ProviderSettings } from "../provider/surroundings.ts";
import { findJsonFault } from "./json-place.ts";
import { type ParsedSandbox, parseSandbox } from "./sandbox.ts";
import type { SearchSettings } from "./web-search.ts";

export interface Settings {
  /** `provider/model`. */
  readonly model?: string | undefined;
  readonly mode?: ModeId | undefined;
  /** By name in lower case. */
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  readonly compactAt?: number | undefined;
  readonly stallSeconds?: number | undefined;
  readonly firstByteSeconds?: number | undefined;
  readonly caFile?: string | undefined;
  readonly webSearch?: SearchSettings | undefined;
}

export interface ParsedSettings {
  readonly settings: Settings;
  readonly sandbox: ParsedSandbox;
  /** Sentences for the person; each names the place. Values are never quoted. Without those of the sandbox. */
  readonly problems: readonly string[];
}

const NO_SANDBOX: ParsedSandbox = { settings: {}, problems: [] };

const PROTOCOLS: readonly Protocol[] = ["chat", "responses", "messages", "gemini"];
const MAX_NAMED = 200;

export function parseSettings(text: string, source: string): ParsedSettings {
  const json = text.replace(/^\uFEFF/, "");
  if (json.trim() === "") return { settings: { providers: {} }, sandbox: NO_SANDBOX, problems: [] };
  const place = findJsonFault(json);
  if (place !== undefined) {
    const problem = `${source} is not JSON (line ${place.line}, column ${place.column}), so it is not used.`;
    return { settings: { providers: {} }, sandbox: NO_SANDBOX, problems: [problem] };
  }
  const problems: string[] = [];
  const value: unknown = JSON.parse(json);
  const root = new Fields(value, "", (path, wanted) => {
    problems.push(`${source}: ${path === "" ? "the whole" : path} is not ${wanted}, so it is not used.`);
  });
  const sandbox = parseSandbox((value as { sandbox?: unknown } | null)?.sandbox, `${source}: sandbox`);
  return { settings: readSettings(root), sandbox, problems };
}

function readSettings(root: Fields): Settings {
  const context = root.record("context");
  return present({
    model: root.text("model"),
    mode: root.oneOf<ModeId>("mode", isMode, "read-only, workspace-write, full-access or plan"),
    providers: Object.fromEntries(
      root
        .record("providers")
        .records()
        .map(([name, fields]) => [name.trim().toLowerCase(), readProvider(fields)]),
    ),
    compactAt: context.number("compactAt", { above: 0, to: 1, wanted: "a number above 0 and up to 1" }),
    stallSeconds: root.number("stallSeconds", SECONDS),
    firstByteSeconds: root.number("firstByteSeconds", SECONDS),
    caFile: root.text("caFile"),
    webSearch: root.has("webSearch") ? readSearch(root.record("webSearch")) : undefined,
  });
}

function readProvider(fields: Fields): ProviderSettings {
  return present({
    name: fields.text("name"),
    protocol: fields.oneOf<Protocol>("protocol", isProtocol, PROTOCOLS.join(", ").replace(/, (\w+)$/, " or $1")),
    baseUrl: fields.url("baseUrl"),
    apiKey: fields.text("apiKey"),
    headers: fields.texts("headers"),
    models: readModels(fields),
    temperature: fields.number("temperature", { above: -1e-9, to: 2, wanted: "a number from 0 to 2" }),
    maxOutputTokens: fields.number("maxTokens", WHOLE),
    extraBody: fields.anything("extraBody"),
  });
}

/** An object of names, or a list of them. */
function readModels(fields: Fields): Readonly<Record<string, ModelFacts>> | undefined {
  const names = fields.list("models");
  if (names !== undefined) return Object.fromEntries(names.map((name) => [name, {}]));
  if (!fields.has("models")) return undefined;
  return Object.fromEntries(
    fields
      .record("models")
      .records()
      .map(([name, model]) => [name, readModel(model)]),
  );
}

function readModel(fields: Fields): ModelFacts {
  const prices = fields.record("prices");
  const [input, output] = [prices.number("input", PRICE), prices.number("output", PRICE)];
  const more = { cachedInput: prices.number("cachedInput", PRICE), cacheWrite: prices.number("cacheWrite", PRICE) };
  return present({
    name: fields.text("name"),
    windowTokens: fields.number("window", WHOLE) ?? fields.number("contextLength", WHOLE),
    maxOutputTokens: fields.number("output", WHOLE) ?? fields.number("maxTokens", WHOLE),
    image: fields.flag("image"),
    audio: fields.flag("audio"),
    thoughtLevels: fields.list("thoughtLevels"),
    defaultThoughtLevel: fields.text("thoughtLevel"),
    prices: input === undefined || output === undefined ? undefined : present({ input, output, ...more }),
  });
}

function isProtocol(word: string): word is Protocol {
  return (PROTOCOLS as readonly string[]).includes(word);
}

interface Range {
  readonly above: number;
  readonly to: number;
  readonly wanted: string;
  readonly whole?: boolean;
}

const SECONDS: Range = { above: 0, to: 86_400, wanted: "a number of seconds" };
const WHOLE: Range = { above: 0, to: 1e9, wanted: "a whole number above 0", whole: true };
const PRICE: Range = { above: -1e-9, to: 1e6, wanted: "a price in dollars for a million tokens" };

/** Reads fields of an object by name, and says which one was not what it should be. `null` is as good as nothing. */
function readSearch(fields: Fields): SearchSettings {
  return present({ provider: fields.text("provider"), url: fields.text("url") });
}

class Fields {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #refuse: (path: string, wanted: string) => void;

  constructor(value: unknown, path: string, refuse: (path: string, wanted: string) => void) {
    this.#path = path;
    this.#refuse = refuse;
    this.#fields = isFields(value) ? value : {};
    if (!isFields(value)) refuse(path, "an object");
  }

  has(name: string): boolean {
    return this.#get(name) !== undefined;
  }

  text(name: string): string | undefined {
    const text = this.#read(name, (value) => typeof value === "string", "a text")?.trim();
    return text === "" ? undefined : text;
  }

  flag(name: string): boolean | undefined {
    return this.#read(name, (value) => typeof value === "boolean", "true or false");
  }

  number(name: string, { above, to, wanted, whole = false }: Range): number | undefined {
    const fits = (value: unknown): value is number =>
      typeof value === "number" && value > above && value <= to && (!whole || Number.isInteger(value));
    return this.#read(name, fits, wanted);
  }

  oneOf<Word extends string>(name: string, is: (word: string) => word is Word, wanted: string): Word | undefined {
    return this.#read(name, (value): value is Word => typeof value === "string" && is(value), wanted);
  }

  url(name: string): string | undefined {
    const isUrl = (value: unknown): value is string =>
      typeof value === "string" && /^https?:\/\/[^/]/i.test(value.trim()) && URL.canParse(value.trim());
    return this.#read(name, isUrl, "an http or https address")?.trim();
  }

  texts(name: string): Readonly<Record<string, string>> | undefined {
    const isTexts = (value: unknown): value is Record<string, string> =>
      isFields(value) && Object.values(value).every((one) => typeof one === "string");
    return this.#read(name, isTexts, "an object of texts");
  }

  anything(name: string): Readonly<Record<string, unknown>> | undefined {
    return this.#read(name, isFields, "an object");
  }

  /** Of texts; undefined, without a word, for an object. */
  list(name: string): readonly string[] | undefined {
    if (isFields(this.#get(name))) return undefined;
    const isList = (value: unknown): value is string[] =>
      Array.isArray(value) && value.every((one) => typeof one === "string" && one.trim() !== "");
    return this.#read(name, isList, "a list of names")?.slice(0, MAX_NAMED);
  }

  /** Without fields where there is none. A list was refused before. */
  record(name: string): Fields {
    const value = this.#get(name);
    const isRefused = value === undefined || (name === "models" && !isFields(value));
    return new Fields(isRefused ? {} : value, this.#at(name), this.#refuse);
  }

  records(): readonly (readonly [string, Fields])[] {
    return Object.entries(this.#fields)
      .filter(([name, value]) => name.trim() !== "" && value !== null)
      .slice(0, MAX_NAMED)
      .map(([name, value]) => [name, new Fields(value, this.#at(name), this.#refuse)]);
  }

  #read<Value>(name: string, fits: (value: unknown) => value is Value, wanted: string): Value | undefined {
    const value = this.#get(name);
    if (value === undefined || fits(value)) return value as Value | undefined;
    this.#refuse(this.#at(name), wanted);
    return undefined;
  }

  #get(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? (this.#fields[name] ?? undefined) : undefined;
  }

  #at(name: string): string {
    const step = /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
    return this.#path === "" ? step : `${this.#path}.${step}`;
  }
}

/** Without the fields that are not there. */
function present<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Value;
}
