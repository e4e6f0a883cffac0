// The runtime inside your own program: your model, a tool of yours, your answer to every question, and what happens.
//   npx tsx examples/embed.ts [--no]

import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Door, Model, SessionEvent } from "@agentao/agent";
import { createCatalogue, createRuntime, defineTool, localMachine, memoryStore } from "@agentao/agent";

const answer = process.argv.includes("--no") ? "reject_once" : "allow_once";
const takes = { image: false, audio: false };

const model: Model = {
  info: { id: "mine/clerk", name: "Clerk", windowTokens: 8_000, takes, thoughtLevels: [] },
  async *stream({ messages }) {
    const last = messages.at(-1);
    if (last?.role === "result") yield { type: "text-delta", text: last.failed ? "Not ordered." : "It is on its way." };
    else yield { type: "call", id: "order-1", name: "order", input: '{ "item": "lamp" }' };
    yield { type: "finish", reason: last?.role === "result" ? "stop" : "calls" };
  },
};

const order = defineTool<{ item: string }>({
  name: "order",
  description: "Orders an item.",
  inputSchema: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
  parse: ({ item }) => (typeof item === "string" ? { input: { item } } : { problem: "item must be a string" }),
  plan: ({ item }) => ({ title: `Order a ${item}`, kind: "other", locations: [], effect }),
  run: async ({ item }) => ({ told: [{ type: "text", text: `One ${item} ordered.` }] }),
});
const effect = { type: "other", readOnly: false } as const;

const { readable: events, writable } = new TransformStream<SessionEvent>();
const writer = writable.getWriter();
const door: Door = {
  onEvent: (event) => writer.write(event).catch(() => {}),
  askPermission: async ({ title }) => {
    console.log(`${title}? ${answer}`);
    return answer;
  },
  askPerson: async () => ({ type: "unavailable" }),
};

const runtime = createRuntime({
  store: memoryStore(),
  catalogue: createCatalogue([model]),
  machine: (roots) => localMachine({ roots, spillFolder: join(tmpdir(), "embed") }),
  tools: [order],
});
const opened = await runtime.create({ cwd: process.cwd() }, () => door);
if (opened.type !== "opened") throw new Error(`The session did not open: ${opened.type}.`);

const turn = opened.session.prompt([{ type: "text", text: "A lamp, please." }]).finally(() => writer.close());
for await (const event of events) {
  if (event.type === "text-delta") console.log(event.text);
  if (event.type === "call-ended") console.log(`${event.callId} ${event.failed ? "failed" : "is done"}.`);
}
console.log(`The turn ended: ${(await turn).type}.`);
await runtime.close();
