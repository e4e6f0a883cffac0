// The life of a connection, over links that are played: no process, no network, no long waits.

import { afterEach, describe, expect, test } from "vitest";
import { ABORTED, orAborted } from "../abort/until-aborted.ts";
import { Connection, type ConnectionRoom } from "./connection.ts";
import { Failure, type FailureKind } from "./failure.ts";
import { later } from "./latch.ts";
import type { Link, LinkRoom } from "./link.ts";
import type { ServerConfig } from "./server.ts";

type Answer = (method: string, params: Readonly<Record<string, unknown>>) => unknown;

/** How each attempt to connect goes: a link that answers, or a failure. */
type Attempt = Answer | FailureKind;

const never = new AbortController().signal;
const open: Connection[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});

function play(attempts: readonly Attempt[], config: Partial<ServerConfig> = {}, more: Partial<ConnectionRoom> = {}) {
  const seen = {
    asked: [] as string[],
    closed: 0,
    changes: [] as string[],
    failed: [] as string[],
    rooms: [] as LinkRoom[],
  };
  let next = 0;
  const connection = new Connection(
    {
      name: "s",
      source: "client",
      trust: false,
      startMs: 2_000,
      transport: { type: "stdio", command: "x", args: [], env: {} },
      ...config,
    },
    {
      roots: [],
      cwd: "/",
      env: {},
      clientInfo: { name: "t", version: "1" },
      watchdog: { hold: () => {}, free: () => {}, makeFifo: async () => false },
      backOff: (attempt) => (attempt < 2 ? 1 : undefined),
      log: () => {},
      onChange: () => void seen.changes.push(connection.state.type),
      onFailed: (why) => void seen.failed.push(why),
      open: async (_config, room) => {
        const attempt = attempts[Math.min(next++, attempts.length - 1)] as Attempt;
        if (typeof attempt === "string") throw new Failure(attempt, `${attempt} ${next}`);
        seen.rooms.push(room);
        return linkOf(attempt);
      },
      ...more,
    },
  );
  open.push(connection);

  function linkOf(answer: Answer): Link {
    return {
      offers: { tools: true, prompts: false, resources: false },
      async request(method, params, { signal }) {
        seen.asked.push(method);
        const answered = await orAborted(Promise.resolve(answer(method, params)), signal);
        if (answered === ABORTED) throw new Failure("cancelled", "cancelled");
        return answered;
      },
      close: async () => void seen.closed++,
    };
  }
  return { connection, seen };
}

const lists =
  (...names: string[]): Answer =>
  (method) =>
    method === "tools/list" ? { tools: names.map((name) => ({ name })) } : "done";

const fails =
  (kind: FailureKind): Answer =>
  (method) => {
    if (method === "tools/list") return { tools: [{ name: "a" }] };
    throw new Failure(kind, kind);
  };

const call = (connection: Connection) => connection.request("tools/call", {}, { signal: never });

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; !holds(); turn++) {
    if (turn > 10_000) throw new Error("it did not come true");
    await later();
  }
}

