import { describe, expect, test } from "vitest";
import { createCatalogue } from "./catalogue.ts";
import type { Model } from "./model.ts";
import { scriptedModel } from "./scripted.ts";

const model = (id: string): Model => scriptedModel([], { info: { id } });

const ids = ["openai/gpt", "openai/o", "Anthropic/claude", "router/openai/gpt", "a/same", "b/same", "X/y", "x/y"];
const catalogue = createCatalogue(ids.map(model));

test("lists the default first, and each id once", () => {
  const [first, second, again] = [model("a/1"), model("b/2"), model("a/1")];
  const { list, find } = createCatalogue([first, second, again]);
  expect(list()).toEqual([first.info, second.info]);
  expect(find("a/1")).toBe(first);
});

test.each<{ id: string; current?: string; found: string | undefined }>([
  { id: "openai/gpt", found: "openai/gpt" },
  { id: "openai/gpt", current: "router/openai/gpt", found: "openai/gpt" },
  { id: "OpenAI/gpt", found: "openai/gpt" },
  { id: "anthropic/claude", found: "Anthropic/claude" },
  { id: "openai/GPT", found: undefined },
  { id: "gpt", current: "openai/o", found: "openai/gpt" },
  { id: "gpt", current: "OPENAI/o", found: "openai/gpt" },
  { id: "claude", current: "openai/o", found: undefined },
  { id: "openai/gpt", current: "router/x", found: "openai/gpt" },
  { id: "claude", found: "Anthropic/claude" },
  { id: "same", found: undefined },
  { id: "same", current: "b/other", found: "b/same" },
  { id: "x/y", found: "x/y" },
  { id: "x/Y", found: undefined },
  { id: "y", current: "x/z", found: undefined },
  { id: "", found: undefined },
  { id: "", current: "openai/o", found: undefined },
])("finds $found by $id, from $current", ({ id, current, found }) => {
  expect(catalogue.find(id, current)?.info.id).toBe(found);
});

describe("models that are opened when asked for", () => {
  const opening = (opened: string[]) =>
    createCatalogue([model("scripted/demo")], {
      open: (id) => {
        if (!id.startsWith("scripted/")) return undefined;
        opened.push(id);
        return model(id);
      },
    });

  test("are opened once, and by their bare name too", () => {
    const opened: string[] = [];
    const { find, list } = opening(opened);
    const found = find("scripted/a.json");
    expect(found?.info.id).toBe("scripted/a.json");
    expect(find("a.json", "scripted/demo")).toBe(found);
    expect(find("a.json", "openai/gpt")).toBeUndefined();
    expect(opened).toEqual(["scripted/a.json"]);
    expect(list().map(({ id }) => id)).toEqual(["scripted/demo"]);
  });

  test("are forgotten when there are more than 64, the one not used longest first", () => {
    const opened: string[] = [];
    const { find } = opening(opened);
    for (let at = 0; at < 64; at++) find(`scripted/${at}`);
    find("scripted/0");
    find("scripted/64");
    find("scripted/0");
    find("scripted/1");
    expect(opened.slice(64)).toEqual(["scripted/64", "scripted/1"]);
  });
});

test("a name with a slash is no bare name, unless the provider in use has such names", () => {
  const open = (id: string) => scriptedModel([], { info: { id } });
  const plain = createCatalogue([scriptedModel([], { info: { id: "acme/m1" } })], {
    open: (id) => (id.startsWith("acme/") ? open(id) : undefined),
  });
  expect(plain.find("nope/x", "acme/m1")).toBeUndefined();
  expect(plain.find("m2", "acme/m1")?.info.id).toBe("acme/m2");
  const router = createCatalogue([scriptedModel([], { info: { id: "router/a/b" } })], {
    open: (id) => (id.startsWith("router/") ? open(id) : undefined),
  });
  expect(router.find("c/d", "router/a/b")?.info.id).toBe("router/c/d");
});
