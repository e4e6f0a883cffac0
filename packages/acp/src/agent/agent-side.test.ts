import { describe, expect, test } from "vitest";
import type { ClientHandlers, ClientOptions } from "../client/client-side.ts";
import { AcpClient } from "../client/client-side.ts";
import { RpcError } from "../error/rpc-error.ts";
import { memoryPair } from "../stream/memory.ts";
import type { PermissionOption, SessionUpdate } from "../v1/generated/type.ts";
import type { AgentHandlers, AgentOptions } from "./agent-side.ts";
import { AcpAgent } from "./agent-side.ts";

const base: AgentHandlers = {
  newSession: () => ({ sessionId: "s1" }),
  prompt: () => ({ stopReason: "end_turn" }),
};

function connect(
  handlers: Partial<AgentHandlers> | ((agent: AcpAgent) => Partial<AgentHandlers>),
  options: AgentOptions = {},
  clientHandlers: ClientHandlers = {},
  clientOptions: ClientOptions = {},
) {
  const [left, right] = memoryPair();
  const agent: AcpAgent = new AcpAgent(
    left,
    (self) => ({ ...base, ...(typeof handlers === "function" ? handlers(self) : handlers) }),
    options,
  );
  const client = new AcpClient(right, clientHandlers, clientOptions);
  return { agent, client };
}

describe("initialize", () => {
  test("C-120 C-125 answers version, capabilities that follow from the handlers, and who it is", async () => {
    const { client } = connect(
      { loadSession: () => undefined, listSessions: () => ({ sessions: [] }), logout: () => undefined },
      { info: { name: "a", version: "1" }, capabilities: { promptCapabilities: { image: true } } },
    );
    expect(await client.initialize()).toEqual({
      protocolVersion: 1,
      agentCapabilities: {
        loadSession: true,
        sessionCapabilities: { list: {} },
        auth: { logout: {} },
        promptCapabilities: { image: true },
      },
      authMethods: [],
      agentInfo: { name: "a", version: "1" },
    });
  });

  test.each([0, 2, 99])("C-122 answers its own version to version %i", async (protocolVersion) => {
    const { client } = connect({});
    await expect(client.initialize({ protocolVersion })).resolves.toMatchObject({ protocolVersion: 1 });
  });

  test.each<unknown>(["1", true, 1.5, -1, 65536, null, undefined])("C-123 refuses version %j", async (version) => {
    const { client } = connect({});
    const asked = client.extRequest("initialize", { protocolVersion: version });
    await expect(asked).rejects.toMatchObject({ code: -32602 });
  });

  test("C-043 comes before every other request", async () => {
    const { client } = connect({});
    await expect(client.newSession({ cwd: "/" })).rejects.toMatchObject({ code: -32600 });
    await client.initialize();
    await expect(client.newSession({ cwd: "/" })).resolves.toEqual({ sessionId: "s1" });
  });

  test("lets an agent choose the refusal of what comes too early", async () => {
    const notInitialized = RpcError.resourceNotFound("not initialized", { reason: "not_initialized" });
    const { client } = connect({}, { notInitialized });
    await expect(client.newSession({ cwd: "/" })).rejects.toMatchObject({
      code: -32002,
      data: { reason: "not_initialized" },
    });
  });

  test("C-127 methods that are not advertised are not found, with or without a handler", async () => {
    const { client } = connect({ loadSession: () => undefined }, { capabilities: { loadSession: false } });
    await client.initialize();
    const params = { sessionId: "s", cwd: "/", mcpServers: [] };
    await expect(client.extRequest("session/load", params)).rejects.toMatchObject({ code: -32601 });
    await expect(client.extRequest("session/resume", params)).rejects.toMatchObject({ code: -32601 });
    await expect(client.loadSession(params)).rejects.toMatchObject({ type: "unsupported" });
  });

  test("is answered before what a hasty client sent behind it, also when its handler takes time", async () => {
    const order: string[] = [];
    const { client } = connect({
      initialize: async () => {
        for (let i = 0; i < 20; i++) await undefined;
        return { _meta: { slow: true } };
      },
    });
    const hello = client.initialize().then(({ _meta }) => order.push(`initialize ${JSON.stringify(_meta)}`));
    const open = client.newSession({ cwd: "/" }).then(({ sessionId }) => order.push(sessionId));
    await Promise.all([hello, open]);
    expect(order).toEqual(['initialize {"slow":true}', "s1"]);
  });

  test("lays what the handler returns over the answer", async () => {
    const { client } = connect({
      initialize: () => ({ _meta: { "x.y/z": 1 }, authMethods: [{ id: "k", name: "Key" }] }),
    });
    expect(await client.initialize()).toMatchObject({ _meta: { "x.y/z": 1 }, authMethods: [{ id: "k", name: "Key" }] });
  });

  test("C-254 knows what the client can do, and null means no", async () => {
    const { agent, client } = connect({});
    await client.initialize({ clientCapabilities: { terminal: true, session: { notices: {}, compaction: null } } });
    expect(
      ["terminal", "session.notices", "session.compaction", "fs.readTextFile"].map((p) => agent.clientSupports(p)),
    ).toEqual([true, true, false, false]);
  });
});

