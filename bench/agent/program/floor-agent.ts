// The least an agent can be in Node: one file, no dependency. Splits lines, calls a chat server, forwards each delta as
// one update, has one tool that reads. Checks nothing, stores nothing. Runs as plain JavaScript: its types are erased.

import { readFile } from "node:fs/promises";

interface Call {
  id: string;
  name: string;
  arguments: string;
}
interface Session {
  messages: object[];
  turn: AbortController | undefined;
}

const sessions = new Map<string, Session>();
let rest = "";

process.stdin.setEncoding("utf8");
process.stdin.on("data", (text: string) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) if (line !== "") receive(JSON.parse(line));
});
process.stdin.on("end", () => process.exit(0));

// biome-ignore lint/suspicious/noExplicitAny: a floor has no types; it believes what it is told
async function receive({ id, method, params }: any): Promise<void> {
  switch (method) {
    case "initialize":
      return answer(id, { protocolVersion: 1, agentCapabilities: {}, authMethods: [] });
    case "session/new": {
      const sessionId = `floor_${sessions.size}`;
      sessions.set(sessionId, { messages: [], turn: undefined });
      return answer(id, { sessionId });
    }
    case "session/prompt":
      return answer(id, { stopReason: await prompt(params.sessionId, params.prompt[0].text) });
    case "session/cancel":
      return sessions.get(params.sessionId)?.turn?.abort();
    default:
      if (id !== undefined) send({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
  }
}

async function prompt(sessionId: string, text: string): Promise<string> {
  const session = sessions.get(sessionId) as Session;
  session.turn = new AbortController();
  session.messages.push({ role: "user", content: text });
  try {
    for (;;) {
      const { said, calls } = await ask(sessionId, session);
      session.messages.push({
        role: "assistant",
        content: said,
        ...(calls.length > 0 && {
          tool_calls: calls.map(({ id, name, arguments: input }) => ({
            id,
            type: "function",
            function: { name, arguments: input },
          })),
        }),
      });
      if (calls.length === 0) return "end_turn";
      for (const call of calls) session.messages.push(await run(sessionId, call));
    }
  } catch (cause) {
    if (session.turn.signal.aborted) return "cancelled";
    throw cause;
  }
}

async function ask(sessionId: string, session: Session): Promise<{ said: string; calls: Call[] }> {
  const response = await fetch(process.env.CHAT_URL as string, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "text", stream: true, messages: session.messages }),
    signal: session.turn?.signal ?? null,
  });
  const calls: Call[] = [];
  const decoder = new TextDecoder();
  let said = "";
  let unread = "";
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (unread + decoder.decode(bytes, { stream: true })).split("\n");
    unread = lines.pop() ?? "";
    for (const line of lines) {
      if (!line.startsWith("data: ") || line === "data: [DONE]") continue;
      const { delta } = JSON.parse(line.slice(6)).choices[0];
      if (delta.content) {
        said += delta.content;
        update(sessionId, {
          sessionUpdate: "agent_message_chunk",
          content: { type: "text", text: delta.content },
        });
      }
      for (const { id, function: asked } of delta.tool_calls ?? []) calls.push({ id, ...asked });
    }
  }
  return { said, calls };
}

async function run(sessionId: string, { id, name, arguments: input }: Call): Promise<object> {
  const { file_path: path } = JSON.parse(input);
  update(sessionId, { sessionUpdate: "tool_call", toolCallId: id, title: name, kind: "read", status: "in_progress" });
  const text = await readFile(path, "utf8");
  const content = [{ type: "content", content: { type: "text", text } }];
  update(sessionId, { sessionUpdate: "tool_call_update", toolCallId: id, status: "completed", content });
  return { role: "tool", tool_call_id: id, content: text };
}

function update(sessionId: string, update: object): void {
  send({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } });
}

function answer(id: number, result: object): void {
  send({ jsonrpc: "2.0", id, result });
}

function send(frame: object): void {
  process.stdout.write(`${JSON.stringify(frame)}\n`);
}
