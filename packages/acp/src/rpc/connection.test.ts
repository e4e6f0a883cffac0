import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { decodeAny } from "../decode/decode.ts";
import { RpcError } from "../error/rpc-error.ts";
import { nodeStream } from "../node/node-stream.ts";
import type { Frame } from "../stream/frame.ts";
import { memoryPair } from "../stream/memory.ts";
import { decodePromptRequest } from "../v1/generated/decode.ts";
import { Connection, MAX_OPEN_REQUESTS, type Routes } from "./connection.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { RequestContext } from "./request-context.ts";
import { MAX_UNSETTLED } from "./unsettled.ts";

type Handle = (params: unknown, context: RequestContext) => unknown;

function routes(requests: Record<string, Handle>, notifications: Record<string, Handle> = {}): Routes {
  const route = (handle: Handle | undefined) => handle && { params: decodeAny, handle: handle as never };
  return {
    request: (method) =>
      method === "strict" ? { params: decodePromptRequest, handle: () => ({}) } : route(requests[method]),
    notification: (method) => route(notifications[method]),
  };
}

/** A connection whose peer is the test: it writes lines and reads lines. */
function wire(own: Routes) {
  const input = new PassThrough();
  const output = new PassThrough();
  const diagnostics: Diagnostic[] = [];
  const connection = new Connection(nodeStream(input, output), own, { onDiagnostic: (d) => diagnostics.push(d) });
  const written: string[] = [];
  let rest = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    written.push(...lines);
  });
  return {
    connection,
    diagnostics,
    input,
    say: (...lines: string[]) => input.write(`${lines.join("\n")}\n`),
    async heard(count: number): Promise<unknown[]> {
      await until(() => written.length >= count);
      return written.splice(0).map((line) => JSON.parse(line));
    },
  };
}

function fails(): never {
  throw new Error("not to be looked at");
}

