// Our library and the official SDK understand each other over real pipes, in both directions: every method of the
// released protocol, every kind of update and content, every way in which a request can end.

import { createRequire } from "node:module";
import { methods } from "@agentao/acp";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { everyMethod } from "./every-method.ts";
import { flatten, heardBy, otherSide, type RequestStep, type Side } from "./exchange.ts";
import { type Library, type PairRun, runPair } from "./pair.ts";
import type { Outcome } from "./part.ts";

interface Schema {
  readonly $defs: { readonly [name: string]: Definition };
}

interface Definition {
  readonly "x-method"?: string;
  readonly oneOf?: readonly Variant[];
  readonly anyOf?: readonly Variant[];
}

interface Variant {
  readonly properties: { readonly [tag: string]: { readonly const?: string } };
}

const schema: Schema = createRequire(import.meta.url)("@agentclientprotocol/sdk/schema/v1/schema.json");
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(schema, "acp");

const pairs: readonly (readonly [client: Library, agent: Library])[] = [
  ["our", "official"],
  ["official", "our"],
];
const steps = flatten(everyMethod);
const requests = steps.flatMap(({ by, step }) => (step.type === "request" ? [{ by, step }] : []));

const noMethod = { method: "_example.com/nobody" };

/** What each library itself answers when no handler does, by who was asked. */
const ownAnswers: Record<Library, { readonly [title: string]: Outcome }> = {
  our: {
    "a session is refused before the handshake": refusal(-32600, "Invalid request: initialize comes first"),
    "a handler of the client breaks": refusal(-32603, "Internal error: disk on fire"),
    "a handler of the agent breaks": refusal(-32603, "Internal error: disk on fire"),
    "a method the client does not have is not found": refusal(
      -32601,
      "Method not found: _example.com/nobody",
      noMethod,
    ),
    "a method the agent does not have is not found": refusal(-32601, "Method not found: _example.com/nobody", noMethod),
    "params that do not fit are refused by the client": refusal(-32602, "Invalid params: /path: expected a string"),
    "params that do not fit are refused by the agent": refusal(-32602, "Invalid params: /prompt: expected an array"),
    "a request of the agent is withdrawn": refusal(-32800, "Request cancelled"),
    "a request of the client is withdrawn": refusal(-32800, "Request cancelled"),
    "a prompt is withdrawn": { result: { stopReason: "cancelled" } },
  },
  official: {
    "a session is refused before the handshake": refusal(
      -32600,
      "Invalid request: ACP connection must be initialized before 'session/new'",
    ),
    "a handler of the client breaks": refusal(-32603, "Internal error", { details: "disk on fire" }),
    "a handler of the agent breaks": refusal(-32603, "Internal error", { details: "disk on fire" }),
    "a method the client does not have is not found": refusal(
      -32601,
      '"Method not found": _example.com/nobody',
      noMethod,
    ),
    "a method the agent does not have is not found": refusal(
      -32601,
      '"Method not found": _example.com/nobody',
      noMethod,
    ),
    "params that do not fit are refused by the client": refusal(-32602, "Invalid params", {
      _errors: [],
      path: { _errors: ["Invalid input: expected string, received number"] },
      content: { _errors: ["Invalid input: expected string, received undefined"] },
    }),
    "params that do not fit are refused by the agent": refusal(-32602, "Invalid params", {
      _errors: [],
      prompt: { _errors: ["Invalid input: expected array, received string"] },
    }),
    "a request of the agent is withdrawn": refusal(-32800, "Request cancelled", { requestId: expect.any(Number) }),
    "a request of the client is withdrawn": refusal(-32800, "Request cancelled", { requestId: expect.any(Number) }),
    "a prompt is withdrawn": refusal(-32800, "Request cancelled", { requestId: expect.any(Number) }),
  },
};

