import { expect, test } from "vitest";
import { Inspection } from "./inspect.ts";
import type { RecordedLine } from "./recording.ts";

const ts = "2026-01-01T00:00:00.000Z";
const lines: RecordedLine[] = [
  { type: "start", version: 1, ts, command: ["my-agent", "--acp"] },
  {
    type: "frame",
    ts,
    atMs: 1,
    from: "client",
    bytes: 80,
    frame: { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } },
  },
  {
    type: "frame",
    ts,
    atMs: 1234.5,
    from: "agent",
    bytes: 55,
    method: "initialize",
    latencyMs: 1233.5,
    frame: { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } },
  },
  {
    type: "frame",
    ts,
    atMs: 1300,
    from: "agent",
    bytes: 4,
    text: "oops",
    breaches: [{ rule: "not-json", message: "it is not JSON" }],
  },
  {
    type: "end",
    ts,
    atMs: 2000,
    by: "agent",
    exitCode: null,
    signal: "SIGKILL",
    unanswered: [{ from: "client", method: "session/new", id: 1 }],
  },
];

test("shows a line for each frame, what is wrong with it, the end, and totals", () => {
  const inspection = new Inspection();
  expect(lines.map((line) => inspection.see(line)).join("") + inspection.totals()).toBe(`${ts}  my-agent --acp
     0.001s → initialize 0 {"protocolVersion":1}
     1.234s ← initialize 0 = {"protocolVersion":1}  1233.5 ms
     1.300s ← no frame: oops
              ! not-json: it is not JSON
     2.000s end, by the agent; the agent: SIGKILL
              unanswered: session/new 1 of the client

method      frames  bytes  median ms  slowest ms  breaches
initialize       2    135     1233.5      1233.5
(no frame)       1      4                                1
Breaches: 1 (not-json 1).
`);
});

test("shows only what is wrong, or everything whole, when asked", () => {
  const few = new Inspection({ onlyBreaches: true });
  expect(
    lines
      .slice(1, 4)
      .map((line) => few.see(line))
      .filter((text) => text !== ""),
  ).toHaveLength(1);
  expect(new Inspection({ full: true }).see(lines[1] as RecordedLine)).toContain('"jsonrpc":"2.0","id":0');
});

test("says that a recording has no end, and shows nothing that a screen would obey", () => {
  const inspection = new Inspection();
  const shown = inspection.see({
    type: "frame",
    ts,
    atMs: 0,
    from: "agent",
    bytes: 9,
    text: "\u001b[2Jhello\u0007\u009b1m",
  });
  expect(shown).toBe("     0.000s ← no frame: hello\n");
  expect(inspection.totals()).toMatch(/^The recording has no end: /);
});
