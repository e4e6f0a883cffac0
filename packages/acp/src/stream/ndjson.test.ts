import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nodeDecoding } from "../node/text-decoding.ts";
import type { Frame } from "./frame.ts";
import { FrameReader } from "./frame-reader.ts";
import { FrameWriter } from "./frame-writer.ts";
import type { Receiver } from "./stream.ts";

type Heard = { frame: unknown } | { garbage: string };

function listen(maxFrameBytes?: number): { heard: Heard[]; reader: FrameReader } {
  const heard: Heard[] = [];
  const receiver: Receiver = {
    frame: (frame) => heard.push({ frame }),
    garbage: (garbage) => heard.push({ garbage }),
    ended: () => {},
  };
  return { heard, reader: new FrameReader(receiver, nodeDecoding, maxFrameBytes) };
}

function read(input: string | Buffer, maxFrameBytes?: number): Heard[] {
  const { heard, reader } = listen(maxFrameBytes);
  reader.feed(Buffer.from(input));
  reader.end();
  return heard;
}

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)));

const text = fc.string({ unit: "binary", maxLength: 12 });

const textChunk = fc
  .record(
    {
      sessionId: fc.constantFrom("s1", "s2", 'odd"id'),
      update: fc.record(
        {
          sessionUpdate: fc.constantFrom("agent_message_chunk", "agent_thought_chunk", "user_message_chunk", "plan"),
          content: fc.record(
            { type: fc.constantFrom("text", "image"), text, annotations: json },
            { requiredKeys: ["type", "text"] },
          ),
          messageId: fc.option(fc.constantFrom("m1", "m2")),
          _meta: json,
        },
        { requiredKeys: ["sessionUpdate", "content"] },
      ),
      extra: json,
    },
    { requiredKeys: ["sessionId", "update"] },
  )
  .map((params) => ({ jsonrpc: "2.0", method: "session/update", params }) as Frame);

const frame: fc.Arbitrary<Frame> = fc.oneof(
  { weight: 3, arbitrary: textChunk },
  fc.record({ jsonrpc: fc.constant("2.0" as const), id: fc.nat(), method: fc.string(), params: json }),
  fc.record({ jsonrpc: fc.constant("2.0" as const), id: fc.string(), result: json }),
  fc.record({
    jsonrpc: fc.constant("2.0" as const),
    id: fc.constant(null),
    error: fc.record({ code: fc.integer(), message: fc.string(), data: json }),
  }),
);

describe("FrameWriter", () => {
  test("writes every frame as one line that reads back as the frame", () => {
    const writer = new FrameWriter();
    fc.assert(
      fc.property(frame, (sent) => {
        const line = writer.write(sent);
        expect(line.indexOf("\n")).toBe(line.length - 1);
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(sent)));
      }),
    );
  });

  test.each<[string, unknown, RegExp]>([
    ["a cycle", circular(), /circular/i],
    ["a BigInt", { n: 1n }, /BigInt/],
    ["200,000 levels", nested(200_000), /call stack/i],
    ["a function", () => {}, /function/],
  ])("throws to the caller for %s", (_, params, message) => {
    const send = () => new FrameWriter().write({ jsonrpc: "2.0", method: "m", params });
    expect(send).toThrow(message);
    expect(send).toThrow(expect.objectContaining({ name: "LocalError", type: "unserialisable" }));
  });

  test("leaves out params that are undefined", () => {
    expect(new FrameWriter().write({ jsonrpc: "2.0", method: "m", params: undefined })).toBe(
      '{"jsonrpc":"2.0","method":"m"}\n',
    );
  });
});

