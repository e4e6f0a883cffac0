import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fault } from "../fault/fault.ts";
import type { CallId, MessageId, SessionId, TurnId } from "../id/id.ts";
import { text } from "../message/message.ts";
import type { Entry, EntryBody } from "./entry.ts";
import { createJournal, JournalError, type Opened, openJournal } from "./journal.ts";
import type { Failed, Missing } from "./refusal.ts";

const WINDOWS = process.platform === "win32";
const id = "sess_1" as SessionId;
const turnId = "turn_1" as TurnId;
const messageId = "msg_1" as MessageId;
const header = { id, cwd: "/work" };
const hello: EntryBody = { type: "text", messageId, text: "hello" };

let base: string;
let folder: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "journal-"));
  folder = join(base, "sessions");
});

afterEach(async () => {
  await rm(base, { recursive: true, force: true });
});

describe("writing", () => {
  test("puts one JSON object on a line, the header first, each with its time", () => {
    let time = 1000;
    const { journal } = opened(
      createJournal(
        folder,
        { ...header, additionalRoots: ["/lib"], forkedFrom: "sess_0" as SessionId },
        { now: () => time++ },
      ),
    );

    const written = journal.append(hello);
    journal.append({ type: "title", title: "two\nlines \u2028 \ud800" }, 7);

    expect(written).toEqual({ at: 1001, ...hello });
    expect(readFileSync(join(folder, "sess_1.jsonl"), "utf8")).toBe(
      [
        '{"at":1000,"type":"session","version":1,"id":"sess_1","cwd":"/work","additionalRoots":["/lib"],"forkedFrom":"sess_0"}',
        '{"at":1001,"type":"text","messageId":"msg_1","text":"hello"}',
        '{"at":7,"type":"title","title":"two\\nlines \u2028 \\ud800"}',
        "",
      ].join("\n"),
    );
    journal.close();
  });

  test("is on disk as soon as append returns", () => {
    const { journal } = opened(createJournal(folder, header));

    for (let count = 1; count <= 5; count++) {
      journal.append(hello);
      expect(lines()).toHaveLength(1 + count);
    }
    journal.close();
  });

  test.skipIf(WINDOWS)("is for the owner's eyes only", () => {
    const { journal } = opened(createJournal(join(folder, "deep"), header));

    const modes = [folder, join(folder, "deep"), journal.path ?? ""].map((path) => statSync(path).mode & 0o777);

    expect(modes).toEqual([0o700, 0o700, 0o600]);
    journal.close();
  });

  test("keeps what went wrong, and not what came with it", () => {
    const { journal } = opened(createJournal(folder, header, { now: () => 5 }));
    const cause: Record<string, unknown> = { apiKey: "secret" };
    cause.self = cause;

    const entry = journal.append({
      type: "turn-ended",
      turnId,
      outcome: { type: "failed", fault: fault("auth", "No key.", { cause }) },
    });

    const outcome = { type: "failed", fault: { kind: "auth", message: "No key.", retryable: false } };
    expect(entry).toEqual({ at: 5, type: "turn-ended", turnId, outcome });
    expect(JSON.parse(lines()[1] ?? "")).toEqual(entry);
    journal.close();
  });

  test("refuses to go on once it is closed, and may be closed twice", () => {
    const { journal } = opened(createJournal(folder, header));
    journal.close();
    journal.close();

    expect(() => journal.append(hello)).toThrow(new JournalError(fault("journal", "Session sess_1 is closed.")));
  });

  test("waits for the disk at the end of a turn where that is wanted", () => {
    const { journal } = opened(createJournal(folder, header, { durable: true }));

    journal.append({ type: "turn-ended", turnId, outcome: { type: "ended" } });

    expect(lines()).toHaveLength(2);
    journal.close();
  });
});

