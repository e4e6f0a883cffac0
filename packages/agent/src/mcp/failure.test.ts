import { expect, test } from "vitest";
import { Failure, oneLine, toFailure } from "./failure.ts";
import { NotSent } from "./wire.ts";

const error = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);

test.each([
  { name: "never sent", given: new NotSent("it has ended"), kind: "unsent", why: "it has ended" },
  { name: "no connection", given: error("Not connected"), kind: "unsent", why: "it is not connected" },
  {
    name: "nobody there",
    given: error("fetch failed", { cause: error("connect", { code: "ECONNREFUSED" }) }),
    kind: "unsent",
    why: "nobody listens there (ECONNREFUSED)",
  },
  {
    name: "nobody there, told by an event stream",
    given: error("SSE error: TypeError: fetch failed: connect ECONNREFUSED 127.0.0.1:1", {
      event: {},
      code: undefined,
    }),
    kind: "unsent",
    why: "nobody listens there (ECONNREFUSED)",
  },
  {
    name: "a broken pipe",
    given: error("fetch failed", { cause: error("reset", { code: "ECONNRESET" }) }),
    kind: "dropped",
    why: "the connection broke (ECONNRESET)",
  },
  {
    name: "closed",
    given: error("x", { code: "CONNECTION_CLOSED" }),
    kind: "dropped",
    why: "the connection was closed",
  },
  {
    name: "too slow",
    given: error("Request timed out", { code: "REQUEST_TIMEOUT" }),
    kind: "timeout",
    why: "Request timed out",
  },
  { name: "no token", given: error("x", { name: "UnauthorizedError" }), kind: "auth", why: "it wants authorization" },
  {
    name: "a bad token",
    given: error("x", { data: { status: 403 } }),
    kind: "auth",
    why: "it refuses our credentials (HTTP 403): check its headers, or sign in",
  },
  {
    name: "a lost session",
    given: error("x", { data: { status: 404 } }),
    kind: "unsent",
    why: "it does not know this address or session (HTTP 404)",
  },
  {
    name: "a lost session, otherwise told",
    given: error('Error POSTing to endpoint: {"error":{"message":"No valid session ID"}}', { data: { status: 400 } }),
    kind: "unsent",
    why: "HTTP 400: No valid session ID",
  },
  {
    name: "an error of the server",
    given: error("Error POSTing to endpoint (HTTP 500): oops"),
    kind: "refused",
    why: "HTTP 500: oops",
  },
  {
    name: "an answer that is an error",
    given: error("no such tool", { code: -32602 }),
    kind: "refused",
    why: "no such tool (error -32602, invalid parameters)",
  },
  {
    name: "an answer that is an error of its own",
    given: error("too many", { code: -32042 }),
    kind: "refused",
    why: "too many (error -32042)",
  },
  { name: "an answer without a telling code", given: error("no", { code: -32000 }), kind: "refused", why: "no" },
  { name: "what is no error", given: "odd", kind: "refused", why: "odd" },
])("knows $name", ({ given, kind, why }) => {
  expect(toFailure(given)).toMatchObject({ kind, message: why });
});

test("keeps what is a failure already", () => {
  const failure = new Failure("timeout", "late");

  expect(toFailure(failure)).toBe(failure);
});

test("makes one short line of whatever a server sends", () => {
  expect(oneLine("<html>\n\n  <body>")).toBe("<html> <body>");
  expect(oneLine("x".repeat(5_000))).toHaveLength(601);
});