describe("prompt", () => {
  const image = { type: "image" as const, data: "", mimeType: "image/png" };

  test("C-191 refuses content that was not advertised, and takes what was", async () => {
    const without = connect({});
    await without.client.initialize();
    await expect(without.client.prompt("s1", [image]).result).rejects.toMatchObject({
      code: -32602,
      message: "Invalid params: /prompt/0: this agent did not advertise promptCapabilities.image",
    });
    const withImage = connect({}, { capabilities: { promptCapabilities: { image: true } } });
    await withImage.client.initialize();
    await expect(withImage.client.prompt("s1", [image]).result).resolves.toEqual({ stopReason: "end_turn" });
  });

  test("C-191 refuses a block of a type it does not know", async () => {
    const { client } = connect({});
    await client.initialize();
    const prompt = [{ type: "hologram" }];
    await expect(client.extRequest("session/prompt", { sessionId: "s", prompt })).rejects.toMatchObject({
      code: -32602,
    });
  });

  test("C-210 session/cancel aborts it, and a throw then means cancelled", async () => {
    const { client } = connect({
      prompt: (_, { signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("torn down")))),
    });
    await client.initialize();
    const turn = client.prompt("s1", "go");
    await new Promise((resolve) => setImmediate(resolve));
    void client.cancel("s1");
    expect(await turn.result).toEqual({ stopReason: "cancelled" });
  });

  test("C-213 cancelling nothing is silent, and another session is left alone", async () => {
    let signal: AbortSignal | undefined;
    let finish = (): void => {};
    const { client } = connect({
      prompt: (_, context) => {
        signal = context.signal;
        return new Promise((resolve) => (finish = () => resolve({ stopReason: "end_turn" })));
      },
    });
    await client.initialize();
    const turn = client.prompt("s1", "go");
    await new Promise((resolve) => setImmediate(resolve));
    void client.cancel("other");
    await new Promise((resolve) => setImmediate(resolve));
    expect(signal?.aborted).toBe(false);
    finish();
    expect(await turn.result).toEqual({ stopReason: "end_turn" });
  });

  test("Z-06 session/cancel sent as a request is answered", async () => {
    const { client } = connect({});
    await client.initialize();
    expect(await client.extRequest("session/cancel", { sessionId: "s1" })).toEqual({});
  });

  test("C-173 closing the session ends it as cancelled", async () => {
    const { client } = connect({
      prompt: (_, { signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      closeSession: () => undefined,
    });
    await client.initialize();
    const turn = client.prompt("s1", "go");
    await new Promise((resolve) => setImmediate(resolve));
    await client.closeSession("s1");
    expect(await turn.result).toEqual({ stopReason: "cancelled" });
  });

  test("C-216 $/cancel_request on it ends the turn as cancelled", async () => {
    const { client } = connect({
      prompt: (_, { signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    await client.initialize();
    const controller = new AbortController();
    const asked = client.request(
      "prompt",
      { sessionId: "s1", prompt: [] },
      { signal: controller.signal, onAbort: "wait" },
    );
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect(await asked).toEqual({ stopReason: "cancelled" });
  });
});

describe("what an agent asks of its client", () => {
  const options: PermissionOption[] = [
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    { optionId: "no", name: "No", kind: "reject_once" },
  ];
  const question = { sessionId: "s1", toolCall: { toolCallId: "t" }, options };

  test.each<[string, ClientHandlers["requestPermission"], PermissionOption | undefined]>([
    ["the chosen option", () => ({ outcome: { outcome: "selected", optionId: "yes" } }), options[0]],
    ["C-234 nothing when cancelled", () => ({ outcome: { outcome: "cancelled" } }), undefined],
    [
      "C-235 nothing for an option not offered",
      () => ({ outcome: { outcome: "selected", optionId: "sudo" } }),
      undefined,
    ],
    ["C-235 nothing for an error", () => Promise.reject(new RpcError(-32603, "no")), undefined],
    ["C-235 nothing for an answer that makes no sense", () => ({ outcome: "yes" }) as never, undefined],
    ["the refusal when nobody can be asked", undefined, options[1]],
  ])("requestPermission answers %s", async (_, requestPermission, answer) => {
    const { agent, client } = connect({}, {}, { requestPermission });
    await client.initialize();
    expect(await agent.requestPermission(question)).toEqual(answer);
  });

  test("C-235 requestPermission answers nothing when the connection ends", async () => {
    const { agent, client } = connect({}, {}, { requestPermission: () => new Promise(() => {}) }, { drainMs: 1 });
    await client.initialize();
    const asked = agent.requestPermission(question);
    await new Promise((resolve) => setImmediate(resolve));
    await client.close();
    expect(await asked).toBeUndefined();
  });

  test("C-238 C-239 refuses by itself what the client did not advertise", async () => {
    const { agent, client } = connect({});
    await client.initialize();
    const file = { sessionId: "s1", path: "/f" };
    const refusals = [
      agent.readTextFile(file),
      agent.writeTextFile({ ...file, content: "" }),
      agent.createTerminal({ sessionId: "s1", command: "ls" }),
      agent.elicit({ mode: "form", sessionId: "s1", message: "?", requestedSchema: {} }),
      agent.elicit({ mode: "url", sessionId: "s1", message: "?", elicitationId: "e", url: "https://example.org" }),
    ];
    for (const refusal of refusals) await expect(refusal).rejects.toMatchObject({ type: "unsupported" });
  });

  test("C-240 a terminal handle reaches its terminal and is released once", async () => {
    const calls: unknown[] = [];
    const log = (name: string, result: object) => (params: unknown) => {
      calls.push([name, params]);
      return result as never;
    };
    const { agent, client } = connect(
      {},
      {},
      {
        createTerminal: log("create", { terminalId: "t1" }),
        terminalOutput: log("output", { output: "hi", truncated: false }),
        waitForTerminalExit: log("wait", { exitCode: 0 }),
        killTerminal: log("kill", {}),
        releaseTerminal: log("release", {}),
      },
    );
    await client.initialize();
    {
      await using terminal = await agent.createTerminal({ sessionId: "s1", command: "ls", args: ["-l"] });
      expect(await terminal.output()).toEqual({ output: "hi", truncated: false });
      expect(await terminal.waitForExit()).toEqual({ exitCode: 0 });
      await terminal.kill();
      await terminal.release();
    }
    const at = { sessionId: "s1", terminalId: "t1" };
    expect(calls).toEqual([
      ["create", { sessionId: "s1", command: "ls", args: ["-l"] }],
      ["output", at],
      ["wait", at],
      ["kill", at],
      ["release", at],
    ]);
  });

  test("C-249a elicits by a mode the client has", async () => {
    const { agent, client } = connect(
      {},
      {},
      { createElicitation: () => ({ action: "accept", content: { name: "x" } }) },
    );
    await client.initialize();
    const form = { mode: "form" as const, sessionId: "s1", message: "Name?", requestedSchema: {} };
    expect(await agent.elicit(form)).toEqual({ action: "accept", content: { name: "x" } });
    const url = { mode: "url" as const, sessionId: "s1", message: "?", elicitationId: "e", url: "https://example.org" };
    await expect(agent.elicit(url)).rejects.toMatchObject({ type: "unsupported" });
  });

  test("C-249 updates the client did not ask for are not sent", async () => {
    const seen: SessionUpdate[] = [];
    const notice: SessionUpdate = { sessionUpdate: "notice", severity: "info", title: "hi" };
    const compaction: SessionUpdate = { sessionUpdate: "compaction_update", compactionId: "c", status: "in_progress" };
    const update = ({ update }: { update: SessionUpdate }) => void seen.push(update);
    const { agent, client } = connect({}, {}, { update }, { capabilities: { session: { notices: {} } } });
    await client.initialize();
    await agent.update("s1", notice);
    await agent.update("s1", compaction);
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual([notice]);
  });

  test("extension methods go both ways, and unknown ones are refused", async () => {
    const told: unknown[] = [];
    const { agent, client } = connect(
      {
        extRequests: { "_x/double": (n) => (n as number) * 2 },
        extNotifications: { "_x/tell": (p) => void told.push(p) },
      },
      {},
      { extRequests: { "_x/who": () => ({ name: "client" }) } },
    );
    await client.initialize();
    expect(await client.extRequest("_x/double", 21)).toBe(42);
    expect(await agent.extRequest("_x/who", {})).toEqual({ name: "client" });
    await client.extNotify("_x/tell", { a: 1 });
    await expect(client.extRequest("_x/none", {})).rejects.toMatchObject({ code: -32601 });
    expect(told).toEqual([{ a: 1 }]);
  });
});
