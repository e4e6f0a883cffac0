import { AcpAgent, AcpClient, type AgentHandlers, memoryPair, RpcError } from "@agentao/acp";
import { expect, test } from "vitest";
import { NoSession, type SessionWish } from "./front.ts";
import { openSession } from "./open-session.ts";

const listed = [
  { sessionId: "sess_aa1", cwd: "/one", updatedAt: "2026-01-01T00:00:00Z" },
  { sessionId: "sess_ab2", cwd: "/two", updatedAt: "2026-01-03T00:00:00Z" },
  { sessionId: "sess_ab3", cwd: "/two", updatedAt: "2026-01-02T00:00:00Z" },
];
const modes = { currentModeId: "plan", availableModes: [{ id: "plan", name: "Plan" }] };

const all: AgentHandlers = {
  newSession: ({ cwd }) => ({ sessionId: `new in ${cwd}`, modes }),
  listSessions: ({ cwd }) => ({ sessions: listed.filter((session) => cwd == null || session.cwd === cwd) }),
  resumeSession: ({ sessionId, cwd }) => {
    if (!listed.some((session) => session.sessionId === sessionId)) throw RpcError.resourceNotFound("gone");
    return { _meta: { cwd } };
  },
  prompt: () => ({ stopReason: "end_turn" }),
};

async function open(handlers: AgentHandlers, wish: SessionWish, { isCwdGiven = false } = {}) {
  const [ours, theirs] = memoryPair();
  await using agent = new AcpAgent(theirs, handlers);
  await using client = new AcpClient(ours);
  await client.initialize();
  const { signal } = new AbortController();
  const { sessionId, cwd } = await openSession(client, wish, { cwd: "/two", isCwdGiven, signal });
  expect(agent).toBeDefined();
  return { sessionId, cwd };
}

test.each<[string, SessionWish, object]>([
  ["a new one", { type: "new" }, { sessionId: "new in /two", cwd: "/two" }],
  ["the newest of the folder", { type: "newest" }, { sessionId: "sess_ab2", cwd: "/two" }],
  ["one by its id, where it worked", { type: "stored", id: "sess_aa1" }, { sessionId: "sess_aa1", cwd: "/one" }],
  ["one by the beginning of its id", { type: "stored", id: "sess_aa" }, { sessionId: "sess_aa1", cwd: "/one" }],
  ["one by the beginning of what is its own", { type: "stored", id: "aa" }, { sessionId: "sess_aa1", cwd: "/one" }],
])("opens %s", async (_, wish, expected) => {
  expect(await open(all, wish)).toEqual(expected);
});

test("opens a stored session in the folder that was named", async () => {
  const wish: SessionWish = { type: "stored", id: "sess_aa1" };
  expect(await open(all, wish, { isCwdGiven: true })).toEqual({ sessionId: "sess_aa1", cwd: "/two" });
});

test("loads what cannot be resumed, and asks for an id that cannot be looked up", async () => {
  const { newSession, prompt } = all;
  const handlers: AgentHandlers = { newSession, prompt, loadSession: () => ({}) };
  expect(await open(handlers, { type: "stored", id: "x" })).toEqual({ sessionId: "x", cwd: "/two" });
});

test.each<[string, AgentHandlers, SessionWish, string]>([
  ["one that is not there", all, { type: "stored", id: "sess_zz" }, 'there is no session "sess_zz"'],
  ["one of several", all, { type: "stored", id: "ab" }, 'more than one session begins with "ab"'],
  ["the newest of none", { ...all, listSessions: () => ({ sessions: [] }) }, { type: "newest" }, "no session in /two"],
  ["the newest of a secret", { newSession: all.newSession, prompt: all.prompt }, { type: "newest" }, "cannot list"],
  [
    "one of an agent that forgets",
    { newSession: all.newSession, prompt: all.prompt },
    { type: "stored", id: "x" },
    "cannot go on",
  ],
])("says why there is not %s", async (_, handlers, wish, problem) => {
  const failure = await open(handlers, wish).catch((cause: unknown) => cause);
  expect(failure).toBeInstanceOf(NoSession);
  expect((failure as Error).message).toContain(problem);
});
