// The agent's rows are those of the whole table: the same methods, and for what an agent receives the same decoders.

import { expect, test } from "vitest";
import { type Decoder, decodeAny, explain, INVALID } from "../decode/decode.ts";
import { v1ForAgents } from "./agent-protocol.ts";
import type { Method } from "./method.ts";
import { v1 } from "./protocol.ts";

const whole = v1.methods.filter(({ side }) => side === "agent" || side === "client");

test("an agent knows every method of agents and clients, by the same names and gates", () => {
  const data = ({ params: _, result: __, ...rest }: Method) => rest;
  expect(v1ForAgents.version).toBe(v1.version);
  expect(v1ForAgents.methods.map(data)).toEqual(whole.map(data));
});

test.each(whole.map((row, at) => [row.method, row, v1ForAgents.methods[at]] as const))(
  "%s is read as the whole table says, where an agent receives it",
  (_, row, own) => {
    if (row.side === "agent") {
      expect(own?.params).toBe(row.params);
      expect(own?.result).toBeNull();
    } else {
      expect(own?.params).toBe(decodeAny);
      expect(verdicts(own?.result ?? null)).toEqual(verdicts(row.result));
    }
  },
);

/** What tells the decoders of results apart: nothing, values of the wrong type, and each of their fields gone wrong. */
const fields = [
  "outcome",
  "content",
  "terminalId",
  "output",
  "truncated",
  "exitStatus",
  "exitCode",
  "signal",
  "action",
];
const probes = [null, undefined, {}, [], 7, { _meta: 7 }, ...fields.map((field) => ({ [field]: [] }))];

function verdicts(decode: Decoder<unknown> | null): unknown[] {
  return probes.map((probe) => {
    const decoded = decode?.(probe);
    return decoded === INVALID ? explain() : decoded;
  });
}
