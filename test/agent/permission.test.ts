// Who is asked before a call runs, what they are asked, and what each answer means.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { RpcError } from "@agentao/acp";
import { expect, test } from "vitest";
import { call, text } from "../../packages/agent/src/model/script.ts";
import { parseRules } from "../../packages/agent/src/permission/rule.ts";
import { connectScripted, type Scripted, type ScriptedSetup } from "./connect-scripted.ts";
import { only, toldOf } from "./seen.ts";
import { fetchTool } from "./tools.ts";

type Ask = NonNullable<NonNullable<ScriptedSetup["handlers"]>["requestPermission"]>;

const shell = (command: string) => call("run_shell_command", { command });

function choose(optionId: string): Ask {
  return () => ({ outcome: { outcome: "selected", optionId } });
}

function made({ cwd }: Scripted, name = "made"): boolean {
  return existsSync(join(cwd, name));
}

test("asks with options whose ids begin with their kinds, about the call as it was announced (C-232, C-233, Z-10)", async () => {
  await using scripted = await connectScripted({ script: [[shell("npm test -- --watch")], [text("ok")]] });

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  const toolCall = {
    toolCallId: "call_1",
    title: "npm test -- --watch",
    name: "run_shell_command",
    kind: "execute",
    status: "pending",
    rawInput: { command: "npm test -- --watch" },
  };
  expect(scripted.asked).toEqual([
    {
      sessionId: "sess_1",
      toolCall,
      options: [
        { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
        { optionId: "allow_always", name: "Always allow `npm test …`", kind: "allow_always" },
        {
          optionId: "allow_always_exact",
          name: "Always allow exactly `npm test -- --watch`",
          kind: "allow_always",
        },
        { optionId: "reject_once", name: "Reject once", kind: "reject_once" },
        { optionId: "reject_always", name: "Always reject `npm test`", kind: "reject_always" },
      ],
    },
  ]);
  expect(only(updates, "tool_call")).toEqual([{ sessionUpdate: "tool_call", ...toolCall }]);
});

test("a write that has to be asked for comes with its diff and its place", async () => {
  const input = { file_path: ".git/hooks/pre-commit", content: "#!/bin/sh\n" };
  await using scripted = await connectScripted({ script: [[call("write_file", input)], [text("ok")]] });

  await scripted.prompt(await scripted.open(), "go");

  const path = join(scripted.cwd, ".git/hooks/pre-commit");
  expect(scripted.asked.map(({ toolCall }) => toolCall)).toEqual([
    {
      toolCallId: "call_1",
      title: "Write .git/hooks/pre-commit",
      name: "write_file",
      kind: "edit",
      status: "pending",
      rawInput: input,
      locations: [{ path }],
      content: [{ type: "diff", path, oldText: null, newText: "#!/bin/sh\n" }],
    },
  ]);
});

test.each<readonly [string, Ask, boolean]>([
  ["allow_once", choose("allow_once"), true],
  ["allow_always", choose("allow_always"), true],
  ["the alias allow", choose("allow"), true],
  ["reject_once", choose("reject_once"), false],
  ["reject_always", choose("reject_always"), false],
  ["the alias reject", choose("reject"), false],
  ["an option nobody offered", choose("yes please"), false],
  ["__proto__", choose("__proto__"), false],
  ["cancelled", () => ({ outcome: { outcome: "cancelled" } }), false],
  ["null", () => null as never, false],
  ["an outcome nobody knows", () => ({ outcome: { outcome: "maybe" } }) as never, false],
  ["the option beside the outcome", () => ({ outcome: "selected", optionId: "allow_once" }) as never, false],
  ["an error", () => Promise.reject(RpcError.internal("no window")), false],
  ["-32601", () => Promise.reject(RpcError.methodNotFound("session/request_permission")), false],
])("answered by %s (C-234, C-235, Z-10)", async (_, requestPermission, runs) => {
  await using scripted = await connectScripted({
    script: [[shell("touch made")], [text("ok")]],
    handlers: { requestPermission },
  });

  const seen = await scripted.prompt(await scripted.open(), "go");

  expect(seen).toMatchObject({ stopReason: "end_turn", text: "ok" });
  expect(made(scripted)).toBe(runs);
  expect(only(seen.updates, "tool_call_update").map(({ status }) => status)).toEqual(
    runs ? ["in_progress", "completed"] : ["failed"],
  );
});

test("a client that goes while it is asked has not allowed anything (C-235)", async () => {
  await using scripted = await connectScripted({
    script: [[shell("touch made")], [text("ok")]],
    handlers: { requestPermission: () => new Promise<never>(() => {}) },
  });
  const sessionId = await scripted.open();

  const turn = scripted.prompt(sessionId, "go").catch((cause: Error) => cause.message);
  await scripted.until(() => scripted.asked.length === 1);
  await scripted.client.close();
  await scripted.runtime.close();

  expect(await turn).toBe("the connection was closed on this side");
  expect(made(scripted)).toBe(false);
});

test("tells the model that a call was denied, and goes on with the others", async () => {
  await using scripted = await connectScripted({
    script: [
      [shell("touch made"), call("list_directory"), call("write_file", { file_path: "b", content: "b" })],
      [text("ok")],
    ],
  });

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  expect(scripted.model.asked[1]?.messages.slice(2)).toEqual([
    {
      role: "result",
      callId: "call_1",
      name: "run_shell_command",
      failed: true,
      parts: [
        {
          type: "text",
          text:
            "Denied: run_shell_command (touch made) was not run, because the person rejected it. Do not try it again, " +
            "reword it or reach the same end another way. Go on without it, or tell the user what you would need.",
        },
      ],
    },
    expect.objectContaining({ callId: "call_2", failed: false }),
    expect.objectContaining({ callId: "call_3", failed: false }),
  ]);
  expect(only(updates, "tool_call_update").map(({ toolCallId, status }) => `${toolCallId} ${status}`)).toEqual([
    "call_1 failed",
    "call_2 in_progress",
    "call_2 completed",
    "call_3 in_progress",
    "call_3 completed",
  ]);
  // The person reads why, not what a model should do about it.
  expect(only(updates, "tool_call_update")[0]).toMatchObject({
    content: [{ content: { text: "Not run: the person rejected it." } }],
    _meta: { "_agentao.cn/denial": { by: "person", because: "the person rejected it" } },
  });
});

test("always is for this command, not for the tool (C-236)", async () => {
  await using scripted = await connectScripted({
    script: [[shell("mkdir -p a")], [shell("mkdir b")], [shell("touch c")], [text("ok")]],
    answer: "allow_always",
  });

  await scripted.prompt(await scripted.open(), "go");

  expect(scripted.asked.map(({ toolCall }) => toolCall.title)).toEqual(["mkdir -p a", "touch c"]);
});

test("always reject is remembered, too (C-236)", async () => {
  await using scripted = await connectScripted({
    script: [[shell("touch made")], [shell("touch made; true")], [text("ok")]],
    answer: "reject_always",
  });

  await scripted.prompt(await scripted.open(), "go");

  expect(scripted.asked).toHaveLength(1);
  expect(made(scripted)).toBe(false);
});

test("always is for this session, and ends with it (C-236, Z-10)", async () => {
  await using scripted = await connectScripted({
    script: Array.from({ length: 4 }, () => [[shell("mkdir -p a")], [text("ok")]]).flat(),
    answer: "allow_always",
  });
  const { client, cwd } = scripted;
  const first = await scripted.open();
  const second = await scripted.open();

  await scripted.prompt(first, "one");
  await scripted.prompt(first, "two");
  await scripted.prompt(second, "three");
  await client.closeSession(first);
  await client.loadSession({ sessionId: first, cwd });
  await scripted.prompt(first, "four");

  expect(scripted.asked.map(({ sessionId }) => sessionId)).toEqual([first, second, first]);
});

test("always settles what waits, and takes the question back (C-214)", async () => {
  let answer = (): void => {};
  await using scripted = await connectScripted({
    script: [
      [call("fetch_page", { url: "https://a.test/1" }), call("fetch_page", { url: "https://a.test/2" })],
      [text("ok")],
    ],
    runtime: { tools: [fetchTool()] },
    handlers: {
      requestPermission: ({ toolCall }) =>
        new Promise((resolve) => {
          if (toolCall.toolCallId === "call_1")
            answer = () => resolve({ outcome: { outcome: "selected", optionId: "allow_always" } });
        }),
    },
  });
  const sessionId = await scripted.open();

  const turn = scripted.prompt(sessionId, "go");
  await scripted.until(() => scripted.asked.length === 2);
  await scripted.client.listSessions();
  answer();

  expect((await turn).stopReason).toBe("end_turn");
  expect(scripted.model.asked[1]?.messages.slice(2).map(({ parts }) => parts[0])).toEqual([
    { type: "text", text: "fetched https://a.test/1" },
    { type: "text", text: "fetched https://a.test/2" },
  ]);
  expect(scripted.calls).toEqual(["session/request_permission", "session/request_permission", "$/cancel_request"]);
});

test("a change of mode settles what waits", async () => {
  await using scripted = await connectScripted({
    script: [[shell("touch made")], [text("ok")]],
    handlers: { requestPermission: () => new Promise<never>(() => {}) },
  });
  const sessionId = await scripted.open();

  const turn = scripted.prompt(sessionId, "go");
  await scripted.until(() => scripted.asked.length === 1);
  await scripted.client.setMode(sessionId, "full-access");

  expect((await turn).stopReason).toBe("end_turn");
  expect(made(scripted)).toBe(true);
});

test("every decision is written down with what was asked, the rule and the answer", async () => {
  await using scripted = await connectScripted({
    script: [[call("run_shell_command", { command: "npm test -- --watch" }), call("list_directory")], [text("Done.")]],
    answer: "allow_always_exact",
  });
  const sessionId = await scripted.open();
  await scripted.prompt(sessionId, "Go.");
  await scripted.client.closeSession(sessionId);

  const opened = await scripted.store.open(sessionId as never);
  if (opened.type !== "opened") throw new Error(opened.type);
  const entries = [];
  for await (const chunk of opened.entries()) entries.push(...chunk);
  opened.journal.close();
  const decisions = entries.flatMap((entry) => (entry.type === "decision" ? [entry] : []));
  expect(decisions).toMatchObject([
    {
      allowed: true,
      by: "person",
      tool: "run_shell_command",
      request: expect.stringContaining("npm test -- --watch"),
      rule: "mode workspace-write",
      answer: "allow_always_exact",
    },
    { allowed: true, by: "rule", tool: "list_directory", rule: "mode workspace-write" },
  ]);
});

test("a rule about an input finds it under whatever name the model gave it", async () => {
  const { rules } = parseRules(
    JSON.stringify({ rules: [{ tool: "run_shell_command", args: { command: "^ls" }, action: "deny" }] }),
    { source: "rules", scope: "user" },
  );
  await using scripted = await connectScripted({
    script: [[call("run_shell_command", { cmd: "ls" })], [text("Done.")]],
    runtime: { config: async () => ({ env: {}, rules }) },
  });
  await scripted.prompt(await scripted.open(), "Go.");
  expect(toldOf(scripted)).toContain("Denied");
});
