import { describe, expect, test } from "vitest";
import { type AnswerOption, type Asker, createGate, type GateOptions } from "./gate.ts";
import type { PermissionRequest, Verdict } from "./request.ts";
import { parseRules } from "./rule.ts";

const ROOT = "/repo/app";
const TOOL = "run_shell_command";

function run(command: string): PermissionRequest {
  return {
    callId: "call_1" as PermissionRequest["callId"],
    tool: TOOL,
    input: { command },
    effect: { type: "command", command, cwd: ROOT },
    title: command,
    kind: "execute",
    locations: [],
    content: [],
  };
}

interface Asked {
  readonly request: PermissionRequest;
  readonly options: readonly AnswerOption[];
  readonly signal: AbortSignal;
  answer(id: string | undefined): void;
}

/** An asker whose questions a test answers by hand. */
function person(): { ask: Asker; next(): Promise<Asked>; readonly asked: Asked[] } {
  const asked: Asked[] = [];
  const heard: (() => void)[] = [];
  let taken = 0;
  return {
    asked,
    ask: (request, options, signal) =>
      new Promise((resolve) => {
        asked.push({ request, options, signal, answer: resolve });
        heard.shift()?.();
      }),
    next: async () => {
      if (asked.length <= taken) await new Promise<void>((resolve) => heard.push(resolve));
      return asked[taken++] as Asked;
    },
  };
}

const open = (ask: Asker, more: Partial<GateOptions> = {}) => createGate({ roots: [ROOT], ask, ...more });
const never = new AbortController().signal;
const nobody: Asker = async () => undefined;

const told = (command: string, because: string): string =>
  `Denied: run_shell_command (${command}) was not run, because ${because}. Do not try it again, reword it or reach the same end another way. Go on without it, or tell the user what you would need.`;

const ASKS = "mode workspace-write";

const denied = (
  by: Verdict["by"],
  command: string,
  because: string,
  more: Pick<Verdict, "rule" | "answer"> = { rule: ASKS },
): Verdict => ({ type: "denied", by, because, told: told(command, because), tool: TOOL, request: command, ...more });

const allowed = (
  by: Verdict["by"],
  command: string,
  because: string,
  more: Pick<Verdict, "rule" | "answer"> = { rule: ASKS },
): Verdict => ({ type: "allowed", by, because, tool: TOOL, request: command, ...more });

test("what policy decides is not asked", async () => {
  const { ask, asked } = person();
  const gate = open(ask);
  expect(await gate.ask(run("git status"), never)).toEqual(
    allowed("rule", "git status", "it changes nothing, which workspace-write mode allows"),
  );
  expect(await gate.ask(run("rm -rf /"), never)).toEqual(
    denied("rule", "rm -rf /", "hardline: deletes a system folder (/)", { rule: "hardline" }),
  );
  expect(asked).toEqual([]);
});

test("a question offers what it would mean", async () => {
  const { ask, next } = person();
  const gate = open(ask);
  const verdict = gate.ask(run("npm test"), never);
  const question = await next();
  expect(question.options).toEqual([
    { id: "allow_once", kind: "allow_once", name: "Allow once" },
    { id: "allow_always", kind: "allow_always", name: "Always allow `npm test …`" },
    { id: "allow_always_exact", kind: "allow_always", name: "Always allow exactly `npm test`" },
    { id: "reject_once", kind: "reject_once", name: "Reject once" },
    { id: "reject_always", kind: "reject_always", name: "Always reject `npm test`" },
  ]);
  question.answer("allow_once");
  expect(await verdict).toEqual(
    allowed(
      "person",
      "npm test",
      "the person allowed it (workspace-write mode asks before a command that may change something)",
      { rule: ASKS, answer: "allow_once" },
    ),
  );
});

test("a question offers the stem first and the line second", async () => {
  const { ask, next, asked } = person();
  const gate = open(ask);
  const first = gate.ask(run("npm test -- --run x"), never);
  const question = await next();
  expect(question.options).toEqual([
    { id: "allow_once", kind: "allow_once", name: "Allow once" },
    { id: "allow_always", kind: "allow_always", name: "Always allow `npm test …`" },
    { id: "allow_always_exact", kind: "allow_always", name: "Always allow exactly `npm test -- --run x`" },
    { id: "reject_once", kind: "reject_once", name: "Reject once" },
    { id: "reject_always", kind: "reject_always", name: "Always reject `npm test`" },
  ]);
  question.answer("allow_always_exact");
  expect(await first).toMatchObject({ type: "allowed", by: "person", answer: "allow_always_exact" });
  expect(await gate.ask(run("npm test -- --run x"), never)).toEqual(
    allowed(
      "grant",
      "npm test -- --run x",
      "the person said to always allow exactly `npm test -- --run x` in this session",
      { rule: "grant: exactly `npm test -- --run x`" },
    ),
  );
  const other = gate.ask(run("npm test"), never);
  (await next()).answer("reject_once");
  expect((await other).type).toBe("denied");
  expect(asked.length).toBe(2);
});