function withThen(property: PropertyDescriptor): object {
  const name = "then";
  return Object.defineProperty({}, name, property);
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error("waited in vain");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const ping = '{"jsonrpc":"2.0","id":"ping","method":"ping"}';
const pong = { jsonrpc: "2.0", id: "ping", result: {} };
const error = (id: unknown, code: number, message: string, data?: unknown) => ({
  jsonrpc: "2.0",
  id,
  error: data === undefined ? { code, message } : { code, message, data },
});

describe("what a peer sends", () => {
  test.each<[string, string, unknown]>([
    ["C-009 text", "hello secret", error(null, -32700, "Parse error: the line is not JSON")],
    ["C-009 half an object", '{"jsonrpc":', error(null, -32700, "Parse error: the line is not JSON")],
    ["C-011 an empty array", "[]", error(null, -32600, "Invalid request: JSON-RPC batches are not supported")],
    ["C-011 a batch", `[${ping}]`, error(null, -32600, "Invalid request: JSON-RPC batches are not supported")],
    ["C-010 a number", "42", error(null, -32600, "Invalid request: a frame must be a JSON object")],
    ["C-010 null", "null", error(null, -32600, "Invalid request: a frame must be a JSON object")],
    [
      "C-010 an empty object",
      "{}",
      error(null, -32600, 'Invalid request: expected "jsonrpc": "2.0" with a method, or an id'),
    ],
    [
      "C-010 another version",
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
      error(null, -32600, 'Invalid request: expected "jsonrpc": "2.0" with a method, or an id'),
    ],
    [
      "C-010 a method that is no string",
      '{"jsonrpc":"2.0","id":1,"method":5}',
      error(null, -32600, 'Invalid request: expected "jsonrpc": "2.0" with a method, or an id'),
    ],
    [
      "C-010 an id that is an object",
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      error(null, -32600, "Invalid request: a request id must be a string or a number"),
    ],
    [
      "C-007 an unknown method",
      '{"jsonrpc":"2.0","id":1,"method":"nope"}',
      error(1, -32601, "Method not found: nope", { method: "nope" }),
    ],
    [
      "C-013 params that do not fit",
      '{"jsonrpc":"2.0","id":1,"method":"strict","params":{"sessionId":"s","prompt":"secret"}}',
      error(1, -32602, "Invalid params: /prompt: expected an array"),
    ],
    ["C-004 an id of null", '{"jsonrpc":"2.0","id":null,"method":"ping"}', { jsonrpc: "2.0", id: null, result: {} }],
    [
      "C-003 an id of another type",
      '{"jsonrpc":"2.0","id":"7","method":"ping"}',
      { jsonrpc: "2.0", id: "7", result: {} },
    ],
    [
      "C-020 params of null",
      '{"jsonrpc":"2.0","id":1,"method":"echo","params":null}',
      { jsonrpc: "2.0", id: 1, result: {} },
    ],
  ])("answers %s, and lives on", async (_, line, answer) => {
    const { say, heard } = wire(routes({ ping: () => undefined, echo: (params) => params }));
    say(line, ping);
    expect(await heard(2)).toEqual([answer, pong]);
  });

  test.each<[string, string]>([
    ["C-006 an unknown notification", '{"jsonrpc":"2.0","method":"nope"}'],
    ["C-006 a notification whose handler throws", '{"jsonrpc":"2.0","method":"bad"}'],
    ["C-016 a response nobody waits for", '{"jsonrpc":"2.0","id":99,"result":{}}'],
    ["C-017 an id with neither result nor error", '{"jsonrpc":"2.0","id":99}'],
    ["C-017 an id with both", '{"jsonrpc":"2.0","id":99,"result":1,"error":{"code":1,"message":"m"}}'],
    ["an error about nothing", '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'],
    ["C-032 a cancellation of nothing", '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":5}}'],
    ["a malformed cancellation", '{"jsonrpc":"2.0","method":"$/cancel_request","params":[]}'],
    ["C-052 a blank line", ""],
  ])("does not answer %s", async (_, line) => {
    const bad = () => {
      throw new Error("broken");
    };
    const { say, heard } = wire(routes({ ping: () => undefined }, { bad }));
    say(line, ping);
    expect(await heard(1)).toEqual([pong]);
  });

  test("C-042 never repeats received values in diagnostics", async () => {
    const { say, heard, diagnostics } = wire(routes({ ping: () => undefined }, {}));
    say("secret", '{"secret":1}', '{"jsonrpc":"2.0","id":"secret","result":"secret"}', ping);
    await heard(3);
    expect(diagnostics.map(({ type }) => type)).toEqual(["garbage", "invalid-frame", "unexpected-response"]);
    expect(JSON.stringify(diagnostics)).not.toContain("secret");
  });

  test("answers a 50 MB line with an error and reads the next", async () => {
    const { input, say, heard } = wire(routes({ ping: () => undefined }));
    const piece = Buffer.alloc(1024 * 1024, "x");
    for (let i = 0; i < 50; i++) input.write(piece);
    say("", ping);
    expect(await heard(2)).toEqual([
      error(null, -32600, "Invalid request: the line is longer than this side reads"),
      pong,
    ]);
  });

  test("survives 200,000 levels of nesting, also when a handler sends them back", async () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const { say, heard } = wire(routes({ ping: () => undefined, echo: (params) => params }));
    say(`{"jsonrpc":"2.0","id":1,"method":"echo","params":{"deep":${deep}}}`, ping);
    const [first, second] = (await heard(2)) as [{ error: { code: number; message: string } }, unknown];
    expect(first.error.code).toBe(-32603);
    expect(first.error.message).toMatch(/cannot be written as JSON/);
    expect(second).toEqual(pong);
  });

  test("C-018 the same id may be in flight both ways", async () => {
    const { connection, say, heard } = wire(routes({ ping: () => undefined }));
    const answer = connection.request("ask", {}, null);
    expect(await heard(1)).toEqual([{ jsonrpc: "2.0", id: 0, method: "ask", params: {} }]);
    say('{"jsonrpc":"2.0","id":0,"method":"ping"}', '{"jsonrpc":"2.0","id":0,"result":"mine"}');
    expect(await answer).toBe("mine");
    expect(await heard(1)).toEqual([{ jsonrpc: "2.0", id: 0, result: {} }]);
  });

  test("refuses a request whose id is still open, and leaves the first alone", async () => {
    let finish = (_: unknown): void => {};
    const slow = () => new Promise((resolve) => (finish = resolve));
    const { say, heard } = wire(routes({ slow }));
    say('{"jsonrpc":"2.0","id":1,"method":"slow"}', '{"jsonrpc":"2.0","id":1,"method":"slow"}');
    expect(await heard(1)).toEqual([error(1, -32600, "Invalid request: a request with this id is still open")]);
    finish("done");
    expect(await heard(1)).toEqual([{ jsonrpc: "2.0", id: 1, result: "done" }]);
  });

  test("refuses requests beyond the cap on open ones", async () => {
    const { say, heard } = wire(routes({ slow: () => new Promise(() => {}) }));
    for (let i = 0; i <= MAX_OPEN_REQUESTS; i++) say(`{"jsonrpc":"2.0","id":${i},"method":"slow"}`);
    const [refused] = (await heard(1)) as [{ id: number; error: { code: number } }];
    expect([refused.id, refused.error.code]).toEqual([MAX_OPEN_REQUESTS, -32603]);
  });
});

