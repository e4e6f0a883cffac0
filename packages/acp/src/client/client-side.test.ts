import { describe, expect, test } from "vitest";
import type { AgentHandlers, AgentOptions } from "../agent/agent-side.ts";
import { AcpAgent } from "../agent/agent-side.ts";
import { RpcError } from "../error/rpc-error.ts";
import { memoryPair } from "../stream/memory.ts";
import type { SessionUpdate } from "../v1/generated/type.ts";
import type { ClientHandlers, ClientOptions } from "./client-side.ts";
import { AcpClient } from "./client-side.ts";
import { MAX_UNREAD_UPDATES } from "./update-queue.ts";

const say = (text: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
});

async function connect(
  handlers: (agent: AcpAgent) => Partial<AgentHandlers>,
  clientHandlers: ClientHandlers = {},
  options: ClientOptions = {},
  agentOptions: AgentOptions = {},
) {
  const [left, right] = memoryPair();
  const agent = new AcpAgent(
    left,
    (self) => ({
      newSession: () => ({ sessionId: "s1" }),
      prompt: () => ({ stopReason: "end_turn" }),
      ...handlers(self),
    }),
    agentOptions,
  );
  const client = new AcpClient(right, clientHandlers, options);
  await client.initialize();
  return { agent, client };
}

describe("initialize", () => {
  test("C-250 C-251 sends the version, what its handlers add up to, and who it is", async () => {
    let seen: unknown;
    const handler = () => ({}) as never;
    await connect(
      () => ({
        initialize: (params) => {
          seen = params;
          return undefined;
        },
      }),
      {
        readTextFile: handler,
        createTerminal: handler,
        terminalOutput: handler,
        waitForTerminalExit: handler,
        killTerminal: handler,
        releaseTerminal: handler,
        createElicitation: handler,
      },
      { info: { name: "c", version: "1" }, capabilities: { elicitation: { url: {} }, session: { notices: {} } } },
    );
    expect(seen).toEqual({
      protocolVersion: 1,
      clientCapabilities: {
        fs: { readTextFile: true },
        terminal: true,
        elicitation: { form: {}, url: {} },
        session: { notices: {} },
      },
      clientInfo: { name: "c", version: "1" },
    });
  });

  test("does not advertise a terminal that lacks a method", async () => {
    let seen: { clientCapabilities?: unknown } = {};
    const initialize = (params: typeof seen) => {
      seen = params;
      return undefined;
    };
    await connect(() => ({ initialize }), { createTerminal: () => ({ terminalId: "t" }) });
    expect(seen.clientCapabilities).toEqual({});
  });

  test("C-252 closes when the agent speaks another version", async () => {
    const [left, right] = memoryPair();
    new AcpAgent(left, {
      newSession: () => ({ sessionId: "s" }),
      prompt: () => ({ stopReason: "end_turn" }),
      initialize: () => ({ protocolVersion: 7 }),
    });
    const client = new AcpClient(right);
    await expect(client.initialize()).rejects.toThrow("the agent speaks protocol version 7, this client only 1");
    expect((await client.closed).message).toMatch("version 7");
  });
});

