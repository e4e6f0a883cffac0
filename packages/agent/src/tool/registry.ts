// The tools of a session, by name. Models misspell names in a few ways that can be meant in one way only; those are
// understood, guesses are not.

import type { AnyTool } from "./tool.ts";

export interface Toolset {
  /** In the order the tools were given, always the same objects: what a model sees should not change between requests. */
  specs(): readonly { readonly name: string; readonly description: string; readonly inputSchema: object }[];
  /** By its exact name. */
  find(name: string): AnyTool | undefined;
  /** By its name in another spelling, when only one tool can be meant: case, separators, a `_tool` at the end. */
  closest(name: string): AnyTool | undefined;
}

/** Throws when two tools have one name: that is a mistake of whoever put them together. */
export function createToolset(tools: readonly AnyTool[]): Toolset {
  const byName = new Map<string, AnyTool>();
  const bySpelling = new Map<string, AnyTool[]>();
  for (const tool of tools) {
    if (byName.has(tool.name)) throw new Error(`There are two tools named ${tool.name}.`);
    byName.set(tool.name, tool);
    const spelling = plain(tool.name);
    bySpelling.set(spelling, [...(bySpelling.get(spelling) ?? []), tool]);
  }
  const specs = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));

  return {
    specs: () => specs,
    find: (name) => byName.get(name),
    closest(name) {
      const [tool, ...others] = bySpelling.get(plain(name)) ?? [];
      return others.length === 0 ? tool : undefined;
    },
  };
}

function plain(name: string): string {
  const letters = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return letters.replace(/tool$/, "") || letters;
}
