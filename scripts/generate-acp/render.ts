// The generated files as text, by path. Pure but for reading the schema, so that a test can compare without writing.

import { selectChanged } from "./difference.ts";
import { assertNoStaleDocs } from "./doc.ts";
import { emitDecoders } from "./emit-decode.ts";
import { emitMethods, toRows } from "./emit-method.ts";
import { emitTypes } from "./emit-type.ts";
import { normalise } from "./normalise.ts";
import { readSchema, schemaVersion } from "./schema.ts";
import { decoderOf, type Scribe } from "./scribe.ts";
import type { Definitions } from "./shape.ts";
import type { Origin } from "./text.ts";

export function render(): Map<string, string> {
  const version = schemaVersion();
  const schema = { stable: readSchema("stable"), unstable: readSchema("unstable") };
  const stable = normalise(schema.stable);
  const unstable = normalise(schema.unstable);
  assertNoStaleDocs(new Map([...stable, ...unstable]));
  const files = new Map<string, string>();
  let inherited: readonly string[] = [];
  for (const stability of ["stable", "unstable"] as const) {
    const origin: Origin = { version, stability };
    const definitions = stability === "stable" ? stable : unstable;
    const selection =
      stability === "stable" ? { own: [...stable.keys()], shared: [] } : selectChanged(unstable, stable);
    const rows = toRows(schema[stability], schema.stable);
    const roots = rootDecoders(definitions, rows);
    const decoders = emitDecoders(definitions, selection, roots, inherited, origin);
    inherited = decoders.names;
    const folder = `packages/acp/src/v1/${stability === "stable" ? "generated" : "generated-unstable"}`;
    files.set(`${folder}/type.ts`, emitTypes(definitions, selection, origin));
    files.set(`${folder}/decode.ts`, decoders.text);
    files.set(`${folder}/method.ts`, emitMethods(definitions, rows, origin));
  }
  return files;
}

function rootDecoders(definitions: Definitions, rows: ReturnType<typeof toRows>): string[] {
  const scribe: Scribe = { definitions, wanted: new Set() };
  for (const row of rows) for (const name of [row.params, row.result]) if (name !== null) decoderOf(scribe, name);
  return [...scribe.wanted];
}