describe("answers to our requests", () => {
  test.each<[string, string, object]>([
    ["a string id for a number", '{"jsonrpc":"2.0","id":"0","result":7}', { value: 7 }],
    [
      "an error",
      '{"jsonrpc":"2.0","id":0,"error":{"code":-1,"message":"no","data":{"a":1}}}',
      { code: -1, message: "no", data: { a: 1 } },
    ],
    ["C-017 neither result nor error", '{"jsonrpc":"2.0","id":0}', { type: "invalid-response" }],
    [
      "C-017 both",
      '{"jsonrpc":"2.0","id":0,"result":1,"error":{"code":1,"message":"m"}}',
      { type: "invalid-response" },
    ],
    ["a result beside an error of null", '{"jsonrpc":"2.0","id":0,"result":7,"error":null}', { value: 7 }],
    [
      "an error beside a result of null",
      '{"jsonrpc":"2.0","id":0,"result":null,"error":{"code":1,"message":"m"}}',
      { code: 1 },
    ],
    ["an error without a message", '{"jsonrpc":"2.0","id":0,"error":{"code":1}}', { type: "invalid-response" }],
    ["a fractional code", '{"jsonrpc":"2.0","id":0,"error":{"code":1.5,"message":"m"}}', { type: "invalid-response" }],
    ["no version", '{"id":0,"result":1}', { type: "invalid-response" }],
  ])("settle the request: %s", async (_, line, outcome) => {
    const { connection, say, heard } = wire(routes({}));
    const settled = connection.request("ask", {}, null).then(
      (value) => ({ value }),
      (cause) => cause,
    );
    await heard(1);
    say(line);
    expect(await settled).toMatchObject(outcome);
  });

  test("reject the request when the result does not fit its method", async () => {
    const { connection, say, heard } = wire(routes({}));
    const asked = connection.request("ask", {}, decodePromptRequest);
    await heard(1);
    say('{"jsonrpc":"2.0","id":0,"result":{"sessionId":"s"}}');
    await expect(asked).rejects.toThrow("the answer to ask does not fit: /prompt: expected an array");
  });

  test("ignores a second answer", async () => {
    const { connection, say, heard, diagnostics } = wire(routes({ ping: () => undefined }));
    const asked = connection.request("ask", {}, null);
    await heard(1);
    say('{"jsonrpc":"2.0","id":0,"result":1}', '{"jsonrpc":"2.0","id":0,"result":2}', ping);
    expect(await asked).toBe(1);
    await heard(1);
    expect(diagnostics.map(({ type }) => type)).toEqual(["unexpected-response"]);
  });

  test("time out, tell the peer, and ignore the late answer", async () => {
    const { connection, say, heard, diagnostics } = wire(routes({ ping: () => undefined }));
    const asked = connection.request("ask", {}, null, { timeoutMs: 5 });
    await expect(asked).rejects.toMatchObject({ type: "timeout", message: "ask was not answered within 5 ms" });
    expect(await heard(2)).toEqual([
      { jsonrpc: "2.0", id: 0, method: "ask", params: {} },
      { jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 0 } },
    ]);
    say('{"jsonrpc":"2.0","id":0,"result":1}', ping);
    expect(await heard(1)).toEqual([pong]);
    expect(diagnostics).toEqual([]);
  });

  test.each([Number.POSITIVE_INFINITY, 2 ** 40])("a timeout of %d ms is none", async (timeoutMs) => {
    const { connection, say, heard } = wire(routes({}));
    const asked = connection.request("ask", {}, null, { timeoutMs });
    await heard(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    say('{"jsonrpc":"2.0","id":0,"result":1}');
    expect(await asked).toBe(1);
  });

  test("C-030 an abort cancels the request and rejects at once", async () => {
    const { connection, heard } = wire(routes({}));
    const controller = new AbortController();
    const asked = connection.request("ask", {}, null, { signal: controller.signal });
    controller.abort();
    await expect(asked).rejects.toMatchObject({ type: "aborted" });
    expect((await heard(2)).at(-1)).toEqual({
      jsonrpc: "2.0",
      method: "$/cancel_request",
      params: { requestId: 0 },
    });
  });

  test("C-031 an abort may wait for what the peer still answers", async () => {
    const { connection, say, heard } = wire(routes({}));
    const controller = new AbortController();
    const asked = connection.request("ask", {}, null, { signal: controller.signal, onAbort: "wait" });
    controller.abort();
    await heard(2);
    say('{"jsonrpc":"2.0","id":0,"result":"partial"}');
    expect(await asked).toBe("partial");
  });

  test("an object that cannot be sent rejects only its own call", async () => {
    const { connection, say, heard } = wire(routes({ ping: () => undefined }));
    const circular: { self?: object } = {};
    circular.self = circular;
    await expect(connection.request("ask", circular, null)).rejects.toMatchObject({ type: "unserialisable" });
    expect(() => connection.notify("tell", circular)).toThrow(expect.objectContaining({ type: "unserialisable" }));
    say(ping);
    expect(await heard(1)).toEqual([pong]);
  });
});

