// `agentao models`: which models can be chosen in this folder, and which one new sessions begin with.

import {
  createCatalogue,
  demoModel,
  inspectModels,
  knownProviders,
  loadConfig,
  type ModelInfo,
  toModelInfo,
} from "@agentao/agent";
import { redact } from "@agentao/agent/program";
import { findHome } from "../home.ts";
import type { Io } from "../io/io.ts";
import type { Command, Option } from "../manual/command.ts";
import { type Manual, toCommand } from "../manual/manual.ts";
import { noOperands, onlyOne, parseWords } from "../manual/parse-words.ts";
import { columnsOf, fitTo, padTo } from "../text/columns.ts";
import { toLine } from "../text/plain.ts";

const OPTIONS: readonly Option[] = [
  { name: "--all", summary: "All models that are known, also of providers without a key here." },
  { name: "--json", summary: "For programs." },
  { name: "--ids", summary: "Only the ids, one in a line." },
];

const manual: Manual = {
  name: "models",
  title: "which models can be chosen here",
  usage: ["[--all] [--json | --ids]"],
  about: [
    "Lists the models of providers that have a key or need none, with how many tokens they read, what a million tokens cost in US dollars (in and out), and their levels of thought, the usual one in brackets. The one with a star is what new sessions in this folder begin with. Other names of a provider's models can be chosen too.",
  ],
  options: OPTIONS,
  examples: [
    ["agentao models", "What can be chosen in this folder."],
    ["agentao models --all --json", "Everything that is known, for a program."],
    ["agentao config set model gemini/gemini-3.8-flash", "Choose another default."],
  ],
  exitCodes: [
    [0, "done"],
    [2, "the command line makes no sense"],
  ],
};

export interface ListedModel extends ModelInfo {
  readonly isDefault: boolean;
  /** Whether there is a key, or none is needed. */
  readonly usable: boolean;
  /** What to set where there is no key. */
  readonly keyVariable?: string;
}

export const models: Command = toCommand(manual, async (args, io) => {
  const words = parseWords(args, OPTIONS);
  noOperands(words);
  onlyOne(words, "--json", "--ids");
  const { listed, why } = await findModels(io, { all: words.options["--all"] === true });
  if (words.options["--json"]) {
    const chosen = listed.find(({ isDefault }) => isDefault)?.id ?? null;
    io.stdout.write(`${JSON.stringify({ default: chosen, why, models: listed }, null, 2)}\n`);
  } else if (words.options["--ids"]) io.stdout.write(toIds(listed));
  else io.stdout.write(toText(listed, why, io.stdout.columns));
  return 0;
});

async function findModels(
  { env, cwd }: Pick<Io, "env" | "cwd">,
  { all }: { readonly all: boolean },
): Promise<{ readonly listed: readonly ListedModel[]; readonly why: string }> {
  const source = { env, cwd, home: findHome(env) };
  const report = await inspectModels(source);
  const besides = createCatalogue([demoModel()]);
  const { catalogue = besides } = await loadConfig({ ...source, besides, discover: async () => report.servers });
  const here = catalogue.list();
  const lacking = new Set(
    report.providers
      .filter(({ provider: p }) => p.needsKey && p.apiKey === undefined)
      .map(({ provider }) => provider.id),
  );
  const chosen = report.choice?.id ?? here[0]?.id;
  const toListed = (info: ModelInfo, isHere: boolean): ListedModel => {
    const id = info.id.slice(0, info.id.indexOf("/"));
    const usable = isHere && !lacking.has(id);
    const keyVariable = usable ? undefined : knownProviders.find((one) => one.id === id)?.keyVariables[0];
    return { ...info, isDefault: info.id === chosen, usable, ...(keyVariable !== undefined && { keyVariable }) };
  };
  const others = all ? knownInfos().filter(({ id }) => !here.some((one) => one.id === id)) : [];
  const listed = [...here.map((info) => toListed(info, true)), ...others.map((info) => toListed(info, false))];
  return { listed, why: redact(report.why) };
}

function knownInfos(): readonly ModelInfo[] {
  return knownProviders.flatMap(({ id, models }) => models.map((name) => toModelInfo(`${id}/${name}`)));
}

/** A shell may expand what it completes: ids that mean something to it are left out. */
function toIds(listed: readonly ListedModel[]): string {
  const plain = listed.map(({ id }) => id).filter((id) => /^[\w./:@+-]+$/.test(id));
  return plain.map((id) => `${id}\n`).join("");
}

function toText(listed: readonly ListedModel[], why: string, columns = Number.POSITIVE_INFINITY): string {
  const rows = listed.map((one) => [
    `${one.isDefault ? "*" : " "} ${toLine(one.id, 80)}`,
    toCount(one.windowTokens),
    one.prices === undefined ? "" : `$${one.prices.input} $${one.prices.output}`,
    levels(one),
    one.usable ? "" : `set ${one.keyVariable ?? "a key"}`,
  ]);
  const head = ["  model", "reads", "in, out", "thought", ""];
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => columnsOf(row[at] ?? ""))));
  const lines = [head, ...rows].map((row) => {
    const cells = row.map((cell, at) => padTo(cell, widths[at] ?? 0));
    return fitTo(cells.join("  ").trimEnd(), columns);
  });
  return `Default: ${toLine(why, 300)}.\n\n${lines.join("\n")}\n`;
}

function levels({ thoughtLevels, defaultThoughtLevel }: ModelInfo): string {
  return thoughtLevels.map((level) => (level === defaultThoughtLevel ? `[${level}]` : level)).join(" ");
}

/** `128k`, `1M`, `1.05M`. */
function toCount(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 1_000_000 ? `${Math.round(tokens / 1000)}k` : `${Number((tokens / 1_000_000).toFixed(2))}M`;
}
