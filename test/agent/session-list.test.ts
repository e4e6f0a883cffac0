// The list of sessions: names, pages, folders.

import { memoryStore } from "@agentao/agent";
import { expect, test } from "vitest";
import { text } from "../../packages/agent/src/model/script.ts";
import { connectScripted, NOON } from "./connect-scripted.ts";
import { errorOf, only } from "./seen.ts";

test("a session is called by the first line of its first prompt", async () => {
  await using scripted = await connectScripted({ script: [[text("ok")], [text("ok")]] });
  const sessionId = await scripted.open();

  const first = await scripted.prompt(sessionId, `\n  ${"long ".repeat(40)}\nsecond line`);
  const second = await scripted.prompt(sessionId, "other");

  const title = `${"long ".repeat(16).slice(0, 79)}…`;
  expect(only(first.updates, "session_info_update")).toEqual([{ sessionUpdate: "session_info_update", title }]);
  expect(only(second.updates, "session_info_update")).toEqual([]);
});

test("lists what was prompted, newest first, by page and by folder (C-175 … C-179)", async () => {
  let now = NOON;
  await using scripted = await connectScripted({ store: memoryStore({ now: () => now }) });
  const { client, cwd } = scripted;
  const other = await scripted.folder("other");
  await scripted.open();
  for (let at = 0; at < 60; at++) {
    now = NOON + at * 1_000;
    await scripted.prompt(
      await scripted.open({ cwd: at === 7 ? other : cwd, additionalDirectories: [other] }),
      "/help",
    );
  }

  const page = await client.listSessions({ cwd });
  const rest = await client.listSessions({ cwd, cursor: page.nextCursor ?? null });

  expect(page.sessions[0]).toEqual({
    sessionId: "sess_61",
    cwd,
    title: "/help",
    updatedAt: "2026-01-02T12:00:59.000Z",
    additionalDirectories: [other],
  });
  expect([...page.sessions, ...rest.sessions].map(({ sessionId }) => sessionId)).toEqual(
    Array.from({ length: 60 }, (_, at) => `sess_${61 - at}`).filter((id) => id !== "sess_9"),
  );
  expect(rest.nextCursor).toBeUndefined();
  expect((await client.listSessions({ cwd: other })).sessions.map(({ sessionId }) => sessionId)).toEqual(["sess_9"]);
  expect(await client.listSessions({ cwd: "/nowhere" })).toEqual({ sessions: [] });
});

test("a cursor that is none of ours is refused (C-177)", async () => {
  await using scripted = await connectScripted();

  expect(await errorOf(scripted.client.listSessions({ cursor: "nonsense" }))).toEqual({
    code: -32602,
    message: "Invalid params: /cursor: this is no cursor of ours",
  });
});
