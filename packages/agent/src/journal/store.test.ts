import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MessageId, SessionId, TurnId } from "../id/id.ts";
import { text } from "../message/message.ts";
import type { Entry, EntryBody } from "./entry.ts";
import type { Opened } from "./journal.ts";
import { memoryStore } from "./memory-store.ts";
import type { ListQuery } from "./page.ts";
import type { Failed, Missing } from "./refusal.ts";
import { openStore, type Store } from "./store.ts";

const INDEX = ".index-1.jsonl";

let folder: string;
let time: number;
const now = (): number => time++;

beforeEach(async () => {
  time = 1000;
  folder = join(await mkdtemp(join(tmpdir(), "store-")), "sessions");
});

afterEach(async () => {
  await rm(join(folder, ".."), { recursive: true, force: true });
});

describe.each<[string, () => Store]>([
  ["a folder", () => openStore({ folder, now })],
  ["memory", () => memoryStore({ now })],
])("a store in %s", (_, makeStore) => {
  let store: Store;
  beforeEach(() => {
    store = makeStore();
  });

  test("keeps sessions that can be opened again", async () => {
    const made = opened(await store.create({ id: id("a"), cwd: "/w" }, { at: 5 }));
    made.journal.append(title("Hello"));
    made.journal.close();

    const again = opened(await store.open(id("a")));
    again.journal.append(title("Again"), 7);

    expect(await entriesOf(again)).toEqual([
      { at: 5, type: "session", version: 1, id: "a", cwd: "/w" },
      { at: 1000, type: "title", title: "Hello" },
      { at: 7, type: "title", title: "Again" },
    ]);
    expect(again.tornBytes).toBe(0);
    expect(again.journal.header).toEqual(made.journal.header);
    again.journal.close();
  });

  test("knows which sessions are there", async () => {
    await make("a");

    expect([await store.exists(id("a")), await store.exists(id("b"))]).toEqual([true, false]);
    expect(await store.open(id("b"))).toMatchObject({ type: "missing", fault: { message: "There is no session b." } });
    expect(await store.create({ id: id("a"), cwd: "/" })).toMatchObject({ type: "failed", because: "exists" });
  });

  test("gives a session to one at a time, and deletes none that is open", async () => {
    const { journal } = opened(await store.create({ id: id("a"), cwd: "/" }));

    const refusals = [await store.open(id("a")), { fault: await store.delete(id("a")) }].map(
      (refusal) => "fault" in refusal && refusal.fault,
    );

    const message = `Session a is already open in this agentao (process ${process.pid}). Close it there first.`;
    expect(refusals).toEqual([message, message].map((said) => ({ kind: "journal", message: said, retryable: false })));
    journal.close();
    journal.close();
    opened(await store.open(id("a"))).journal.close();
    expect(() => journal.append(title("late"))).toThrow("Session a is closed.");
  });

  test("deletes for good, and does not mind when it is gone already", async () => {
    await make("a");

    const faults = [await store.delete(id("a")), await store.delete(id("a")), await store.delete(id("never"))];

    expect(faults).toEqual([undefined, undefined, undefined]);
    expect(await store.exists(id("a"))).toBe(false);
    expect(await list()).toEqual([]);
    await make("a");
    expect(await store.exists(id("a"))).toBe(true);
  });

  describe("lists", () => {
    test("nothing where there is nothing", async () => {
      expect(await store.list()).toEqual({ type: "page", sessions: [] });
    });

    test("sessions with what a person knows them by, those touched last first", async () => {
      await make("a", [prompt("t1", "First\nline"), prompt("t2", "Second")]);
      await make("b", [prompt("t1", "Hello"), title("Old"), title("A  better\nname")], {
        cwd: "/b",
        additionalRoots: ["/lib"],
      });
      await make("c", [title("Never prompted")]);
      await make("d", [prompt("t1", "Go"), { type: "roots", cwd: "/moved", additionalRoots: ["/x"] }]);
      const again = opened(await store.open(id("a")));
      again.journal.append({ type: "mode", modeId: "plan" });
      again.journal.close();

      expect(await store.list()).toEqual({
        type: "page",
        sessions: [
          { id: "a", cwd: "/w", title: "First", createdAt: 1000, updatedAt: 1012 },
          { id: "d", cwd: "/moved", additionalRoots: ["/x"], title: "Go", createdAt: 1009, updatedAt: 1011 },
          { id: "b", cwd: "/b", additionalRoots: ["/lib"], title: "A better name", createdAt: 1003, updatedAt: 1006 },
        ],
      });
    });

    test("live sessions as they are now", async () => {
      const { journal } = opened(await store.create({ id: id("a"), cwd: "/w" }));
      const before = await list();
      journal.append(prompt("t1", "Hello"));
      const prompted = await list();
      journal.append(title("Named"));
      const named = await list();
      journal.close();

      expect([before, prompted, named]).toEqual([[], ["a Hello"], ["a Named"]]);
    });

    test("page by page, and by working directory", async () => {
      for (const name of ["a", "b", "c", "d"])
        await make(name, [prompt("t1", name)], { cwd: name < "c" ? "/1" : "/2" });

      const first = await store.list({ limit: 3 });
      const second = await store.list({ limit: 3, cursor: first.type === "page" ? first.nextCursor : undefined });

      expect([idsOf(first), idsOf(second)]).toEqual([["d", "c", "b"], ["a"]]);
      expect(await list({ cwd: "/1" })).toEqual(["b b", "a a"]);
      expect(await store.list({ cursor: "nonsense" })).toEqual({ type: "invalid-cursor" });
    });
  });

  describe("forks", () => {
    const story: EntryBody[] = [
      { type: "mode", modeId: "plan" },
      prompt("t1", "One"),
      { type: "text", messageId: "m1" as MessageId, text: "1" },
      { type: "turn-ended", turnId: "t1" as TurnId, outcome: { type: "ended" } },
      title("Named after the first turn"),
      prompt("t2", "Two"),
      { type: "turn-ended", turnId: "t2" as TurnId, outcome: { type: "ended" } },
    ];

    test.each<[string, string | undefined, number]>([
      ["all of a session", undefined, 7],
      ["it up to a turn, with what was set behind it", "t1", 5],
      ["it up to its last turn", "t2", 7],
    ])("%s", async (_, upTo, count) => {
      const source = opened(await store.create({ id: id("a"), cwd: "/w" }));
      for (const body of story) source.journal.append(body);
      const before = await entriesOf(source);

      const forked = await store.fork(
        id("a"),
        { id: id("b"), cwd: "/elsewhere" },
        { upTo: upTo as TurnId | undefined },
      );

      const fork = opened(await store.open(id("b")));
      expect(forked).toEqual({ type: "forked" });
      expect(await entriesOf(fork)).toEqual([
        { at: 1008, type: "session", version: 1, id: "b", cwd: "/elsewhere", forkedFrom: "a" },
        ...before.slice(1, 1 + count),
      ]);
      expect(await entriesOf(source)).toEqual(before);
      source.journal.close();
      fork.journal.close();
    });

    test("nothing from a session or a turn that is not there, nor over another session", async () => {
      await make("a", story);
      await make("b", [prompt("t1", "Mine")]);

      const refusals = [
        await store.fork(id("nobody"), { id: id("c"), cwd: "/" }),
        await store.fork(id("a"), { id: id("c"), cwd: "/" }, { upTo: "t9" as TurnId }),
        await store.fork(id("a"), { id: id("b"), cwd: "/" }),
      ];

      expect(refusals).toMatchObject([
        { type: "missing", fault: { message: "There is no session nobody." } },
        { type: "missing", fault: { message: "Session a has no turn t9." } },
        { type: "failed", because: "exists" },
      ]);
      expect(await store.exists(id("c"))).toBe(false);
      expect(await list()).toEqual(["b Mine", "a Named after the first turn"]);
    });
  });

  async function make(
    name: string,
    bodies: readonly EntryBody[] = [],
    place: { cwd?: string; additionalRoots?: string[] } = {},
  ) {
    const { journal } = opened(await store.create({ id: id(name), cwd: "/w", ...place }));
    for (const body of bodies) journal.append(body);
    journal.close();
  }

  function list(query: ListQuery = {}): Promise<string[]> {
    return listOf(store, query);
  }
});

