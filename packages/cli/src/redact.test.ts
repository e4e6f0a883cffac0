import { expect, test } from "vitest";
import { redact } from "./redact.ts";

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