describe("a first connection", () => {
  test("lists its tools and is connected", async () => {
    const { connection, seen } = play([lists("a", "b")]);
    expect(connection.state).toEqual({ type: "connecting" });
    await connection.started;

    expect(connection.tools.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(seen).toMatchObject({ changes: ["connected"], failed: [] });
  });

  test.each(["auth", "unsent", "dropped", "refused"] as const)("that fails is not tried again: %s", async (kind) => {
    const { connection, seen } = play([kind, lists("a")]);
    await connection.started;

    expect(connection.state).toEqual({ type: "failed", why: `${kind} 1` });
    expect(seen).toMatchObject({ changes: ["failed"], failed: [`${kind} 1`] });
    await expect(call(connection)).rejects.toMatchObject({ message: `the server is not connected (${kind} 1)` });
  });

  test("whose list cannot be read is closed", async () => {
    const { connection, seen } = play([() => ({ tools: 1 })]);
    await connection.started;

    expect(seen).toMatchObject({ closed: 1, failed: ["its list of tools is no list"] });
  });

  test("that takes too long is given up, and its link is closed", async () => {
    const { connection, seen } = play([() => new Promise(() => {})], { startMs: 20 });
    await connection.started;

    expect(seen).toMatchObject({ closed: 1, failed: ["it did not answer within 20 ms"] });
  });

  test("that wants a person to sign in says where", async () => {
    const { connection, seen } = play(["auth"], {}, { signInPage: () => "https://example.com/consent" });
    await connection.started;

    expect(connection.state).toEqual({ type: "needs-sign-in", url: "https://example.com/consent" });
    expect(seen.failed).toEqual(["sign in to it first: https://example.com/consent"]);
  });
});

describe("a connection that drops", () => {
  test("is connected again, and keeps its tools meanwhile", async () => {
    const { connection, seen } = play([lists("a"), lists("a", "b")]);
    await connection.started;

    seen.rooms[0]?.onDrop("gone");
    await until(() => connection.state.type === "connecting");
    expect(connection.tools.map(({ name }) => name)).toEqual(["a"]);
    await until(() => connection.state.type === "connected");

    expect(connection.tools.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(connection.lastError).toBe("gone");
    expect(seen).toMatchObject({ closed: 1, changes: ["connected", "connecting", "connected"], failed: [] });
  });

  test("is given up after so many attempts, with one word", async () => {
    const { connection, seen } = play([lists("a"), "unsent"]);
    await connection.started;

    seen.rooms[0]?.onDrop("gone");
    await until(() => connection.state.type === "failed");

    expect(connection.tools).toEqual([]);
    expect(seen.failed).toEqual(["unsent 3"]);
  });

  test("is not tried again without credentials", async () => {
    const { connection, seen } = play([lists("a"), "auth", lists("a")]);
    await connection.started;

    seen.rooms[0]?.onDrop("gone");
    await until(() => connection.state.type === "failed");

    expect(seen.failed).toEqual(["auth 2"]);
  });

  test("that keeps dropping is given up", async () => {
    const { connection, seen } = play([lists("a")]);
    await connection.started;

    for (let time = 0; time < 3; time++) {
      await until(() => connection.state.type === "connected" && seen.rooms.length === time + 1);
      seen.rooms[time]?.onDrop(`gone ${time}`);
    }
    await until(() => connection.state.type === "failed");

    expect(seen.failed).toEqual(["gone 2"]);
  });

  test("can be started anew when it was given up", async () => {
    const { connection } = play(["unsent", lists("a")]);
    await connection.started;

    connection.restart();
    await until(() => connection.state.type === "connected");

    expect(connection.tools).toHaveLength(1);
  });
});

describe("a call", () => {
  const calls = (asked: readonly string[]) => asked.filter((method) => method === "tools/call").length;

  test("that did not reach the server is made once more, on a new connection", async () => {
    const { connection, seen } = play([fails("unsent"), lists("a")]);
    await connection.started;

    expect(await call(connection)).toBe("done");
    expect(calls(seen.asked)).toBe(2);
    expect(seen.closed).toBe(1);
  });

  test("that never reaches it is made twice, and no more", async () => {
    const { connection, seen } = play([fails("unsent")]);
    await connection.started;

    await expect(call(connection)).rejects.toMatchObject({ kind: "unsent" });
    expect(calls(seen.asked)).toBe(2);
  });

  test.each(["dropped", "timeout", "refused", "cancelled", "auth"] as const)(
    "that may have reached it is not made again: %s",
    async (kind) => {
      const { connection, seen } = play([fails(kind), lists("a")]);
      await connection.started;

      await expect(call(connection)).rejects.toMatchObject({ kind });
      expect(calls(seen.asked)).toBe(1);
    },
  );

  test("waits while it is connected again", async () => {
    const { connection, seen } = play([lists("a"), lists("a")], {}, { backOff: () => 60_000 });
    await connection.started;
    seen.rooms[0]?.onDrop("gone");
    await until(() => connection.state.type === "connecting");

    expect(await call(connection)).toBe("done");
  });

  test("does not wait for longer than its signal", async () => {
    const { connection } = play([() => new Promise(() => {})]);
    const stop = new AbortController();
    const calling = connection.request("tools/call", {}, { signal: stop.signal });
    stop.abort();

    await expect(calling).rejects.toMatchObject({ kind: "cancelled" });
  });
});

test("tools that are nested beyond all reason are left out, and told of once", async () => {
  const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
  const unusable: string[][] = [];
  const tools = [
    { name: "deep", inputSchema: nested(20_000) },
    { name: "list", inputSchema: JSON.parse("[".repeat(5_000) + "]".repeat(5_000)) },
    { name: "well", inputSchema: nested(64) },
    { name: "edge", inputSchema: nested(65) },
  ];
  const { connection, seen } = play([() => ({ tools })], {}, { onUnusable: (names) => void unusable.push([...names]) });
  await connection.started;

  seen.rooms[0]?.onToolsChanged();
  await expect.poll(() => seen.asked.length).toBe(2);
  await later();

  expect(connection.tools.map(({ name }) => name)).toEqual(["well"]);
  expect(unusable).toEqual([["deep", "list", "edge"]]);
});

test("a list that changes often is read once more, not each time", async () => {
  let names = ["a"];
  const { connection, seen } = play([(method) => lists(...names)(method, {})]);
  await connection.started;
  names = ["a", "b"];

  for (let time = 0; time < 10; time++) seen.rooms[0]?.onToolsChanged();
  await until(() => connection.tools.length === 2);

  expect(seen.asked.filter((method) => method === "tools/list").length).toBeLessThanOrEqual(3);
});

test("a list that cannot be read again stays as it was", async () => {
  let isBroken = false;
  const logged: string[] = [];
  const { connection, seen } = play(
    [(method) => (isBroken ? { tools: "x" } : lists("a")(method, {}))],
    {},
    { log: (line) => void logged.push(line) },
  );
  await connection.started;
  isBroken = true;

  seen.rooms[0]?.onToolsChanged();
  await until(() => logged.length > 0);

  expect(logged).toEqual(["its tools cannot be listed again: its list of tools is no list"]);
  expect(connection.tools).toHaveLength(1);
});

test("a closed connection is closed for good", async () => {
  const { connection, seen } = play([lists("a")]);
  await connection.started;

  await connection.close();
  await connection.close();
  connection.restart();

  expect(connection.state).toEqual({ type: "closed" });
  expect(seen).toMatchObject({ closed: 1, failed: [] });
  await expect(call(connection)).rejects.toMatchObject({ kind: "dropped" });
});
