import { APICallError, JSONParseError, TypeValidationError, UnsupportedFunctionalityError } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FaultKind } from "../fault/fault.ts";
import { OverlongError } from "./event-bound.ts";
import { PlainAnswerError } from "./plain-answer.ts";
import type { Provider } from "./provider.ts";
import { ProxyError } from "./proxy.ts";
import { StallError } from "./stall.ts";
import { badKey, missingKey, toFault } from "./to-fault.ts";

const KEY = "sk-proj-verysecretvalue0123";

const provider: Provider = {
  id: "openai",
  name: "OpenAI",
  protocol: "chat",
  baseUrl: "https://api.openai.com/v1",
  apiKey: KEY,
  keyVariable: "OPENAI_API_KEY",
  needsKey: true,
};

interface Expected {
  readonly kind: FaultKind;
  readonly retryable: boolean;
  readonly says?: RegExp;
  readonly retryAfterMs?: number;
}

function refusal(statusCode: number, body: unknown, responseHeaders: Record<string, string> = {}): APICallError {
  const responseBody = typeof body === "string" ? body : JSON.stringify(body);
  return new APICallError({
    message: "Request failed",
    url: "https://api.openai.com/v1/chat/completions",
    requestBodyValues: {},
    statusCode,
    responseHeaders,
    responseBody,
  });
}

function said(statusCode: number, message: string, more: object = {}): APICallError {
  return refusal(statusCode, { error: { message, ...more } });
}

function broken(code: string, message = code): Error {
  const cause = Object.assign(new Error(message), { code });
  return new TypeError("fetch failed", { cause });
}

const once = (kind: FaultKind, says?: RegExp): Expected => ({ kind, retryable: false, ...(says && { says }) });
const again = (kind: FaultKind, says?: RegExp): Expected => ({ kind, retryable: true, ...(says && { says }) });

const NOW = Date.parse("2026-01-01T00:00:00Z");

