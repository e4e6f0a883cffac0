import { expect, test } from "vitest";
import { createRedaction, redact } from "./redact.ts";

test.each([
  ["key sk-proj-abcdefgh12345678 refused", "key [redacted] refused"],
  ["OPENAI_API_KEY=abcdef123", "OPENAI_API_KEY=[redacted]"],
  ['{"password": "hunter22", "user": "ann"}', '{"password": "[redacted]", "user": "ann"}'],
  ["Authorization: Bearer abc.def.ghi-jkl", "Authorization: [redacted]"],
  ["token ghp_0123456789abcdefABCD", "token [redacted]"],
  ["-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----", "[redacted]"],
  ["a tokenizer reads 12 tokens", "a tokenizer reads 12 tokens"],
])("%s", (text, clean) => {
  expect(redact(text)).toBe(clean);
});

test.each([1, 3, 7, 64, 1_000])("finds secrets that are cut into pieces of %i characters", (size) => {
  const text = `first\nexport OPENAI_API_KEY=sk-abcdefghijklmnop123 # mine\nplain line\nlast token: hunter2secret`;
  const redaction = createRedaction();
  let clean = "";
  for (let at = 0; at < text.length; at += size) clean += redaction.write(text.slice(at, at + size));
  clean += redaction.end();
  expect(clean).toBe(redact(text));
  expect(clean).not.toMatch(/hunter2secret|abcdefghijklmnop/);
});

test("does not wait for the end of a line that has none", () => {
  const redaction = createRedaction();
  expect(redaction.write("x".repeat(100_000))).toHaveLength(100_000);
  expect(redaction.end()).toBe("");
});
