// The shorthand calls of our library, against the official SDK over real pipes: they send what the protocol wants, and
// answer what a caller wants.

import type { SessionNotification } from "@agentao/acp";
import { spawnAgent } from "@agentao/acp/node";
import { expect, test } from "vitest";
import { greeting } from "./every-method.ts";
import { heardBy, REPORT } from "./exchange.ts";
import { commandOf, root, runPair } from "./pair.ts";
import type { PartReport } from "./part.ts";
import { configOptions, modes } from "./samples.ts";
import { agentShorthand, clientShorthand, cwd, replay, sessionId } from "./shorthand.ts";

test("a client's calls become the protocol's, and their answers a caller's", async () => {
  const updates: SessionNotification[] = [];
  const update = (notification: SessionNotification): void => void updates.push(notification);
  await using client = await spawnAgent(commandOf("official-agent", "clientShorthand"), { update }, { cwd: root });

  expect(await client.initialize()).toEqual(greeting);
  await client.authenticate("login");
  expect(await client.newSession({ cwd })).toEqual({ sessionId, modes, configOptions });
  const sessions: string[] = [];
  for await (const session of client.allSessions({ cwd })) sessions.push(session.sessionId);
  expect(sessions).toEqual([sessionId, "sess-2"]);
  expect(await client.loadSession({ sessionId, cwd })).toEqual({ modes });
  expect(updates).toEqual(replay.map((one) => ({ sessionId, update: one })));
  expect(await client.resumeSession({ sessionId, cwd })).toEqual({ configOptions });
  await client.setMode(sessionId, "code");
  expect(await client.setConfigOption(sessionId, "model", "small")).toEqual({ configOptions });
  expect(await client.setConfigOption(sessionId, "web", true)).toEqual({ configOptions });
  const { text, stopReason } = await client.promptText(sessionId, "promptText");
  expect({ text, stopReason }).toEqual({ text: "Hello", stopReason: "end_turn" });
  const controller = new AbortController();
  const turn = client.prompt(sessionId, "prompt", { signal: controller.signal });
  for await (const _ of turn) controller.abort();
  expect(await turn.result).toMatchObject({ stopReason: "cancelled" });
  await client.closeSession(sessionId);
  await client.deleteSession(sessionId);
  await client.logout();

  const { heard, outcomes } = (await client.extRequest(REPORT, {})) as PartReport;
  expect(heard).toEqual({ ...heardBy("agent", clientShorthand), "session/cancel": [{ sessionId }] });
  expect(outcomes).toEqual({
    "permission without a handler": { result: { outcome: { outcome: "selected", optionId: "no" } } },
    "file without a handler": {
      error: {
        code: -32601,
        message: "Method not found: fs/read_text_file",
        data: { method: "fs/read_text_file" },
      },
    },
  });
});

test("an agent's calls become the protocol's, and their answers a caller's", async () => {
  const { client, stderr } = await runPair("official", "our", "agentShorthand");

  expect(client.outcomes.shorthand).toEqual({
    result: {
      text: "let a;",
      terminal: { id: "term-1", output: { output: "ok", truncated: false }, exit: { signal: "SIGTERM" } },
      permissions: [
        { optionId: "yes", name: "Allow", kind: "allow_once" },
        "not allowed",
        "not allowed",
        "not allowed",
      ],
      form: { action: "accept", content: { name: "Ada" } },
      page: "the client did not advertise elicitation.url, which elicitation/create needs",
    },
  });
  expect(client.heard).toEqual(heardBy("client", agentShorthand));
  expect(stderr).toBe("");
});