describe("FrameReader", () => {
  test("C-056 C-057 gives the same frames for any chunking, with holds anywhere", () => {
    const cuts = fc.array(fc.nat(), { maxLength: 12 });
    const holds = fc.infiniteStream(fc.integer({ min: 0, max: 5 }));
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 20 }), cuts, holds, (frames, cutAt, holdAt) => {
        const writer = new FrameWriter();
        const bytes = Buffer.from(frames.map((one) => writer.write(one)).join(""));
        const { heard, reader } = listenHolding(holdAt);
        for (const piece of cut(bytes, cutAt)) reader.feed(piece);
        while (reader.hasMore) reader.release();
        reader.release();
        reader.end();
        expect(heard).toEqual(frames.map((one) => ({ frame: JSON.parse(JSON.stringify(one)) })));
      }),
      { numRuns: 300 },
    );
  });

  test("C-056 decodes a character split at any byte", () => {
    const line = Buffer.from(`{"jsonrpc":"2.0","method":"m","params":"añ€😀"}\n`);
    for (let at = 1; at < line.length; at++) {
      const { heard, reader } = listen();
      reader.feed(line.subarray(0, at));
      reader.feed(line.subarray(at));
      expect(heard).toEqual([{ frame: { jsonrpc: "2.0", method: "m", params: "añ€😀" } }]);
    }
  });

  test.each<[string, string | Buffer, Heard[]]>([
    ["C-052 CRLF", '{"a":1}\r\n{"a":2}\r\n', [{ frame: { a: 1 } }, { frame: { a: 2 } }]],
    ["C-052 blank lines", '\n\r\n  \n{"a":1}\n\n', [{ frame: { a: 1 } }]],
    ["C-052 a last line without newline", '{"a":1}\n{"a":2}', [{ frame: { a: 1 } }, { frame: { a: 2 } }]],
    ["a byte order mark", '\ufeff{"a":1}\n', [{ frame: { a: 1 } }]],
    ["C-009 what is not JSON", 'hello\n{"a":1}\n', [{ garbage: "not-json" }, { frame: { a: 1 } }]],
    ["two frames on one line", '{"a":1}{"a":2}\n{"a":3}\n', [{ garbage: "not-json" }, { frame: { a: 3 } }]],
    ["JSON that is no object", '42\nnull\n"x"\n', [{ frame: 42 }, { frame: null }, { frame: "x" }]],
    [
      "invalid UTF-8",
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}\n{"a":"é"}\n')]),
      [{ garbage: "not-utf8" }, { frame: { a: "é" } }],
    ],
    ["an end in the middle of a line", '{"a":1}\n{"a":', [{ frame: { a: 1 } }, { garbage: "not-json" }]],
    ["a lone surrogate", '{"a":"\\ud800"}\n', [{ frame: { a: "\ud800" } }]],
  ])("reads past %s", (_, input, heard) => {
    expect(read(input)).toEqual(heard);
  });

  test("C-044 skips a line over the limit, wherever it is cut, and reads on", () => {
    const long = `{"a":"${"x".repeat(100)}"}\n`;
    const bytes = Buffer.from(`{"a":1}\n${long}{"a":2}\n${long}{"a":3}\n`);
    const expected = [
      { frame: { a: 1 } },
      { garbage: "too-long" },
      { frame: { a: 2 } },
      { garbage: "too-long" },
      { frame: { a: 3 } },
    ];
    for (const size of [1, 7, 50, 64, 109, 110, 1000]) {
      const { heard, reader } = listen(64);
      for (let at = 0; at < bytes.length; at += size) reader.feed(bytes.subarray(at, at + size));
      reader.end();
      expect(heard, `chunks of ${size}`).toEqual(expected);
    }
  });

  test("keeps own __proto__ keys as data", () => {
    const [heard] = read('{"__proto__":{"polluted":true}}\n') as [{ frame: object }];
    expect(Object.getPrototypeOf(heard.frame)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("is not misled by text chunks that look alike", () => {
    const chunk = (inner: string) =>
      `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":${inner}}}}}`;
    const lines = [
      chunk('"one"'),
      chunk('"two"'),
      chunk('"two","text":"three"'),
      chunk('"x","annotations":{"priority":1},"text":"y"'),
      chunk("7"),
      chunk('"a""b"'),
      chunk('"\\"'),
      chunk('"last"'),
    ];
    const expected = lines.map((line) => {
      try {
        return { frame: JSON.parse(line) };
      } catch {
        return { garbage: "not-json" };
      }
    });
    expect(read(`${lines.join("\n")}\n`)).toEqual(expected);
  });
});

function listenHolding(holdAt: Iterator<number>): { heard: Heard[]; reader: FrameReader } {
  const heard: Heard[] = [];
  const reader: FrameReader = new FrameReader(
    {
      frame: (value) => {
        heard.push({ frame: value });
        if (holdAt.next().value === 0) reader.hold();
      },
      garbage: (garbage) => heard.push({ garbage }),
      ended: () => {},
    },
    nodeDecoding,
  );
  return { heard, reader };
}

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const borders = [0, ...at.map((n) => n % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return borders.slice(1).map((end, i) => bytes.subarray(borders[i], end));
}

function circular(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}