describe("a turn", () => {
  test("C-266 gives its updates in order and then ends; the result is there", async () => {
    const { client } = await connect((agent) => ({
      prompt: async ({ sessionId }) => {
        for (const text of ["a", "b", "c"]) await agent.update(sessionId, say(text));
        return { stopReason: "end_turn" };
      },
    }));
    const turn = client.prompt("s1", "go");
    const updates: SessionUpdate[] = [];
    for await (const update of turn) updates.push(update);
    expect(updates).toEqual([say("a"), say("b"), say("c")]);
    expect(await turn.result).toEqual({ stopReason: "end_turn" });
  });

  test("keeps sessions apart", async () => {
    const { client } = await connect((agent) => ({
      prompt: async ({ sessionId }) => {
        await agent.update("other", say("not yours"));
        await agent.update(sessionId, say("yours"));
        return { stopReason: "end_turn" };
      },
    }));
    const { text } = await client.promptText("s1", "go");
    expect(text).toBe("yours");
  });

  test("throws to the reader what the agent refused", async () => {
    const { client } = await connect(() => ({
      prompt: () => {
        throw RpcError.authRequired("log in");
      },
    }));
    const read = async () => {
      for await (const _ of client.prompt("s1", "go")) throw new Error("no update was sent");
    };
    await expect(read()).rejects.toMatchObject({ code: -32000, message: "log in" });
  });

  test("promptText answers text, stop reason and transcript", async () => {
    const { client } = await connect((agent) => ({
      prompt: async ({ sessionId }) => {
        await agent.update(sessionId, say("Hel"));
        await agent.update(sessionId, say("lo"));
        await agent.update(sessionId, { sessionUpdate: "tool_call", toolCallId: "t", title: "Look" });
        await agent.update(sessionId, say("Done."));
        return { stopReason: "max_tokens" };
      },
    }));
    const { text, stopReason, transcript } = await client.promptText("s1", "hi");
    expect({ text, stopReason, kinds: transcript.items.map(({ type }) => type) }).toEqual({
      text: "Hello\n\nDone.",
      stopReason: "max_tokens",
      kinds: ["message", "tool-call", "message"],
    });
  });

  test("C-309 an abort signal cancels it, and the result still comes", async () => {
    const { client } = await connect(() => ({
      prompt: (_, { signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    }));
    const controller = new AbortController();
    const turn = client.prompt("s1", "go", { signal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect(await turn.result).toEqual({ stopReason: "cancelled" });
  });

  test("a slow reader holds the agent back, and loses nothing", async () => {
    const total = MAX_UNREAD_UPDATES * 3;
    let sent = 0;
    const { client } = await connect((agent) => ({
      prompt: async ({ sessionId }) => {
        for (; sent < total; sent++) await agent.update(sessionId, say(String(sent)));
        return { stopReason: "end_turn" };
      },
    }));
    let read = 0;
    let ahead = 0;
    for await (const update of client.prompt("s1", "go")) {
      expect(update).toEqual(say(String(read++)));
      if (read % 64 === 0) await new Promise((resolve) => setImmediate(resolve));
      ahead = Math.max(ahead, sent - read);
    }
    expect(read).toBe(total);
    expect(ahead).toBeLessThan(MAX_UNREAD_UPDATES * 1.5);
  });

  test("a reader that asks the agent something in the middle is not stuck for ever", { timeout: 20_000 }, async () => {
    const { client } = await connect((agent) => ({
      setMode: () => undefined,
      prompt: async ({ sessionId }) => {
        for (let i = 0; i < MAX_UNREAD_UPDATES * 2; i++) await agent.update(sessionId, say(String(i)));
        return { stopReason: "end_turn" };
      },
    }));
    let read = 0;
    for await (const _ of client.prompt("s1", "go")) {
      if (read++ === 0) {
        // Long enough for the queue to fill, so that the answer lies behind input that is held.
        for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve));
        await client.setMode("s1", "m");
      }
    }
    expect(read).toBe(MAX_UNREAD_UPDATES * 2);
  });

  test("nobody has to read: the result comes, and what was not read is let go", async () => {
    const { client } = await connect((agent) => ({
      prompt: async ({ sessionId }) => {
        for (let i = 0; i < MAX_UNREAD_UPDATES * 2; i++) await agent.update(sessionId, say("x"));
        return { stopReason: "end_turn" };
      },
    }));
    const turn = client.prompt("s1", "go");
    expect(await turn.result).toEqual({ stopReason: "end_turn" });
    await expect(turn[Symbol.asyncIterator]().next()).rejects.toThrow("updates came before anybody read them");
  });

  test("a reader may leave early", async () => {
    const { client } = await connect((agent) => ({
      prompt: async ({ sessionId }) => {
        for (let i = 0; i < MAX_UNREAD_UPDATES * 2; i++) await agent.update(sessionId, say("x"));
        return { stopReason: "end_turn" };
      },
    }));
    const turn = client.prompt("s1", "go");
    for await (const _ of turn) break;
    expect(await turn.result).toEqual({ stopReason: "end_turn" });
  });
});

describe("permission", () => {
  test("C-306 open questions of a cancelled session are answered `cancelled`, whatever their handlers do", async () => {
    let asked: AbortSignal | undefined;
    const { client } = await connect(
      (agent) => ({
        prompt: async ({ sessionId }, { signal }) => {
          const toolCall = { toolCallId: "t" };
          const options = [{ optionId: "y", name: "Yes", kind: "allow_once" as const }];
          const { outcome } = await agent.request("requestPermission", { sessionId, toolCall, options });
          return { stopReason: "end_turn", _meta: { outcome, aborted: signal.aborted } };
        },
      }),
      {
        requestPermission: (_, { signal }) => {
          asked = signal;
          return new Promise(() => {});
        },
      },
    );
    const turn = client.prompt("s1", "go");
    while (asked === undefined) await new Promise((resolve) => setImmediate(resolve));
    void client.cancel("s1");
    expect(await turn.result).toMatchObject({ _meta: { outcome: { outcome: "cancelled" } } });
    expect(asked.aborted).toBe(true);
  });
});

describe("cancelling", () => {
  test("a question that comes after it, and before the turn has ended, is answered `cancelled`", async () => {
    let asked = 0;
    const { client } = await connect(
      (agent) => ({
        prompt: async ({ sessionId }, { signal }) => {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          const options = [{ optionId: "y", name: "Yes", kind: "allow_once" as const }];
          const chosen = await agent.requestPermission({ sessionId, toolCall: { toolCallId: "t" }, options });
          return { stopReason: "cancelled", _meta: { chosen: chosen ?? "none" } };
        },
      }),
      {
        requestPermission: () => {
          asked++;
          return { outcome: { outcome: "selected", optionId: "y" } };
        },
      },
    );
    const turn = client.prompt("s1", "go");
    await new Promise((resolve) => setImmediate(resolve));
    void client.cancel("s1");
    expect(await turn.result).toMatchObject({ _meta: { chosen: "none" } });
    expect(asked).toBe(0);
  });

  test("by a signal, after the connection has broken, throws nothing", async () => {
    const { agent, client } = await connect(() => ({ prompt: () => new Promise(() => {}) }));
    const controller = new AbortController();
    const turn = client.prompt("s1", "go", { signal: controller.signal });
    void agent.close();
    controller.abort();
    await expect(turn.result).rejects.toMatchObject({ type: "closed" });
  });
});

describe("sessions", () => {
  test("C-265 mcpServers is always sent", async () => {
    let seen: unknown;
    const { client } = await connect(() => ({
      newSession: (params) => {
        seen = params;
        return { sessionId: "s1" };
      },
    }));
    await client.newSession({ cwd: "/w" });
    expect(seen).toEqual({ cwd: "/w", mcpServers: [] });
  });

  test("C-268 walks all pages, and stops at a cursor that repeats", async () => {
    const pages: Record<string, { ids: string[]; next?: string }> = {
      "": { ids: ["a", "b"], next: "1" },
      "1": { ids: ["c"], next: "1" },
    };
    const { client } = await connect(() => ({
      listSessions: ({ cursor }) => {
        const { ids, next } = pages[cursor ?? ""] ?? { ids: [] };
        return { sessions: ids.map((sessionId) => ({ sessionId, cwd: "/" })), nextCursor: next };
      },
    }));
    const seen: string[] = [];
    for await (const { sessionId } of client.allSessions()) seen.push(sessionId);
    expect(seen).toEqual(["a", "b", "c"]);
  });

  test("C-273 closing or deleting what is not there succeeds; other errors pass", async () => {
    const missing = () => Promise.reject(RpcError.resourceNotFound());
    const { client } = await connect(() => ({ closeSession: missing, deleteSession: missing, setMode: missing }));
    await client.closeSession("gone");
    await client.deleteSession("gone");
    await expect(client.setMode("gone", "m")).rejects.toMatchObject({ code: -32002 });
  });

  test("C-291 a boolean option is sent as one", async () => {
    const seen: unknown[] = [];
    const { client } = await connect(() => ({
      setConfigOption: (params) => {
        seen.push(params);
        return { configOptions: [] };
      },
    }));
    await client.setConfigOption("s1", "web", true);
    await client.setConfigOption("s1", "model", "m1");
    expect(seen).toEqual([
      { sessionId: "s1", configId: "web", type: "boolean", value: true },
      { sessionId: "s1", configId: "model", value: "m1" },
    ]);
  });

  test("C-257 never authenticates by a terminal method", async () => {
    const authMethods = [
      { type: "terminal" as const, id: "tty", name: "Terminal" },
      { id: "key", name: "Key" },
    ];
    const seen: unknown[] = [];
    const { client } = await connect(
      () => ({ authenticate: ({ methodId }) => void seen.push(methodId) }),
      {},
      {},
      { authMethods },
    );
    await expect(client.authenticate("tty")).rejects.toMatchObject({ type: "unsupported" });
    await client.authenticate("key");
    expect(seen).toEqual(["key"]);
  });

  test.each<[string, (client: AcpClient) => Promise<unknown>]>([
    ["session/load", (client) => client.loadSession({ sessionId: "s", cwd: "/" })],
    ["session/resume", (client) => client.resumeSession({ sessionId: "s", cwd: "/" })],
    ["session/list", (client) => client.listSessions()],
    ["session/close", (client) => client.closeSession("s")],
    ["session/delete", (client) => client.deleteSession("s")],
    ["logout", (client) => client.logout()],
  ])("C-253 %s is not called without its capability", async (method, call) => {
    const { client } = await connect(() => ({}));
    await expect(call(client)).rejects.toMatchObject({ type: "unsupported", message: expect.stringContaining(method) });
  });

  test("C-267 null is an empty result", async () => {
    const [left, right] = memoryPair();
    left.open({
      frame: (frame) => {
        const { id, method } = frame as { id: number; method: string };
        const result =
          method === "initialize" ? { protocolVersion: 1, agentCapabilities: { loadSession: true } } : null;
        left.send({ jsonrpc: "2.0", id, result });
      },
      garbage: () => {},
      ended: () => {},
    });
    const client = new AcpClient(right);
    await client.initialize();
    expect(await client.loadSession({ sessionId: "s", cwd: "/" })).toEqual({});
  });
});

describe("updates", () => {
  test("C-283 of an unknown kind arrive as they are", async () => {
    const seen: unknown[] = [];
    const { agent, client } = await connect(() => ({}), { update: ({ update }) => void seen.push(update) });
    const unknown = { sessionUpdate: "hologram", beams: 3 };
    await agent.extNotify("session/update", { sessionId: "s1", update: unknown });
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual([unknown]);
    expect(client.agent?.protocolVersion).toBe(1);
  });
});
