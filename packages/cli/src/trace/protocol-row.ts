// What the protocol says about a method: who may send it and how, what it needs, what answers it. Released methods by the
// released schema; proposed ones by the unreleased one. Pure.

import { type Decoder, type Method, v1 } from "@agentao/acp";
import { v1Unstable } from "@agentao/acp/unstable";
import { type Fields, isFields } from "../json/fields.ts";
import type { Breach, Sender } from "./recording.ts";

const rows = group([...v1.methods, ...v1Unstable.methods.filter(({ stability }) => stability === "unstable")]);

export interface FoundRow {
  /** Nothing for methods outside the protocol. */
  readonly row?: Method | undefined;
  readonly breach?: Breach | undefined;
}

export function findRow(from: Sender, kind: Method["kind"], method: string): FoundRow {
  const known = rows.get(method);
  if (known === undefined) {
    if (method.startsWith("_")) return {};
    return { breach: { rule: "unknown-method", message: `${method} is not in ACP v1, and does not begin with _` } };
  }
  const receiver = from === "client" ? "agent" : "client";
  const mine = known.filter(({ side }) => side === receiver || side === "both" || side === "proxy");
  const [first] = mine;
  if (first === undefined) return { breach: { rule: "wrong-side", message: `${method} is not for ${receiver}s` } };
  const row = mine.find((one) => one.kind === kind);
  if (row !== undefined) return { row };
  return { row: first, breach: { rule: "wrong-kind", message: `${method} is a ${first.kind}, not a ${kind}` } };
}

/** Of a request; nothing where the protocol does not say. */
export function resultDecoder(method: string): Decoder<unknown> | undefined {
  return rows.get(method)?.find(({ kind }) => kind === "request")?.result ?? undefined;
}

/** Capabilities of the agent that the contents of a call need, beyond those of its method. */
export function neededBy(method: string, { prompt, mcpServers }: Fields): { what: string; path: string }[] {
  const types = (list: unknown): unknown[] => (Array.isArray(list) ? list.map((one) => isFields(one) && one.type) : []);
  const contents = method === "session/prompt" ? new Set(types(prompt)) : [];
  return [
    ...[...contents].flatMap((type) => {
      const path = CONTENT_GATES.get(type);
      return path === undefined ? [] : [{ what: `${type} content`, path }];
    }),
    ...[...new Set(types(mcpServers))]
      .filter((type) => type === "http" || type === "sse")
      .map((type) => ({ what: `an ${type} server`, path: `mcpCapabilities.${type}` })),
  ];
}

const CONTENT_GATES: ReadonlyMap<unknown, string> = new Map([
  ["image", "promptCapabilities.image"],
  ["audio", "promptCapabilities.audio"],
  ["resource", "promptCapabilities.embeddedContext"],
]);

function group(methods: readonly Method[]): ReadonlyMap<string, readonly Method[]> {
  const groups = new Map<string, Method[]>();
  for (const row of methods) groups.set(row.method, [...(groups.get(row.method) ?? []), row]);
  return groups;
}