describe("handlers", () => {
  test("C-014 a failure becomes -32603 with its message, and RpcError passes as it is", async () => {
    const { say, heard } = wire(
      routes({
        fail: () => Promise.reject(new Error("the disk is full")),
        refuse: () => {
          throw new RpcError(-32000, "log in first", { hint: "KEY" });
        },
      }),
    );
    say('{"jsonrpc":"2.0","id":1,"method":"fail"}', '{"jsonrpc":"2.0","id":2,"method":"refuse"}');
    expect(await heard(2)).toEqual([
      error(2, -32000, "log in first", { hint: "KEY" }),
      error(1, -32603, "Internal error: the disk is full"),
    ]);
  });

  test("C-031 C-034 cancelled, they answer -32800, or what they still return", async () => {
    const aborted = ({ signal }: RequestContext) =>
      new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const { say, heard } = wire(
      routes({
        stop: (_, context) => aborted(context),
        finish: (_, context) => aborted(context).catch(() => "partial"),
      }),
    );
    say('{"jsonrpc":"2.0","id":1,"method":"stop"}', '{"jsonrpc":"2.0","id":"2","method":"finish"}');
    say('{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}');
    say('{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"2"}}');
    const answers = await heard(2);
    expect(answers).toContainEqual(error(1, -32800, "Request cancelled"));
    expect(answers).toContainEqual({ jsonrpc: "2.0", id: "2", result: "partial" });
  });

  test("a result of null, false, 0 or nothing at all is a result", async () => {
    const results: unknown[] = [null, false, 0, "", undefined];
    const { say, heard } = wire(routes({ get: (n) => results[(n as { at: number }).at] }));
    for (const at of results.keys()) say(`{"jsonrpc":"2.0","id":${at},"method":"get","params":{"at":${at}}}`);
    const answers = (await heard(5)) as { result: unknown }[];
    expect(answers.map(({ result }) => result)).toEqual([null, false, 0, "", {}]);
  });

  const thrown: [string, () => unknown][] = [
    ["an object without a prototype", () => Object.create(null)],
    ["an error that hides its message", () => Object.defineProperty(new Error(), "message", { get: fails })],
  ];
  const oddities: [string, () => unknown][] = [
    ...thrown.map(([what, make]): [string, () => unknown] => [
      `throws ${what}`,
      () => {
        throw make();
      },
    ]),
    ...thrown.map(([what, make]): [string, () => unknown] => [`rejects with ${what}`, () => Promise.reject(make())]),
    ["returns something whose then throws", () => withThen({ value: fails })],
    ["returns something whose then cannot be read", () => withThen({ get: fails })],
  ];

  test.each(oddities)("one that %s fails alone", async (_, odd) => {
    const { say, heard } = wire(routes({ odd, ping: () => undefined }, { odd }));
    say('{"jsonrpc":"2.0","method":"odd"}', '{"jsonrpc":"2.0","id":1,"method":"odd"}', ping);
    const answers = (await heard(2)) as { id: unknown; error?: { code: number } }[];
    expect(answers).toContainEqual(pong);
    expect(answers.find(({ id }) => id === 1)?.error?.code).toBe(-32603);
  });

  test("C-039 input goes on while they are pending", async () => {
    const { say, heard } = wire(routes({ slow: () => new Promise(() => {}), ping: () => undefined }));
    say('{"jsonrpc":"2.0","id":1,"method":"slow"}', ping);
    expect(await heard(1)).toEqual([pong]);
  });

  test("may act after their response has left", async () => {
    const order: string[] = [];
    const { connection, say, heard } = wire(
      routes({
        open: (_, context) => {
          context.afterResponse(() => void connection.notify("ready", {}));
          context.afterResponse(() => {
            throw new Error("ignored");
          });
          order.push("handled");
          return { id: 1 };
        },
      }),
    );
    say('{"jsonrpc":"2.0","id":1,"method":"open"}');
    expect(await heard(2)).toEqual([
      { jsonrpc: "2.0", id: 1, result: { id: 1 } },
      { jsonrpc: "2.0", method: "ready", params: {} },
    ]);
  });
});