describe("a folder that others use too", () => {
  let mine: Store;
  let others: Store;

  beforeEach(async () => {
    mine = openStore({ folder, now });
    others = openStore({ folder, now });
    for (const name of ["a", "b"]) await make(others, name, [prompt("t1", name)]);
  });

  /** As if the folder had not changed for long, and this was seen. */
  async function settle(): Promise<void> {
    await listOf(mine);
    utimesSync(folder, time, time);
    await listOf(mine);
  }

  test("shows what they did, at once and also when it has been quiet for long", async () => {
    for (const isQuiet of [false, true]) {
      await listOf(mine);
      if (isQuiet) await settle();
      const { journal } = opened(await others.open(id("a")));
      if (isQuiet) await settle();
      journal.append(title(`live ${isQuiet}`));
      const live = await listOf(mine);
      journal.append(title(`closed ${isQuiet}`));
      journal.close();
      const closed = await listOf(mine);

      expect([live, closed]).toEqual([
        [`a live ${isQuiet}`, "b b"],
        [`a closed ${isQuiet}`, "b b"],
      ]);
    }
    await settle();
    await others.delete(id("a"));
    await make(others, "c", [prompt("t1", "c")]);
    expect(await listOf(mine)).toEqual(["c c", "b b"]);
  });

  test("does not look again at sessions that are closed, while the folder is as it was", async () => {
    await settle();
    writeFileSync(join(folder, "a.jsonl"), `${JSON.stringify({ at: 9999, ...title("unseen") })}\n`, { flag: "a" });

    expect(await listOf(mine)).toEqual(["b b", "a a"]);
    utimesSync(folder, 1, 1);
    expect(await listOf(mine)).toEqual(["a unseen", "b b"]);
  });

  test("looks again at all of them when the folder changed a moment ago, since more may have changed in that moment", async () => {
    const moment = new Date();
    await listOf(mine);
    utimesSync(folder, moment, moment);
    await listOf(mine);
    const { journal } = opened(await others.open(id("a")));
    journal.append(title("In the same moment"));
    journal.close();
    utimesSync(folder, moment, moment);

    expect(await listOf(mine)).toEqual(["a In the same moment", "b b"]);
  });

  test("does not take a new session for the old one that had its name", async () => {
    await listOf(mine);
    await others.delete(id("a"));
    await make(others, "a", [prompt("t1", "A new one, and longer than before")]);

    expect(await listOf(mine)).toEqual(["a A new one, and longer than before", "b b"]);
  });

  test("passes over what is no journal", async () => {
    writeFileSync(join(folder, "readme.txt"), "hello");
    writeFileSync(join(folder, "empty.jsonl"), "");
    writeFileSync(
      join(folder, "torn.jsonl"),
      '{"at":1,"type":"session","version":1,"id":"torn","cwd":"/"}\n{"at":2,"type":"prompt","turn',
    );
    writeFileSync(join(folder, "nonsense.jsonl"), 'what?\n{"at":2,"type":"title","title":"x"}\n');

    expect(await listOf(mine)).toEqual(["b b", "a a"]);
  });

  test("finds the one prompt and the last title in a long file", async () => {
    const { journal } = opened(await mine.create({ id: id("long"), cwd: "/" }));
    const image = { type: "image", data: "A".repeat(900_000), mimeType: "image/png" } as const;
    const message = { role: "user", id: "m" as MessageId, parts: [image, text("See this")] } as const;
    journal.append({ type: "prompt", turnId: "t" as TurnId, message });
    const seen = await listOf(mine);
    for (let count = 0; count < 100; count++) {
      journal.append(title(`title ${count}`));
      const call = { callId: "c", name: "x", title: "x", kind: "other", locations: [], content: [] } as const;
      const input = { type: "title", title: "not mine", filler: "x".repeat(10_000) };
      journal.append({
        type: "call",
        messageId: "m" as MessageId,
        call: { ...call, input } as never,
        rawInput: '{"type":"title"}',
      });
    }
    journal.close();

    expect([seen[0], (await listOf(mine))[0]]).toEqual(["long See this", "long title 99"]);
    rmSync(join(folder, INDEX));
    expect((await listOf(openStore({ folder })))[0]).toBe("long title 99");
  });
});

