// What the model is told of a search, with a scripted engine.

import { expect, test } from "vitest";
import type { SearchHit } from "../../config/search-hit.ts";
import type { SearchProvider } from "../../config/web-search.ts";
import type { Machine } from "../../machine/machine.ts";
import { planTool, runTool, scriptedRoom, told } from "../scripted-room.ts";
import { createWebSearch } from "./web-search.ts";

const room = scriptedRoom({} as Machine, "/w");

function engine(hits: readonly SearchHit[]) {
  const asked: unknown[] = [];
  const provider: SearchProvider = {
    name: "scripted",
    endpoint: "https://search.test/",
    async search(query, count) {
      asked.push([query, count]);
      return hits;
    },
  };
  return { asked, tool: createWebSearch(provider) };
}

test("asks the gate about the engine", () => {
  expect(planTool(engine([]).tool, { query: "how\nto" }, room)).toEqual({
    title: 'Search the web for "how…"',
    kind: "search",
    locations: [],
    effect: { type: "fetch", url: "https://search.test/", configured: true },
  });
});

test("lists what was found", async () => {
  const { asked, tool } = engine([
    { title: "One", url: "https://a.test/", snippet: "first" },
    { title: "Two", url: "https://b.test/", snippet: "" },
  ]);
  expect(told(await runTool(tool, { q: " words ", count: 99 }, room))).toBe(
    'Results for " words " (scripted):\n\n1. One\n   https://a.test/\n   first\n\n2. Two\n   https://b.test/',
  );
  expect(asked).toEqual([["words", 20]]);
});

test("asks for five where nothing is said, and says when there is nothing", async () => {
  const { asked, tool } = engine([]);
  expect(told(await runTool(tool, { query: "x" }, room))).toBe('No results for "x" (scripted).');
  expect(asked).toEqual([["x", 5]]);
  expect((await runTool(tool, { query: " " }, room)).failed).toBe(true);
});
