// Which tools fit some words best: names, descriptions and names of parameters, scored as documents are (BM25). Pure.

import type { AnyTool } from "../tool/tool.ts";

export interface ToolIndex {
  /** The best first; of equals, the order they were given in. */
  search(query: string, limit: number): readonly AnyTool[];
}

/** How much a word in the name counts beside one in the description. */
const NAME_WEIGHT = 4;
const PARAMETER_WEIGHT = 1;
/** The usual ones of BM25. */
const K1 = 1.2;
const B = 0.75;
const MAX_QUERY_WORDS = 32;
const MAX_DESCRIPTION_CHARS = 4_000;

export function createToolIndex(tools: readonly AnyTool[]): ToolIndex {
  const documents = tools.map(toDocument);
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
  const holders = new Map<string, number>();
  for (const { words } of documents) for (const word of words.keys()) holders.set(word, (holders.get(word) ?? 0) + 1);

  const rarity = (word: string): number => {
    const count = holders.get(word) ?? 0;
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
  };
  const score = ({ words, length }: Document, wanted: readonly string[]): number =>
    wanted.reduce((sum, word) => {
      const weight = words.get(word) ?? 0;
      return sum + (rarity(word) * weight * (K1 + 1)) / (weight + K1 * (1 - B + (B * length) / averageLength));
    }, 0);

  return {
    search(query, limit) {
      const wanted = [...new Set(toWords(query))].slice(0, MAX_QUERY_WORDS);
      const named = new Set(query.split(/[\s,]+/));
      return documents
        .map((document) => ({
          tool: document.tool,
          score: score(document, wanted) + (named.has(document.tool.name) ? 1e6 : 0),
        }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, limit)
        .map(({ tool }) => tool);
    },
  };
}

interface Document {
  readonly tool: AnyTool;
  /** What each word counts for. */
  readonly words: ReadonlyMap<string, number>;
  readonly length: number;
}

function toDocument(tool: AnyTool): Document {
  const words = new Map<string, number>();
  let length = 0;
  const add = (text: string, weight: number): void => {
    for (const word of toWords(text)) {
      words.set(word, (words.get(word) ?? 0) + weight);
      length += weight;
    }
  };
  add(tool.name, NAME_WEIGHT);
  add(tool.description.slice(0, MAX_DESCRIPTION_CHARS), 1);
  add(parametersOf(tool.inputSchema).join(" "), PARAMETER_WEIGHT);
  return { tool, words, length };
}

function parametersOf(schema: object): readonly string[] {
  const { properties } = schema as { readonly properties?: unknown };
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}

/** In lower case, without the endings of plurals; parts of `snake_case` and `camelCase`; Chinese letter by letter. */
export function toWords(text: string): readonly string[] {
  const apart = text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2").toLowerCase();
  return [...apart.matchAll(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu)].map(([word]) => toStem(word));
}

function toStem(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}