describe("the index of a folder", () => {
  let store: Store;

  beforeEach(async () => {
    store = openStore({ folder, now });
    for (const name of ["a", "b"]) await make(store, name, [prompt("t1", name)]);
    await listOf(store);
  });

  test("spares the next process to look into files that are as they were", async () => {
    const index = readFileSync(join(folder, INDEX), "utf8");
    writeFileSync(join(folder, INDEX), index.replace('"promptTitle":"a"', '"promptTitle":"from the index"'));

    expect(await listOf(openStore({ folder }))).toEqual(["b b", "a from the index"]);
  });

  test("is not believed about a file that changed", async () => {
    const index = readFileSync(join(folder, INDEX), "utf8");
    const { journal } = opened(await store.open(id("a")));
    journal.append(title("Changed"));
    journal.close();
    writeFileSync(join(folder, INDEX), index);

    expect(await listOf(openStore({ folder }))).toEqual(["a Changed", "b b"]);
  });

  test.each<[string, () => void]>([
    ["missing", () => rmSync(join(folder, INDEX))],
    ["empty", () => writeFileSync(join(folder, INDEX), "")],
    ["nonsense", () => writeFileSync(join(folder, INDEX), '\0\nnull\n[]\n{"id":"a"}\n{"id":"a","mark":{}}\n"x"\n{')],
    [
      "of other types",
      () =>
        writeFileSync(
          join(folder, INDEX),
          readFileSync(join(folder, INDEX), "utf8").replaceAll('"cwd":"/w"', '"cwd":7'),
        ),
    ],
  ])("is made anew when it is %s", async (_, spoil) => {
    const index = recordsOf(join(folder, INDEX));
    spoil();

    expect(await listOf(openStore({ folder }))).toEqual(["b b", "a a"]);
    expect(recordsOf(join(folder, INDEX))).toEqual(index);
  });

  test("does not grow without end", async () => {
    const { journal } = opened(await store.open(id("a")));
    for (let count = 0; count < 1500; count++) {
      journal.append({ type: "mode", modeId: "plan" });
      await store.list();
    }
    journal.close();

    expect(readFileSync(join(folder, INDEX), "utf8").split("\n").length).toBeLessThan(1100);
    expect(readdirSync(folder).sort()).toEqual([INDEX, "a.jsonl", "b.jsonl"]);
  });

  test.skipIf(process.platform === "win32")("is for the owner's eyes only", () => {
    expect(statSync(join(folder, INDEX)).mode & 0o777).toBe(0o600);
  });
});