const rows: readonly (readonly [name: string, thrown: unknown, expected: Expected])[] = [
  // Keys.
  [
    "401",
    said(401, "Incorrect API key provided: sk-proj-very***0123."),
    once("auth", /refuses the key in OPENAI_API_KEY \(401\)/),
  ],
  ["403", said(403, "Country not supported"), once("auth", /refuses access with the key in OPENAI_API_KEY \(403\)/)],
  ["401 without a body", refusal(401, ""), once("auth", /OPENAI_API_KEY/)],
  [
    "Gemini's 400 for a bad key",
    said(400, "API key not valid. Please pass a valid API key.", { status: "INVALID_ARGUMENT" }),
    once("auth"),
  ],
  ["authentication_error in a stream", { type: "authentication_error", message: "invalid x-api-key" }, once("auth")],
  // Limits.
  ["429", said(429, "Rate limit reached for requests"), again("rate-limit", /Rate limit reached/)],
  [
    "429 with tokens in its text",
    said(429, "Limit 30000 tokens per min. Requested 40000. prompt is too long"),
    again("rate-limit"),
  ],
  [
    "429 about quota",
    said(429, "You exceeded your current quota, please check your plan and billing details.", {
      code: "insufficient_quota",
    }),
    once("rate-limit", /will not help/),
  ],
  [
    "429 of Gemini with a delay",
    refusal(429, {
      error: {
        code: 429,
        message: "You exceeded your current quota",
        status: "RESOURCE_EXHAUSTED",
        details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" }],
      },
    }),
    { ...again("rate-limit"), retryAfterMs: 34_500 },
  ],
  ["402", said(402, "Insufficient Balance"), once("rate-limit", /no credit/)],
  [
    "Anthropic's 400 about credit",
    refusal(400, {
      type: "error",
      error: { type: "invalid_request_error", message: "Your credit balance is too low to access the Anthropic API." },
    }),
    once("rate-limit", /no credit/),
  ],
  [
    "Groq's 413 about tokens per minute",
    said(413, "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9000", {
      code: "rate_limit_exceeded",
    }),
    once("rate-limit"),
  ],
  [
    "rate_limit_error in a stream",
    { type: "rate_limit_error", message: "Number of request tokens has exceeded your per-minute rate limit" },
    again("rate-limit"),
  ],
  ["retry-after in seconds", refusal(429, {}, { "retry-after": "7" }), { ...again("rate-limit"), retryAfterMs: 7_000 }],
  [
    "retry-after as a date",
    refusal(503, {}, { "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" }),
    { ...again("overloaded"), retryAfterMs: 9_000 },
  ],
  [
    "retry-after-ms",
    refusal(429, {}, { "retry-after-ms": "250", "retry-after": "9" }),
    { ...again("rate-limit"), retryAfterMs: 250 },
  ],
  ["retry-after that is no time", refusal(429, {}, { "retry-after": "soon" }), again("rate-limit")],
  // Busy.
  ...[408, 409, 425, 500, 502, 503, 504, 520, 529].map(
    (status) =>
      [String(status), said(status, "try later"), again("overloaded", new RegExp(`\\(${status}\\)`))] as const,
  ),
  ["502 with a page", refusal(502, "<html><body>Bad gateway</body></html>"), again("overloaded")],
  ["overloaded_error in a stream", { type: "overloaded_error", message: "Overloaded" }, again("overloaded")],
  ["api_error in a stream", { type: "api_error", message: "Internal server error" }, again("overloaded")],
  [
    "server_error of responses",
    { message: "The server had an error", code: "server_error", type: "response.failed" },
    again("overloaded"),
  ],
  [
    "an OpenRouter error in a stream",
    { code: 502, message: "Provider returned error", metadata: { raw: "upstream died" } },
    again("overloaded", /upstream died/),
  ],
  [
    "a code in a stream that says something else than its sentence",
    { code: 502, message: "Overloaded upstream" },
    again("overloaded", /\(502\)/),
  ],
  ["a word that only looks like a broken connection", { message: "Undeterminated certainty" }, once("internal")],
  // Overflow, in everybody's words.
  ...(
    [
      [400, "This model's maximum context length is 128000 tokens. However, your messages resulted in 200000 tokens."],
      [400, "Your input exceeds the context window of this model. Please adjust your input and try again."],
      [400, "prompt is too long: 210000 tokens > 200000 maximum"],
      [400, "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000"],
      [400, "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."],
      [400, "the request exceeds the available context size, try increasing it"],
      [500, "the request exceeds the available context size"],
      [
        400,
        "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
      ],
      [400, "The number of tokens to keep from the initial prompt is greater than the context length"],
      [400, "input length exceeds the context length"],
      [400, "This endpoint's maximum context length is 32768 tokens."],
      [400, "Please reduce the length of the messages or completion."],
      [400, "Input is too long for requested model."],
      [400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
      [400, "Invalid request: Your request exceeded model token limit: 131072 (requested: 140000)"],
      [400, "prompt token count of 70000 exceeds the limit of 64000"],
      [400, "context window exceeds limit (2013)"],
      [400, "Prompt contains 40000 tokens, too large for model with 32768 maximum context length"],
      [422, "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000"],
      [400, "Range of input length should be [1, 30720]"],
      [400, "too many tokens: size limit exceeded by 300 tokens"],
      [413, "Request exceeds the maximum size"],
      [413, ""],
    ] as const
  ).map(
    ([status, text]) =>
      [`overflow: ${text || status}`, said(status, text), once("overflow", /does not fit gpt-x/)] as const,
  ),
  ["overflow by its code", said(400, "Bad request", { code: "context_length_exceeded" }), once("overflow")],
  [
    "overflow in a stream",
    { type: "invalid_request_error", code: "context_length_exceeded", message: "Too long" },
    once("overflow"),
  ],
  // Our own doing.
  [
    "404",
    said(404, "The model `gpt-x` does not exist or you do not have access to it.", { code: "model_not_found" }),
    once("bad-request", /knows no model "gpt-x"/),
  ],
  ["404 with a page", refusal(404, "<html>404</html>"), once("bad-request", /the address \(api\.openai\.com:443\)/)],
  ["400 about a model", said(400, "gpt-x is not a valid model ID"), once("bad-request", /knows no model/)],
  ["400", said(400, "Invalid 'tools[0].function.name'"), once("bad-request", /\(400\)\. Invalid 'tools\[0\]/)],
  [
    "400 about a setting",
    said(400, "max_tokens is too large: 999999. This model supports at most 16384 completion tokens"),
    once("bad-request"),
  ],
  [
    "400 with a list of details",
    refusal(400, { detail: [{ msg: "field required", type: "value_error" }] }),
    once("bad-request", /field required/),
  ],
  ["400 with a bare sentence", refusal(400, { error: "no such thing" }), once("bad-request", /no such thing/)],
  [
    "400 in a list",
    refusal(400, [{ error: { code: 400, message: "Unknown name foo", status: "INVALID_ARGUMENT" } }]),
    once("bad-request", /Unknown name foo/),
  ],
  ["422 as plain text", refusal(422, "Failed to deserialize"), once("bad-request", /Failed to deserialize/)],
  [
    "something the library cannot send",
    new UnsupportedFunctionalityError({ functionality: "media type x" }),
    once("bad-request"),
  ],
  // Connections.
  ["ECONNREFUSED", broken("ECONNREFUSED"), again("network", /api\.openai\.com:443 cannot be reached \(ECONNREFUSED\)/)],
  ["ENOTFOUND", broken("ENOTFOUND", "getaddrinfo ENOTFOUND api.openai.com"), again("network", /ENOTFOUND/)],
  ["EAI_AGAIN", broken("EAI_AGAIN"), again("network", /EAI_AGAIN/)],
  ["ECONNRESET", broken("ECONNRESET", "read ECONNRESET"), again("network", /broke \(ECONNRESET\)/)],
  [
    "a socket that closed",
    new TypeError("terminated", { cause: Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }) }),
    again("network", /broke/),
  ],
  [
    "a wrapped refusal to connect",
    new APICallError({
      message: "Cannot connect to API: connect ECONNREFUSED",
      url: "u",
      requestBodyValues: {},
      cause: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
    }),
    again("network"),
  ],
  [
    "several addresses that failed",
    new TypeError("fetch failed", {
      cause: Object.assign(new AggregateError([Object.assign(new Error("x"), { code: "ETIMEDOUT" })]), {
        code: "ETIMEDOUT",
      }),
    }),
    again("network", /ETIMEDOUT/),
  ],
  ["a slow connect", broken("UND_ERR_CONNECT_TIMEOUT"), again("network")],
  ["an unknown certificate", broken("SELF_SIGNED_CERT_IN_CHAIN"), once("network", /certificate/)],
  ["a stall before the answer", new StallError(60_000, false), again("stalled", /did not begin to answer within 60 s/)],
  [
    "a stall in the answer",
    new APICallError({
      message: "x",
      url: "u",
      requestBodyValues: {},
      statusCode: 200,
      cause: new StallError(30_000, true),
    }),
    again("stalled", /nothing came for 30 s/),
  ],
  [
    "a proxy that is not there",
    new ProxyError("http://bob:hushhushhush@proxy.example:3128", broken("ECONNREFUSED")),
    again("network", /^The proxy proxy\.example:3128 does not answer \(ECONNREFUSED\)/),
  ],
  [
    "an event without an end",
    new APICallError({ message: "x", url: "u", requestBodyValues: {}, statusCode: 200, cause: new OverlongError() }),
    once("model", /cannot be understood: an event of more than 32 MB/),
  ],
  [
    "a page instead of an answer",
    new PlainAnswerError("page", "<html>Log in</html>"),
    once("bad-request", /web page.*check the address \(api\.openai\.com:443\)/),
  ],
  ["an answer in one piece", new PlainAnswerError("whole", '{"output":[]}'), once("bad-request", /does not stream/)],
  [
    "an error that claims success",
    new PlainAnswerError("error", '{"error":{"message":"Invalid model zzz","code":"model_not_found"}}'),
    once("bad-request", /knows no model "gpt-x" \(404\)\. Invalid model zzz/),
  ],
  [
    "an error that claims success and has no code",
    new PlainAnswerError("error", '{"detail":"The network is shy"}'),
    once("bad-request", /refuses the request\. The network is shy/),
  ],
  ["undici's own patience", broken("UND_ERR_HEADERS_TIMEOUT"), again("stalled")],
  // The rest.
  ["a chunk that is no JSON", new JSONParseError({ text: "{", cause: new SyntaxError("x") }), again("model")],
  ["a chunk of another shape", new TypeValidationError({ value: { a: 1 }, cause: new Error("x") }), again("model")],
  [
    "an error in a chunk of another shape",
    new TypeValidationError({
      value: { error: { message: "No capacity", code: "overloaded" } },
      cause: new Error("x"),
    }),
    again("overloaded", /No capacity/),
  ],
  ["a string", "boom", once("internal", /boom/)],
  ["nothing", undefined, once("internal")],
];

describe("a failure as a fault", () => {
  test("knows many ways to fail", () => expect(rows.length).toBeGreaterThanOrEqual(60));

  test.each(rows)("%s", (_name, thrown, expected) => {
    const found = toFault(thrown, provider, "gpt-x", NOW);
    expect({
      kind: found.kind,
      retryable: found.retryable,
      retryAfterMs: found.retryAfterMs,
      message: found.message,
    }).toEqual({
      kind: expected.kind,
      retryable: expected.retryable,
      retryAfterMs: expected.retryAfterMs,
      message: expect.stringMatching(expected.says ?? /./),
    });
    expect(JSON.stringify(found)).not.toMatch(/sk-proj/);
  });

  test("hides keys, whatever they look like", () => {
    const echo = `bad key ${KEY}, Bearer abcdef123456, AIzaSyA1234567890, x?key=abcdefgh and eyJhbGciOiJI.eyJzdWIi.sig`;
    const found = toFault(said(400, echo), { ...provider, headers: { "x-token": "hushhushhush" } }, "gpt-x");
    expect(found.message).toBe(
      "OpenAI refuses the request (400). bad key [redacted], [redacted], [redacted], x?key=[redacted] and [redacted].",
    );
    expect(
      toFault(said(400, "token hushhushhush"), { ...provider, headers: { a: "hushhushhush" } }, "m").message,
    ).toContain("token [redacted]");
  });

  const letters = [..."abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-_.~+/=%&?#:@\"\\' \n\t"];
  const secret = fc
    .string({ unit: fc.constantFrom(...letters), minLength: 6, maxLength: 60 })
    .filter((value) => value.trim().length >= 6 && !/^[a-z]+\/[a-z+.-]+$/i.test(value));
  const around = fc.string({ unit: fc.constantFrom(..."xyz \n"), maxLength: 600 });

  test("says no key, no name, no password and no query, wherever they stand and however they are written", () => {
    fc.assert(
      fc.property(secret, around, around, fc.nat(4), fc.boolean(), (value, before, after, place, isThrown) => {
        const written = encodeURIComponent(value);
        const places: readonly Partial<Provider>[] = [
          { apiKey: value },
          { headers: { "x-token": value } },
          { baseUrl: `https://${written}:x@a.example/v1` },
          { baseUrl: `https://x:${written}@a.example/v1` },
          { baseUrl: `https://a.example/v1?sig=${written}` },
        ];
        const at = { ...provider, ...places[place] };
        const sentence = `${before}${value}${after}${written} ${JSON.stringify(value)} ${at.baseUrl}`;
        const thrown = isThrown ? new TypeError(sentence) : said(404, sentence, { code: value });
        const { message, cause } = toFault(thrown, at, "m");
        const told = [message, ...Object.values(cause as object).map(String)];
        for (const one of told) {
          for (const form of [value, value.trim(), value.trim().replace(/\s+/g, " "), written]) {
            expect(one.includes(form)).toBe(false);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test("hides a key that would be cut in two", () => {
    const found = toFault(
      said(400, `${"x".repeat(490)} hush-hush-hush-hush`),
      { ...provider, apiKey: "hush-hush-hush-hush" },
      "m",
    );
    expect(JSON.stringify(found)).not.toContain("hush");
  });

  test("bounds what the provider says", () => {
    const found = toFault(said(400, "x".repeat(5_000)), provider, "gpt-x");
    expect(found.message.length).toBeLessThan(560);
  });

  test("says that a key is missing, and where it is wanted", () => {
    expect(missingKey(provider)).toEqual({
      kind: "auth",
      message: "OpenAI needs a key: set OPENAI_API_KEY.",
      retryable: false,
    });
    expect(badKey(provider)).toEqual({
      kind: "auth",
      message:
        "The key in OPENAI_API_KEY is not used: it has white space in it, or letters that no key has. Set OPENAI_API_KEY again.",
      retryable: false,
    });
    const elsewhere = { ...provider, apiKey: undefined, needsKey: false, baseUrl: "http://gateway.example:8080/v1" };
    expect(toFault(said(401, "No auth"), elsewhere, "m").message).toBe(
      "OpenAI at gateway.example:8080 wants a key (401), and there is none: set OPENAI_API_KEY. No auth.",
    );
  });

  test("asks for the server where nobody listens on this machine", () => {
    const local = { ...provider, name: "Ollama", baseUrl: "http://127.0.0.1:11434/v1" };
    expect(toFault(broken("ECONNREFUSED"), local, "m").message).toBe(
      "Nothing answers at 127.0.0.1:11434 (ECONNREFUSED): is the server running?",
    );
  });
});