describe.each(pairs)("%s client, %s agent", (client, agent) => {
  const libraries: Record<Side, Library> = { client, agent };
  let run: PairRun;

  beforeAll(async () => {
    run = await runPair(client, agent, "everyMethod");
  }, 30_000);

  for (const side of ["agent", "client"] as const) {
    test.each(Object.entries(heardBy(side, everyMethod)))(
      `the ${side} hears %s as the other side said it`,
      (method, params) => {
        expect(run[side].heard[method]).toEqual(params);
      },
    );

    test(`the ${side} hears nothing else`, () => {
      expect(Object.keys(run[side].heard).sort()).toEqual(Object.keys(heardBy(side, everyMethod)).sort());
    });
  }

  for (const { by, step } of requests) {
    const asked = libraries[otherSide(by)];
    test(step.title, () => {
      expect(run[by].outcomes[step.title]).toEqual(expectedOutcome(step, asked));
    });
  }

  test("every method of the protocol reaches the side it is for", () => {
    const missing = Object.values(methods).flatMap(({ method, side }) =>
      (side === "both" ? (["agent", "client"] as const) : [side])
        .filter((one) => !(method in run[one].heard))
        .map((one) => `${method} at the ${one}`),
    );

    expect(missing).toEqual([]);
  });

  test("our library reports the handler that breaks and the notification nobody hears, and nothing else", () => {
    const reports = (side: Side) => [
      `the handler of _example.com/${side} failed: disk on fire`,
      "no handler for _example.com/nobody",
    ];

    expect([run.client.diagnostics, run.agent.diagnostics]).toEqual([
      client === "our" ? reports("client") : [],
      agent === "our" ? reports("agent") : [],
    ]);
  });

  test("the agent's process ends by itself with its input, and nobody has complained", () => {
    expect({ exit: run.exit, stderr: run.stderr }).toEqual({ exit: { exitCode: 0, signal: null }, stderr: "" });
  });
});

describe("the script", () => {
  const told = steps.flatMap(({ step }) => (step.method === "session/update" ? [step.params as Tagged] : []));
  const prompted = requests.flatMap(({ step }) => (step.method === "session/prompt" ? [step.params as Prompt] : []));
  const answered = requests.map(({ step }) => (step.answer as { result?: unknown }).result as Tagged | undefined);

  test.each([
    ["SessionUpdate", "sessionUpdate", told.map(({ update }) => update)],
    ["ContentBlock", "type", prompted.flatMap(({ prompt }) => prompt)],
    ["ToolCallContent", "type", told.flatMap(({ update }) => (update?.content ?? []) as Tagged[])],
    ["RequestPermissionOutcome", "outcome", answered.map((result) => result?.outcome)],
    ["CreateElicitationResponse", "action", answered],
  ])("has every kind of %s that the schema knows", (definition, tag, values) => {
    const kinds = new Set(values.map((value) => (value as Tagged | undefined)?.[tag]));

    expect(kindsOf(definition, tag).filter((kind) => !kinds.has(kind))).toEqual([]);
  });

  // The official SDK checks the params it receives, but not the results.
  test("has only params and results that fit the schema", () => {
    const misfits = steps.flatMap(({ step }) => {
      if (step.type === "notification") return misfit(step.method, "Notification", step.params);
      const result = "result" in step.answer ? misfit(step.method, "Response", step.answer.result ?? {}) : [];
      return step.answer.type === "refusal" ? [] : [...misfit(step.method, "Request", step.params), ...result];
    });

    expect(misfits).toEqual([]);
  });
});

interface Tagged {
  readonly update?: Tagged;
  readonly [field: string]: unknown;
}

interface Prompt {
  readonly prompt: readonly unknown[];
}

function refusal(code: number, message: string, data?: unknown): Outcome {
  return { error: { code, message, data } };
}

function expectedOutcome({ title, answer }: RequestStep, asked: Library): Outcome | undefined {
  switch (answer.type) {
    case "result":
    case "cancelled-turn":
      return { result: answer.result === undefined ? {} : answer.result };
    case "error":
      return { error: answer.error };
    case "crash":
    case "refusal":
    case "withdrawal":
      return ownAnswers[asked][title];
  }
}

/** The tags a union of the official schema lists. */
function kindsOf(definition: string, tag: string): string[] {
  const { oneOf, anyOf } = schema.$defs[definition] ?? {};
  return (oneOf ?? anyOf ?? []).flatMap(({ properties }) => properties[tag]?.const ?? []);
}

/** What the official schema has against a value; nothing when it is outside the protocol. */
function misfit(method: string, part: "Request" | "Response" | "Notification", value: unknown): string[] {
  const [name] = Object.keys(schema.$defs).filter(
    (one) => schema.$defs[one]?.["x-method"] === method && one.endsWith(part),
  );
  if (name === undefined && method.startsWith("_")) return [];
  const fits = ajv.getSchema(`acp#/$defs/${name}`);
  return fits?.(value) === true ? [] : [`${method} ${part}: ${ajv.errorsText(fits?.errors)}`];
}
