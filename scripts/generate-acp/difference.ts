// Which definitions of one schema are, with everything they are made of, the same in another.

import { isDeepStrictEqual } from "node:util";
import { type Definitions, mentions } from "./shape.ts";
import type { Selection } from "./text.ts";

export function selectChanged(definitions: Definitions, base: Definitions): Selection {
  const changed = new Set<string>();
  for (const [name, definition] of definitions) {
    if (!isDeepStrictEqual(definition, base.get(name))) changed.add(name);
  }
  let before = -1;
  while (before !== changed.size) {
    before = changed.size;
    for (const [name, definition] of definitions) {
      if (mentions(definition).some((mentioned) => changed.has(mentioned))) changed.add(name);
    }
  }
  const names = [...definitions.keys()];
  return { own: names.filter((name) => changed.has(name)), shared: names.filter((name) => !changed.has(name)) };
}