test("a width that was not offered allows nothing", async () => {
  const gate = open(async () => "allow_always_folder");
  expect(await gate.ask(run("npm test -- x"), never)).toEqual(denied("person", "npm test -- x", "nobody allowed it"));
});

test("what was asked for is kept short and without secrets", async () => {
  const { request } = await open(nobody).ask(
    run(`curl -H 'Authorization: Bearer abcdefghijkl' ${"x".repeat(900)}`),
    never,
  );
  expect(request?.slice(0, 50)).toBe("curl -H 'Authorization: [redacted]' xxxxxxxxxxxxxx");
  expect(request?.length).toBe(500);
});

test("what cannot be told has no always to allow", async () => {
  const { ask, next } = person();
  const gate = open(ask);
  const verdict = gate.ask(run("$CMD"), never);
  const question = await next();
  expect(question.options.map(({ kind }) => kind)).toEqual(["allow_once", "reject_once", "reject_always"]);
  question.answer("allow_always");
  expect((await verdict).type).toBe("allowed");
  expect(question.signal.aborted).toBe(false);
  const again = gate.ask(run("$CMD"), never);
  (await next()).answer("reject_once");
  expect(await again).toEqual(
    denied("person", "$CMD", "the person rejected it", { rule: ASKS, answer: "reject_once" }),
  );
});

test("once is once", async () => {
  const { ask, next, asked } = person();
  const gate = open(ask);
  for (const kind of ["allow_once", "reject_once"] as const) {
    const verdict = gate.ask(run("npm test"), never);
    (await next()).answer(kind);
    expect((await verdict).type).toBe(kind === "allow_once" ? "allowed" : "denied");
  }
  expect(asked.length).toBe(2);
});

test("always is remembered, for the parts and not for the tool", async () => {
  const { ask, next, asked } = person();
  const gate = open(ask);
  const first = gate.ask(run("npm test"), never);
  (await next()).answer("allow_always");
  await first;
  expect(await gate.ask(run("npm test -- -t foo"), never)).toEqual(
    allowed("grant", "npm test -- -t foo", "the person said to always allow `npm test …` in this session", {
      rule: "grant: `npm test …`",
    }),
  );
  const other = gate.ask(run("npm publish"), never);
  (await next()).answer("reject_always");
  await other;
  expect(await gate.ask(run("npm publish --dry-run"), never)).toEqual(
    denied("grant", "npm publish --dry-run", "the person said to always reject `npm publish` in this session", {
      rule: "grant: `npm publish`",
    }),
  );
  expect(asked.length).toBe(2);
});

test("one answer settles every question it covers, and withdraws them", async () => {
  const { ask, next } = person();
  const gate = open(ask);
  const verdicts = ["npm test", "npm test -- -t foo", "npm publish"].map((line) => gate.ask(run(line), never));
  const [first, second, third] = [await next(), await next(), await next()];
  first.answer("allow_always");
  expect(await verdicts[0]).toMatchObject({ type: "allowed", by: "person" });
  expect(await verdicts[1]).toMatchObject({ type: "allowed", by: "grant" });
  expect(second.signal.aborted).toBe(true);
  expect(third.signal.aborted).toBe(false);
  second.answer("reject_always");
  third.answer("reject_once");
  expect(await verdicts[2]).toMatchObject({ type: "denied", by: "person" });
  expect(await gate.ask(run("npm test"), never)).toMatchObject({ type: "allowed", by: "grant" });
});

test("questions wait side by side", async () => {
  const { ask, next } = person();
  const gate = open(ask);
  const slow = gate.ask(run("npm test"), never);
  const quick = gate.ask(run("npm publish"), never);
  const [first, second] = [await next(), await next()];
  second.answer("allow_once");
  expect((await quick).type).toBe("allowed");
  first.answer("reject_once");
  expect((await slow).type).toBe("denied");
});

