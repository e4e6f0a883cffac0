// Writes method.ts: the method table, and the params and results of each handler by its name.

import { type MethodNote, methodNotes } from "./method-note.ts";
import { nameOf } from "./name.ts";
import type { Schema, Stability } from "./schema.ts";
import { decoderOf, type Scribe } from "./scribe.ts";
import { allFields, type Definitions, definitionOf } from "./shape.ts";
import { commentLines, fileOf, list, type Origin } from "./text.ts";

interface Row {
  readonly key: string;
  readonly method: string;
  readonly side: "agent" | "client" | "both" | "proxy";
  readonly kind: "request" | "notification";
  readonly params: string;
  readonly result: string | null;
  readonly stability: Stability;
  readonly note: MethodNote;
}

/** The rows in the schema's order of methods; one that is both a request and a notification has two. */
export function toRows(schema: Schema, stable: Schema): Row[] {
  const names = Object.keys(schema.$defs).filter((name) => schema.$defs[name]?.["x-method"] !== undefined);
  const known = new Set(Object.values(stable.$defs).map((node) => node["x-method"]));
  const rows = names
    .filter((name) => !name.endsWith("Response"))
    .map((name): Row => {
      const node = schema.$defs[name];
      const method = node?.["x-method"] ?? "";
      const isRequest = name.endsWith("Request");
      if (!isRequest && !name.endsWith("Notification")) throw new Error(`${name} is neither request nor notification.`);
      const asRequest = names.some(
        (other) => other.endsWith("Request") && schema.$defs[other]?.["x-method"] === method,
      );
      const key = !isRequest && asRequest ? `${method}#notification` : method;
      const note = methodNotes[key];
      if (note === undefined) throw new Error(`The method ${key} has no entry in method-note.ts.`);
      return {
        key,
        method,
        side: sideOf(node?.["x-side"]),
        kind: isRequest ? "request" : "notification",
        params: nameOf(name),
        result: isRequest ? nameOf(name.replace(/Request$/, "Response")) : null,
        stability: known.has(method) ? "stable" : "unstable",
        note,
      };
    });
  return sortedBy(rows, (row) => Object.keys(methodNotes).indexOf(row.key));
}

function sideOf(side: string | undefined): Row["side"] {
  if (side === "protocol") return "both";
  if (side === "agent" || side === "client" || side === "proxy") return side;
  throw new Error(`A method has the unknown side ${side}.`);
}

function sortedBy<T>(items: readonly T[], rank: (item: T) => number): T[] {
  return items.toSorted((a, b) => rank(a) - rank(b));
}

export function emitMethods(definitions: Definitions, rows: readonly Row[], origin: Origin): string {
  const scribe: Scribe = { definitions, wanted: new Set() };
  const decoders = rows.flatMap((row) => [row.params, row.result ?? []].flat()).map((name) => decoderOf(scribe, name));
  const types = rows.flatMap((row) => [row.params, row.result ?? []].flat());
  const table = rows.flatMap((row) => emitRow(definitions, scribe, row));
  const helpers = ["decodeAny", "orEmpty"].filter((name) =>
    table.some((line) => new RegExp(`\\b${name}\\b`).test(line)),
  );
  return fileOf(origin, [
    `import { ${helpers.join(", ")} } from "../../decode/decode.ts";`,
    'import type { Method } from "../method.ts";',
    `import ${list(unique(decoders).filter((name) => name !== "decodeAny"))} from "./decode.ts";`,
    `import type ${list(unique(types))} from "./type.ts";`,
    "",
    ...commentLines(
      "Every method by its name on the wire. One that is a request one way and a notification the other has two rows, of" +
        " which the notification's key ends in `#notification`; `method` is the name on the wire.",
    ),
    "export const methods = {",
    ...table,
    "} as const satisfies { readonly [key: string]: Method };",
    "",
    ...emitMaps(rows),
  ]);
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

function emitRow(definitions: Definitions, scribe: Scribe, row: Row): string[] {
  const { gate } = row.note;
  return [
    `  ${JSON.stringify(row.key)}: {`,
    `    method: ${JSON.stringify(row.method)},`,
    `    name: ${JSON.stringify(row.note.name)},`,
    `    side: "${row.side}",`,
    `    kind: "${row.kind}",`,
    `    params: ${decoderOf(scribe, row.params)},`,
    `    result: ${row.result === null ? "null" : resultDecoder(definitions, scribe, row.result)},`,
    `    gate: ${gate === undefined ? "null" : `{ of: "${gate.of}", path: "${gate.path}" }`},`,
    `    stability: "${row.stability}",`,
    "  },",
  ];
}

/** A result without required fields may be answered with null. */
function resultDecoder(definitions: Definitions, scribe: Scribe, name: string): string {
  const definition = definitionOf(definitions, name);
  const decoder = decoderOf(scribe, name);
  const isEmptiable =
    definition.type === "object" && !allFields(definitions, definition).some((field) => field.required);
  return isEmptiable ? `orEmpty(${decoder})` : decoder;
}

const sides = { agent: "Agent", client: "Client", proxy: "Proxy", both: "Protocol" } as const;

const mapDocs: { readonly [name: string]: string } = {
  AgentRequests: "What a client may ask of an agent, by handler name.",
  AgentNotifications: "What a client may tell an agent, by handler name.",
  ClientRequests: "What an agent may ask of a client, by handler name.",
  ClientNotifications: "What an agent may tell a client, by handler name.",
  ProxyRequests: "What a proxy between client and agent may be asked, by handler name.",
  ProxyNotifications: "What a proxy between client and agent may be told, by handler name.",
  ProtocolNotifications:
    "What either side may tell the other about the connection itself; no handler is written for it.",
};

function emitMaps(rows: readonly Row[]): string[] {
  return (["agent", "client", "proxy", "both"] as const).flatMap((side) =>
    (["request", "notification"] as const).flatMap((kind) => {
      const chosen = rows.filter((row) => row.side === side && row.kind === kind);
      const name = `${sides[side]}${kind === "request" ? "Requests" : "Notifications"}`;
      return chosen.length === 0 ? [] : [...emitMap(name, chosen), ""];
    }),
  );
}

function emitMap(name: string, rows: readonly Row[]): string[] {
  const entries = rows.flatMap((row) => {
    const type = row.result === null ? row.params : `{ params: ${row.params}; result: ${row.result} }`;
    return [...commentLines(row.note.doc), `${row.note.name}: ${type};`].map((line) => `  ${line}`);
  });
  return [...commentLines(mapDocs[name] ?? ""), `export interface ${name} {`, ...entries, "}"];
}
