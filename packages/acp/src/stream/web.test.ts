import { describe, expect, test } from "vitest";
import { AcpAgent } from "../agent/agent-side.ts";
import { AcpClient } from "../client/client-side.ts";
import type { SessionUpdate } from "../v1/generated/type.ts";
import { type WebBytes, webStream } from "./web.ts";

function pipes(): [WebBytes, WebBytes] {
  const there = new TransformStream<Uint8Array, Uint8Array>();
  const back = new TransformStream<Uint8Array, Uint8Array>();
  return [
    { readable: back.readable, writable: there.writable },
    { readable: there.readable, writable: back.writable },
  ];
}

const say = (text: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
});

function connect(updates: number) {
  const [left, right] = pipes();
  const agent: AcpAgent = new AcpAgent(webStream(left), (self) => ({
    newSession: () => ({ sessionId: "s" }),
    prompt: async ({ sessionId }) => {
      for (let i = 0; i < updates; i++) await self.update(sessionId, say(`é${i}`));
      return { stopReason: "end_turn" };
    },
  }));
  return { agent, client: new AcpClient(webStream(right)) };
}

describe("webStream", () => {
  test("carries a whole turn, in order", async () => {
    const { client } = connect(500);
    await client.initialize();
    const turn = client.prompt("s", "go");
    const seen: SessionUpdate[] = [];
    for await (const update of turn) seen.push(update);
    expect(seen).toEqual(Array.from({ length: 500 }, (_, i) => say(`é${i}`)));
    expect(await turn.result).toEqual({ stopReason: "end_turn" });
  });

  test("ends the other side when it is closed", async () => {
    const { agent, client } = connect(0);
    await client.initialize();
    await client.close();
    expect((await agent.closed).message).toBe("the peer closed the connection");
  });

  test("tells a broken pipe to whoever waits", async () => {
    const [left, right] = pipes();
    const client = new AcpClient(webStream(right));
    const asked = client.initialize();
    await left.writable.abort(new Error("cable cut"));
    await expect(asked).rejects.toMatchObject({ type: "closed", message: "the connection broke: cable cut" });
  });

  test("reads past what is not UTF-8", async () => {
    const [left, right] = pipes();
    const diagnostics: string[] = [];
    const client = new AcpClient(webStream(right), {}, { onDiagnostic: ({ type }) => diagnostics.push(type) });
    const writer = left.writable.getWriter();
    const asked = client.initialize();
    await writer.write(new Uint8Array([0xc3, 0x28, 10]));
    await writer.write(new TextEncoder().encode('{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}\n'));
    expect(await asked).toEqual({ protocolVersion: 1 });
    expect(diagnostics).toEqual(["garbage"]);
  });
});
