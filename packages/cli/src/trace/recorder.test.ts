import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Recorder } from "./recorder.ts";
import { type RecordedLine, readRecording } from "./recording.ts";
import { tellSummary } from "./tell-summary.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentao-recorder-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = async (path: string): Promise<RecordedLine[]> => {
  const lines: RecordedLine[] = [];
  for await (const line of readRecording(path)) lines.push(line);
  return lines;
};
const initialize = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}';
const answer = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}';

function record(file: string): ReturnType<Recorder["end"]> {
  let now = 100;
  const recorder = new Recorder({ file, command: ["agent", "--key=sk-abcdefgh12345678"], now: () => now });
  now += 5;
  recorder.take("client", Buffer.from(initialize.slice(0, 20)));
  now += 5;
  recorder.take("client", Buffer.from(`${initialize.slice(20)}\n`));
  now += 2.5;
  recorder.take("agent", Buffer.from(`${answer}\nnoise`));
  return recorder.end({ by: "agent", exitCode: 1, signal: null });
}

test("writes down who said what when, how long answers took, and how it ended", async () => {
  const file = join(folder, "r.jsonl");
  const summary = record(file);
  const ts = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(await read(file)).toEqual([
    { type: "start", version: 1, ts, command: ["agent", "--key=[redacted]"] },
    { type: "frame", ts, atMs: 10, from: "client", bytes: initialize.length, frame: JSON.parse(initialize) },
    {
      type: "frame",
      ts,
      atMs: 12.5,
      from: "agent",
      bytes: answer.length,
      method: "initialize",
      latencyMs: 2.5,
      frame: JSON.parse(answer),
    },
    {
      type: "frame",
      ts,
      atMs: 12.5,
      from: "agent",
      bytes: 5,
      breaches: [{ rule: "not-json", message: "it is not JSON" }],
      text: "noise",
    },
    { type: "end", ts, atMs: 12.5, by: "agent", exitCode: 1, signal: null, unanswered: [] },
  ]);
  expect(tellSummary(summary)).toBe(
    "agentao acp proxy: 1 frame from the client, 2 from the agent, 1 breach.\n" +
      "agentao acp proxy:   0.013s agent: (unknown): not-json: it is not JSON\n",
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a recording that was cut short is read up to there; one that is broken inside is refused", async () => {
  const file = join(folder, "r.jsonl");
  record(file);
  const whole = readFileSync(file, "utf8");
  writeFileSync(file, whole.slice(0, -20));
  expect(await read(file)).toHaveLength(4);
  writeFileSync(file, whole.replace(/\n/, "\nbroken\n"));
  await expect(read(file)).rejects.toThrow(`line 2 of ${file} is not a line of a recording`);
  await expect(read(join(folder, "none"))).rejects.toThrow(`there is no recording ${join(folder, "none")}`);
  await expect(read(folder)).rejects.toThrow(`cannot read ${folder}: `);
});

test("a recording of another version is named as such", async () => {
  const file = join(folder, "r.jsonl");
  record(file);
  writeFileSync(file, readFileSync(file, "utf8").replace('"version":1', '"version":2'));
  await expect(read(file)).rejects.toThrow(`${file} is a recording of version 2; this agentao reads version 1`);
});

test("is nobody else's to read, also where there was a file that was", () => {
  const file = join(folder, "r.jsonl");
  writeFileSync(file, "old", { mode: 0o644 });
  record(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("refuses a place where nothing can be written, before anything begins", () => {
  expect(() => new Recorder({ file: join(folder, "none", "r.jsonl"), command: ["a"] })).toThrow(
    /^cannot write the recording: ENOENT: /,
  );
});

test.runIf(process.platform === "linux")("a disk that is full ends the recording, and nothing else", () => {
  const summary = record("/dev/full");
  expect(summary).toMatchObject({ frames: { client: 1, agent: 2 }, breachCount: 1 });
  expect(summary.problem).toMatch(/^the recording is not complete: ENOSPC/);
});

test("a key that is cut between two updates is in neither", () => {
  const file = join(folder, "r.jsonl");
  const recorder = new Recorder({ file, command: ["agent", "--api-key", "hunter22"] });
  for (const text of ["take sk-ab", "cdefgh1234", "5678 now"]) {
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
    const frame = { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } };
    recorder.take("agent", Buffer.from(`${JSON.stringify(frame)}\n`));
  }
  recorder.end({ by: "agent", exitCode: 0, signal: null });
  const written = readFileSync(file, "utf8");
  expect(written.match(/cdefgh|5678|hunter22/g)).toBeNull();
  expect(written).toContain('"text":" now"');
});

test("looks at nothing while it takes: that comes in a later turn of the event loop", async () => {
  const file = join(folder, "r.jsonl");
  const recorder = new Recorder({ file, command: ["agent"] });
  recorder.take("client", Buffer.from(`${initialize}\n`));
  expect(readFileSync(file, "utf8").split("\n")).toHaveLength(2);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(readFileSync(file, "utf8").split("\n")).toHaveLength(3);
  recorder.end({ by: "client", exitCode: 0, signal: null });
});