describe("nobody allowed it", () => {
  const refused = denied("person", "npm test", "nobody allowed it");

  test("when there is no answer", async () => {
    expect(await open(nobody).ask(run("npm test"), never)).toEqual(refused);
  });

  test("when the asker rejects", async () => {
    const ask: Asker = () => Promise.reject(new Error("gone"));
    expect(await open(ask).ask(run("npm test"), never)).toEqual(refused);
  });

  test("when the asker throws", async () => {
    const ask: Asker = () => {
      throw new Error("gone");
    };
    expect(await open(ask).ask(run("npm test"), never)).toEqual(refused);
  });

  test("when the answer is none of those offered", async () => {
    const ask: Asker = async () => "yes";
    expect(await open(ask).ask(run("npm test"), never)).toEqual(refused);
  });

  test("when the turn is cancelled while it waits, and a late answer changes nothing", async () => {
    const { ask, next, asked } = person();
    const gate = open(ask);
    const turn = new AbortController();
    const verdict = gate.ask(run("npm test"), turn.signal);
    const question = await next();
    turn.abort();
    expect(await verdict).toEqual(refused);
    expect(question.signal.aborted).toBe(true);
    question.answer("allow_always");
    const again = gate.ask(run("npm test"), never);
    (await next()).answer("reject_once");
    expect((await again).type).toBe("denied");
    expect(asked.length).toBe(2);
  });

  test("when the turn was cancelled before", async () => {
    const { ask, asked } = person();
    expect(await open(ask).ask(run("npm test"), AbortSignal.abort())).toEqual({ ...refused, rule: undefined });
    expect(asked).toEqual([]);
  });
});

describe("a change of mode", () => {
  test("decides what waits", async () => {
    const { ask, next } = person();
    const gate = open(ask);
    const verdict = gate.ask(run("npm test"), never);
    const question = await next();
    gate.setMode("full-access");
    expect(gate.mode).toBe("full-access");
    expect(await verdict).toEqual(
      allowed("rule", "npm test", "full-access mode allows everything", { rule: "mode full-access" }),
    );
    expect(question.signal.aborted).toBe(true);
  });

  test("to read-only refuses what waits", async () => {
    const { ask, next } = person();
    const gate = open(ask);
    const verdict = gate.ask(run("npm test"), never);
    await next();
    gate.setMode("read-only");
    expect(await verdict).toEqual(
      denied("rule", "npm test", "read-only mode allows nothing but looking", { rule: "mode read-only" }),
    );
  });

  test("leaves what it asks about, too", async () => {
    const { ask, next, asked } = person();
    const rules = parseRules('{"rules":[{"tool":"*","action":"ask"}]}', { source: "mine", scope: "user" }).rules;
    const gate = open(ask, { rules, mode: "read-only" });
    const verdict = gate.ask(run("ls"), never);
    const question = await next();
    gate.setMode("plan");
    expect(question.signal.aborted).toBe(false);
    question.answer("allow_once");
    expect((await verdict).type).toBe("allowed");
    expect(asked.length).toBe(1);
  });
});

test("what the person always allows ends where the mode refuses, and is there again after", async () => {
  const { ask, next } = person();
  const gate = open(ask);
  const first = gate.ask(run("npm test"), never);
  (await next()).answer("allow_always");
  await first;
  gate.setMode("plan");
  expect((await gate.ask(run("npm test"), never)).told).toBe(
    told("npm test", "this is plan mode: plan, and do not carry out"),
  );
  gate.setMode("workspace-write");
  expect((await gate.ask(run("npm test"), never)).type).toBe("allowed");
});

test("after close everything is denied, what waits first", async () => {
  const { ask, next, asked } = person();
  const gate = open(ask);
  const verdict = gate.ask(run("npm test"), never);
  const question = await next();
  gate.close();
  expect(await verdict).toEqual(denied("rule", "npm test", "the session is closed", { rule: "closed" }));
  expect(question.signal.aborted).toBe(true);
  expect(await gate.ask(run("ls"), never)).toEqual(denied("rule", "ls", "the session is closed", { rule: "closed" }));
  expect(asked.length).toBe(1);
});

test("a gate that closes while a question is on its way asks nobody", async () => {
  const { ask, asked } = person();
  const gate = open(ask);
  const verdict = gate.ask(run("npm test"), never);
  gate.close();
  expect((await verdict).type).toBe("denied");
  expect(asked).toEqual([]);
});

test("files with problems make a session careful", async () => {
  const { problems } = parseRules("{", { source: "mine", scope: "user" });
  const gate = open(nobody, { mode: "full-access", problems });
  expect((await gate.ask(run("npm test"), never)).type).toBe("denied");
  expect((await gate.ask(run("ls"), never)).type).toBe("allowed");
});

test("a gate begins in the mode it is given, in the default without one, and in read-only with nonsense", () => {
  expect(open(nobody).mode).toBe("workspace-write");
  expect(open(nobody, { mode: "plan" }).mode).toBe("plan");
  expect(open(nobody, { mode: "readonly" }).mode).toBe("read-only");
});

test("a long title is bounded in what the model is told", async () => {
  const line = `npm test ${"x".repeat(500)}`;
  const verdict = await open(nobody).ask(run(line), never);
  expect(verdict.told).toBe(told(`${line.slice(0, 199)}…`, "nobody allowed it"));
});