describe("order", () => {
  const count = 5;

  test("C-040 notifications before a response are handled before it resolves", async () => {
    const seen: number[] = [];
    const { connection, say, heard } = wire(routes({}, { update: (n) => void seen.push(n as number) }));
    const asked = connection.request("ask", {}, null);
    await heard(1);
    const updates = Array.from({ length: count }, (_, n) => `{"jsonrpc":"2.0","method":"update","params":${n}}`);
    say(...updates, '{"jsonrpc":"2.0","id":0,"result":1}');
    await asked;
    expect(seen).toEqual([0, 1, 2, 3, 4]);
  });

  test.each([1, 3, 5, 12, 50])(
    "what follows a response in the same chunk waits for a continuation %i awaits deep",
    async (depth) => {
      const log: string[] = [];
      const { connection, say, heard } = wire(routes({}, { update: () => void log.push("update") }));
      const opened = connection.request("open", {}, null).then(async () => {
        for (let i = 0; i < depth; i++) await undefined;
        log.push("opened");
      });
      await heard(1);
      say('{"jsonrpc":"2.0","id":0,"result":1}', '{"jsonrpc":"2.0","method":"update"}');
      await opened;
      await until(() => log.length === 2);
      expect(log).toEqual(["opened", "update"]);
    },
  );

  test("what follows a response in a chunk of its own waits too, when both come in one turn of the loop", async () => {
    const log: string[] = [];
    const { connection, input, heard } = wire(routes({}, { update: () => void log.push("update") }));
    const opened = connection.request("open", {}, null).then(async () => {
      for (let i = 0; i < 5; i++) await undefined;
      log.push("opened");
    });
    await heard(1);
    input.write('{"jsonrpc":"2.0","id":0,"result":1}\n');
    input.write('{"jsonrpc":"2.0","method":"update"}\n');
    await opened;
    await until(() => log.length === 2);
    expect(log).toEqual(["opened", "update"]);
  });

  test("holds in memory too", async () => {
    const [left, right] = memoryPair();
    const log: string[] = [];
    const client = new Connection(left, routes({}, { update: (n) => void log.push(`update ${n}`) }));
    const agent: Connection = new Connection(
      right,
      routes({
        open: () => {
          void agent.notify("update", "before");
          queueMicrotask(() => void agent.notify("update", "after"));
          return 1;
        },
      }),
    );
    await client.request("open", {}, null).then(async () => {
      for (let i = 0; i < 20; i++) await undefined;
      log.push("opened");
    });
    await until(() => log.length === 3);
    expect(log).toEqual(["update before", "opened", "update after"]);
  });
});