test("a folder that cannot be read is told of", async () => {
  writeFileSync(folder, "a file");

  expect(await openStore({ folder }).list()).toMatchObject({
    type: "failed",
    because: "unwritable",
    fault: { kind: "journal" },
  });
});

test("a store in a folder touches nothing before there is a session", async () => {
  const store = openStore({ folder });

  await Promise.all([store.list(), store.exists(id("a")), store.open(id("a")), store.delete(id("a"))]);

  expect(existsSync(folder)).toBe(false);
});

test("a store in memory forgets the closed session that was made first, when there are too many", async () => {
  const store = memoryStore({ now, maxSessions: 2 });
  const { journal } = opened(await store.create({ id: id("open"), cwd: "/" }));
  for (const name of ["b", "c", "d"]) await make(store, name, [prompt("t1", name)]);
  journal.append(prompt("t1", "still"));

  expect(await listOf(store)).toEqual(["open still", "d d"]);
});

function id(name: string): SessionId {
  return name as SessionId;
}

async function make(store: Store, name: string, bodies: readonly EntryBody[]): Promise<void> {
  const { journal } = opened(await store.create({ id: id(name), cwd: "/w" }));
  for (const body of bodies) journal.append(body);
  journal.close();
}

function opened(opening: Opened | Missing | Failed): Opened {
  if (opening.type !== "opened") throw new Error(opening.fault.message);
  return opening;
}

async function listOf(store: Store, query: ListQuery = {}): Promise<string[]> {
  const page = await store.list(query);
  if (page.type !== "page") throw new Error(page.type);
  return page.sessions.map((session) => `${session.id} ${session.title}`);
}

function idsOf(page: Awaited<ReturnType<Store["list"]>>): string[] {
  return page.type === "page" ? page.sessions.map((session) => session.id) : [];
}

function recordsOf(path: string): unknown[] {
  const lines = readFileSync(path, "utf8").split("\n");
  const records = lines.filter((line) => line.includes('"cwd":"/w"')).map((line) => JSON.parse(line));
  return records.sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function entriesOf({ entries }: Opened): Promise<Entry[]> {
  const all: Entry[] = [];
  for await (const some of entries()) all.push(...some);
  return all;
}

function prompt(turnId: string, said: string): EntryBody {
  const message = { role: "user", id: `of-${turnId}` as MessageId, parts: [text(said)] } as const;
  return { type: "prompt", turnId: turnId as TurnId, message };
}

function title(title: string): EntryBody {
  return { type: "title", title };
}
