// Our own words on every definition and on the fields whose name and type do not tell enough.

import { clientDocs } from "./doc-client.ts";
import { connectionDocs } from "./doc-connection.ts";
import { contentDocs } from "./doc-content.ts";
import { sessionDocs } from "./doc-session.ts";
import { unstableDocs } from "./doc-unstable.ts";
import type { Definitions } from "./shape.ts";

/** By `Definition`, by `Definition.field`, and by `*.field` for a field that means the same everywhere. */
const docs: { readonly [subject: string]: string } = {
  ...connectionDocs,
  ...sessionDocs,
  ...contentDocs,
  ...clientDocs,
  ...unstableDocs,
};

export function docOf(definition: string): string {
  const doc = docs[definition];
  if (doc === undefined) throw new Error(`${definition} has no doc comment yet: write one in doc-*.ts.`);
  return doc;
}

export function fieldDocOf(definition: string, key: string): string | undefined {
  return docs[`${definition}.${key}`] ?? docs[`*.${key}`];
}

/** Fails on a text whose subject the schema no longer has. */
export function assertNoStaleDocs(definitions: Definitions): void {
  const subjects = new Set(["Meta"]);
  for (const [name, definition] of definitions) {
    subjects.add(name);
    if (definition.type !== "object") continue;
    if (definition.tag !== null) subjects.add(`${name}.${definition.tag.key}`);
    for (const { key } of definition.fields) subjects.add(`${name}.${key}`).add(`*.${key}`);
  }
  const stale = Object.keys(docs).filter((subject) => !subjects.has(subject));
  if (stale.length > 0) throw new Error(`These doc comments are about nothing in the schema: ${stale.join(", ")}.`);
}
