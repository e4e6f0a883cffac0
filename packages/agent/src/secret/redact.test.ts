import { describe, expect, test } from "vitest";
import { createRedaction, redact } from "./redact.ts";

const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEpAIBAAKCAQEA0Z3VS5JJ\n".repeat(2)}-----END RSA PRIVATE KEY-----`;

const ROWS: readonly (readonly [text: string, clean: string])[] = [
  ["key sk-proj-abcdefgh12345678 refused", "key [redacted] refused"],
  ["OPENAI_API_KEY=abcdef123", "OPENAI_API_KEY=[redacted]"],
  ["DEPLOY_KEY=abcdef123 make", "DEPLOY_KEY=[redacted] make"],
  ["agent --key=abcdef123 --signing-key=abcdef123", "agent --key=[redacted] --signing-key=[redacted]"],
  ['{"password": "hunter22", "user": "ann"}', '{"password": "[redacted]", "user": "ann"}'],
  ["Authorization: Bearer abc.def.ghi-jkl", "Authorization: [redacted]"],
  ["token ghp_0123456789abcdefABCD", "token [redacted]"],
  ["pat github_pat_11ABCDEFG0123456789", "pat [redacted]"],
  ["a gsk_abcdefghijklmnop1234 b hf_abcDEFghiJKLmno12", "a [redacted] b [redacted]"],
  ["glpat-abcdefgh1234", "[redacted]"],
  ["AIzaSyA1234567890 AKIAABCDEFGHIJKLMNOP", "[redacted] [redacted]"],
  ["eyJhbGciOiJI.eyJzdWIi.sig", "[redacted]"],
  ["postgres://me:hunter22@db/x", "postgres://me:[redacted]@db/x"],
  ["GET /a?token=abcdefg&x=1&sig=abcdefg", "GET /a?token=[redacted]&x=1&sig=[redacted]"],
  [PEM, "[redacted]"],
];

test.each(ROWS)("%s", (text, clean) => {
  expect(redact(text)).toBe(clean);
  expect(redact(clean)).toBe(clean);
});

test.each([
  "a tokenizer reads 12 tokens",
  "total_tokens: 5000",
  "id = models.AutoField(primary_key=True)",
  "sorted(rows, key=lambda row: row.name)",
  "CREATE INDEX pk_customer_order_history",
  "see http://localhost:3000/a@b and https://example.com",
  "pip install sk-learn",
])("%s stays", (text) => {
  expect(redact(text)).toBe(text);
});

describe.each([1, 3, 7, 64, 100_000])("in pieces of %i characters", (size) => {
  test.each(ROWS)("%s", (text, clean) => {
    const redaction = createRedaction();
    const whole = `first\n${text}\nplain line\nlast token: hunter2secret`;
    let written = "";
    for (let at = 0; at < whole.length; at += size) written += redaction.write(whole.slice(at, at + size));
    written += redaction.end();
    expect(written).toBe(`first\n${clean}\nplain line\nlast token: [redacted]`);
  });
});

test("does not wait for the end of a line, or of a key, that has none", () => {
  const redaction = createRedaction();
  expect(redaction.write("x".repeat(100_000))).toHaveLength(100_000);
  expect(redaction.write(`-----BEGIN PRIVATE KEY-----\n${"x\n".repeat(10_000)}`)).toBe("[redacted]");
  expect(redaction.end()).toBe("");
});
