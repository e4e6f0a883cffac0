import fc from "fast-check";
import { expect, test } from "vitest";
import { ChunkRedaction } from "./redact-chunk.ts";

const chunk = (text: string, sessionId = "s", sessionUpdate = "agent_message_chunk") => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId, update: { sessionUpdate, content: { type: "text", text } } },
});

function say(pieces: readonly string[]): string {
  const redaction = new ChunkRedaction();
  const texts = pieces.map((piece) => redaction.redact(chunk(piece)) as ReturnType<typeof chunk>);
  return texts.map(({ params }) => params.update.content.text).join("");
}

function cut(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));
}

test("text without secrets stays as it is, however it is cut", () => {
  const words = fc.constantFrom("word ", "[redacted]", "-", "key", ": ", "\n", "é", "s", "{", "://");
  fc.assert(
    fc.property(fc.string({ unit: words, maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (whole, size) => {
      fc.pre(say([whole]) === whole);
      expect(say(cut(whole, size))).toBe(whole);
    }),
  );
});

test.each(["sk-proj-Zq7Xw9Rt2Yb4Nm6Kp8Ls", "Bearer Zq7Xw9Rt2Yb4Nm6Kp8Ls", "password: Zq7Xw9Rt2Yb4Nm6Kp8Ls"])(
  "of %s nothing but its beginning is shown, however it is cut",
  (secret) => {
    for (const size of [1, 2, 3, 5, 7, 11, 100]) {
      const shown = say(cut(`Use ${secret} now.`, size));
      expect(shown, `in pieces of ${size}`).not.toContain("Nm6Kp8Ls");
      expect(shown).toContain("[redacted]");
      expect(shown.endsWith(" now.")).toBe(true);
    }
  },
);

test("a key of several lines is hidden to its end", () => {
  const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEvQIBADAN\nBgkqhkiG9w0B\n-----END RSA PRIVATE KEY-----";
  for (const size of [16, 40, 64, 500]) {
    const shown = say(cut(`Here:\n${key}\nDone.`, size));
    expect(shown).not.toContain("BgkqhkiG9w0B");
    expect(shown.endsWith("\nDone."), shown).toBe(true);
  }
});

test("sessions, and what is said and thought in them, are texts of their own", () => {
  const redaction = new ChunkRedaction();
  const textOf = (frame: object) => (redaction.redact(frame) as ReturnType<typeof chunk>).params.update.content.text;
  expect(textOf(chunk("key sk-abcdefgh1234"))).toBe("key [redacted]");
  expect(textOf(chunk("5678 here", "t"))).toBe("5678 here");
  expect(textOf(chunk("5678 here", "s", "agent_thought_chunk"))).toBe("5678 here");
  expect(textOf(chunk("5678 here"))).toBe(" here");
});

test("frames that are no text are cleaned as always", () => {
  const redaction = new ChunkRedaction();
  expect(redaction.redact({ method: "x", params: { env: { A: "b" } } })).toEqual({
    method: "x",
    params: { env: { A: "[redacted]" } },
  });
  expect(redaction.redact([1, "sk-abcdefgh12345678"])).toEqual([1, "[redacted]"]);
});