describe("opening", () => {
  test("goes on where the session was left", async () => {
    const first = opened(createJournal(folder, header, { now: () => 1 })).journal;
    first.append(hello);
    first.close();

    const again = opened(openJournal(folder, id, { now: () => 2 }));
    again.journal.append(hello);

    expect(again.journal.header).toEqual({ type: "session", version: 1, ...header });
    expect(again.tornBytes).toBe(0);
    expect(await entriesOf(again)).toEqual([
      { at: 1, type: "session", version: 1, ...header },
      { at: 1, ...hello },
      { at: 2, ...hello },
    ]);
    again.journal.close();
  });

  test("says that there is no such session, and leaves nothing behind", async () => {
    const nowhere = openJournal(folder, id);
    await mkdir(folder);
    const empty = openJournal(folder, id);

    expect([nowhere, empty]).toEqual([missing, missing]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("refuses a second one with the same id", () => {
    const first = opened(createJournal(folder, header));
    const live = createJournal(folder, header);
    first.journal.close();

    const closed = createJournal(folder, header);

    expect(live).toMatchObject({ type: "failed", because: "in-use" });
    expect(closed).toEqual({
      type: "failed",
      because: "exists",
      fault: fault("journal", "Session sess_1 exists already."),
    });
    expect(readdirSync(folder)).toEqual(["sess_1.jsonl"]);
  });

  test("refuses what is open in this process", () => {
    const { journal } = opened(createJournal(folder, header));

    const message = `Session sess_1 is already open in this agentao (process ${process.pid}). Close it there first.`;
    expect(openJournal(folder, id)).toEqual({ type: "failed", because: "in-use", fault: fault("journal", message) });
    journal.close();
    opened(openJournal(folder, id)).journal.close();
  });

  test("refuses what a newer version wrote, and says what to do", () => {
    write('{"at":1,"type":"session","version":2,"id":"sess_1","cwd":"/work"}\n');

    const message =
      "Session sess_1 was written by a newer agentao (version 2 of the format; this one reads 1). Update agentao to open it.";
    expect(openJournal(folder, id)).toEqual({ type: "failed", because: "newer", fault: fault("journal", message) });
  });

  test.each<[string, string]>([
    ["is not JSON", "hello\n"],
    ["is no header", '{"at":1,"type":"text","messageId":"m","text":""}\n'],
    ["is another session's", '{"at":1,"type":"session","version":1,"id":"sess_2","cwd":"/"}\n'],
  ])("refuses a file whose first line %s", (_, content) => {
    write(content);

    const message = `Session sess_1 cannot be opened: the first line of ${join(folder, "sess_1.jsonl")} is not its header.`;
    expect(openJournal(folder, id)).toEqual({ type: "failed", because: "damaged", fault: fault("journal", message) });
    expect(readFileSync(join(folder, "sess_1.jsonl"), "utf8")).toBe(content);
  });

  test("refuses a place that is no folder", async () => {
    writeFileSync(folder, "a file");

    const refused = createJournal(folder, header);

    expect(refused).toMatchObject({
      type: "failed",
      because: "unwritable",
      fault: { kind: "journal", retryable: false },
    });
    expect((refused as Failed).fault.message).toContain("keep sessions in another folder");
  });

  test.skipIf(process.platform !== "linux")("refuses a place where nothing can be made, and does not hang", () => {
    expect(createJournal("/proc/agentao/sessions", header)).toMatchObject({ type: "failed", because: "unwritable" });
  });

  test("passes on entries it does not know, and skips lines that are none", async () => {
    const first = '{"at":1,"type":"session","version":1,"id":"sess_1","cwd":"/work"}';
    const later = { at: 2, type: "hologram", beam: [1, 2] };
    const damaged = ["\0\0\0", '{"at":3,"type":"te', "null", '{"type":"interrupted"}', '{"at":3,"type":"prompt"}'];
    write(`${[first, JSON.stringify(later), "", ...damaged, '{"at":4,"type":"interrupted"}'].join("\n")}\n{"at":5`);
    const reading = opened(openJournal(folder, id));
    reading.journal.close();

    const damage: unknown[] = [];
    expect(reading.tornBytes).toBe(7);
    expect(await entriesOf(reading, damage)).toEqual([JSON.parse(first), later, { at: 4, type: "interrupted" }]);
    expect(damage).toEqual([{ skippedLines: 5, tornBytes: 0 }]);
  });
});

describe("a file that was cut off", () => {
  test("opens with exactly its whole lines, wherever the cut was, and goes on behind them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(body(), { maxLength: 8 }), fc.nat(), async (bodies, place) => {
        await rm(folder, { recursive: true, force: true });
        const all = opened(createJournal(folder, header));
        for (const one of bodies) all.journal.append(one);
        all.journal.close();
        const bytes = readFileSync(all.journal.path ?? "");
        const cut = bytes.subarray(0, place % (bytes.length + 1));
        write(cut);
        const whole = cut.subarray(0, cut.lastIndexOf("\n") + 1);
        const expected = parse(whole.toString("utf8"));

        const again = openJournal(folder, id, { now: () => 9 });
        if (expected.length === 0) {
          expect(again).toEqual(missing);
          return;
        }
        const { journal, tornBytes } = opened(again);
        expect(tornBytes).toBe(cut.length - whole.length);
        expect(await entriesOf(opened(again))).toEqual(expected);
        journal.append(hello);
        journal.close();
        expect(parse(readFileSync(journal.path ?? "", "utf8"))).toEqual([...expected, { at: 9, ...hello }]);
      }),
    );
  });

  test("is made anew when not even its header is whole", () => {
    write('{"at":1,"type":"sess');

    const { journal } = opened(createJournal(folder, header, { now: () => 3 }));

    expect(lines()).toEqual(['{"at":3,"type":"session","version":1,"id":"sess_1","cwd":"/work"}']);
    journal.close();
    expect(existsSync(join(folder, "sess_1.lock"))).toBe(false);
  });
});

const missing: Missing = { type: "missing", fault: fault("journal", "There is no session sess_1.") };

function opened(opening: Opened | Missing | Failed): Opened {
  if (opening.type !== "opened") throw new Error(opening.fault.message);
  return opening;
}

function write(content: string | Buffer): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "sess_1.jsonl"), content);
}

function lines(): string[] {
  return readFileSync(join(folder, "sess_1.jsonl"), "utf8").split("\n").slice(0, -1);
}

function parse(content: string): Entry[] {
  return content
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

async function entriesOf({ entries }: Opened, damage: unknown[] = []): Promise<Entry[]> {
  const all: Entry[] = [];
  for await (const some of entries({ onDamage: (found) => damage.push(found) })) all.push(...some);
  return all;
}

function body(): fc.Arbitrary<EntryBody> {
  const words = fc.string({ unit: "binary", maxLength: 30 });
  const callId = fc.constantFrom("a", "b") as fc.Arbitrary<CallId>;
  return fc.oneof(
    words.map((said): EntryBody => ({ type: "text", messageId, text: said })),
    words.map((title): EntryBody => ({ type: "title", title })),
    words.map(
      (said): EntryBody => ({ type: "prompt", turnId, message: { role: "user", id: messageId, parts: [text(said)] } }),
    ),
    fc
      .tuple(callId, words)
      .map(([id, said]): EntryBody => ({ type: "call-ended", callId: id, failed: true, told: [text(said)] })),
  );
}