describe("flow", () => {
  test("a flood of garbage does not become a flood of answers", async () => {
    const { say, heard } = wire(routes({ ping: () => undefined }));
    for (let i = 0; i < 10_000; i++) say("y");
    say(ping, "y");
    const answers = (await heard(66)) as { id: unknown }[];
    expect(answers.length).toBe(66);
    expect(answers.findIndex(({ id }) => id === "ping")).toBe(64);
  });

  test("slow notification handlers hold the input at the cap", async () => {
    const waiting: (() => void)[] = [];
    const slow = () => new Promise<void>((resolve) => waiting.push(resolve));
    const { input, say } = wire(routes({}, { update: slow }));
    const lines = '{"jsonrpc":"2.0","method":"update"}\n'.repeat(MAX_UNSETTLED * 4);
    input.write(lines);
    await until(() => waiting.length >= MAX_UNSETTLED);
    say("");
    await new Promise((resolve) => setImmediate(resolve));
    expect(waiting.length).toBe(MAX_UNSETTLED);
    let settled = 0;
    while (settled < MAX_UNSETTLED * 4) {
      await until(() => waiting.length > 0);
      for (const resolve of waiting.splice(0)) {
        resolve();
        settled++;
      }
    }
    expect(settled).toBe(MAX_UNSETTLED * 4);
  });

  test("a peer that does not read gives senders a promise, and at the cap a refusal", async () => {
    const output = new PassThrough();
    const connection = new Connection(nodeStream(new PassThrough(), output, { maxQueuedChars: 1_000_000 }), routes({}));
    let room: Promise<void> | undefined;
    let sent = 0;
    const send = () => {
      for (; sent < 1_000_000; sent++) room = connection.notify("update", "x".repeat(1000));
    };
    expect(send).toThrow(expect.objectContaining({ name: "LocalError", type: "overflow" }));
    expect(sent).toBeLessThan(1200);
    output.resume();
    await room;
    expect(connection.isClosed).toBe(false);
    expect(() => connection.notify("update", "again")).not.toThrow();
  });
});

describe("the end", () => {
  test("does not wait for a peer that does not read", async () => {
    const output = new PassThrough();
    const connection = new Connection(nodeStream(new PassThrough(), output), routes({}));
    for (let i = 0; i < 100; i++) void connection.notify("update", "x".repeat(10_000));
    await connection.close();
    expect((await connection.closed).message).toBe("the connection was closed on this side");
  });

  test("rejects at once what is asked after the peer can no longer answer", async () => {
    let refusal: unknown;
    const { connection, input, say } = wire(
      routes({
        work: async (_, { signal }) => {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          refusal = await connection.request("ask", {}, null).catch((cause) => cause);
        },
      }),
    );
    say('{"jsonrpc":"2.0","id":1,"method":"work"}');
    await new Promise((resolve) => setImmediate(resolve));
    input.end();
    await connection.closed;
    expect(refusal).toMatchObject({ type: "closed" });
  });

  test("C-041 rejects what is pending, aborts what is open, and answers what finishes", async () => {
    let signal: AbortSignal | undefined;
    const { connection, input, say, heard } = wire(
      routes({
        work: async (_, context) => {
          signal = context.signal;
          await new Promise((resolve) => signal?.addEventListener("abort", resolve));
          return "wrapped up";
        },
      }),
    );
    const asked = connection.request("ask", {}, null);
    say('{"jsonrpc":"2.0","id":1,"method":"work"}');
    await until(() => signal !== undefined);
    input.end();
    await expect(asked).rejects.toMatchObject({ type: "closed", message: "the peer closed the connection" });
    expect((await heard(2)).at(-1)).toEqual({ jsonrpc: "2.0", id: 1, result: "wrapped up" });
    expect((await connection.closed).message).toBe("the peer closed the connection");
  });

  test("C-052 answers a last line without newline", async () => {
    const { connection, input, heard } = wire(routes({ ping: () => undefined }));
    input.end(ping);
    expect(await heard(1)).toEqual([pong]);
    await connection.closed;
  });

  test("a broken pipe rejects what is pending, with the cause", async () => {
    const output = new PassThrough();
    const connection = new Connection(nodeStream(new PassThrough(), output), routes({}));
    const asked = connection.request("ask", {}, null);
    output.destroy(new Error("EPIPE"));
    await expect(asked).rejects.toMatchObject({ type: "closed", message: "the connection broke: EPIPE" });
    await expect(connection.request("ask", {}, null)).rejects.toMatchObject({ type: "closed" });
    expect(() => connection.notify("tell", {})).toThrow(expect.objectContaining({ type: "closed" }));
  });

  test("handlers that never settle do not keep it open", async () => {
    const input = new PassThrough();
    const connection = new Connection(
      nodeStream(input, new PassThrough().resume()),
      routes({ slow: () => new Promise(() => {}) }),
      { drainMs: 20 },
    );
    input.end('{"jsonrpc":"2.0","id":1,"method":"slow"}\n');
    await connection.closed;
  });

  test("closing is idempotent and sends what was queued", async () => {
    const { connection, heard } = wire(routes({}));
    void connection.notify("last", {} satisfies object as Frame);
    await Promise.all([connection.close(), connection.close()]);
    expect(await heard(1)).toEqual([{ jsonrpc: "2.0", method: "last", params: {} }]);
  });
});
