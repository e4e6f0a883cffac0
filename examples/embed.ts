// The runtime inside your own program: your model, a tool of yours, your answer to every question, and what happens.
//   npx tsx examples/embed.ts [--no]

import { createModel, createRuntime, createTool, field } from "@agentao/agent";

const model = createModel("mine/clerk", async function* ({ messages }) {
  const last = messages.at(-1);
  if (last?.role === "result") yield last.failed ? "Not ordered." : "They are on their way.";
  else yield { type: "call", name: "order", input: { item: "lamp", count: 2 } };
});

const order = createTool({
  name: "order",
  description: "Orders items from the warehouse.",
  input: { item: field.string("What to order"), count: field.integer("How many") },
  title: ({ item, count }) => `Order ${count} × ${item}`,
  run: async ({ item, count }) => `${count} × ${item} ordered.`,
});

const allow = !process.argv.includes("--no");
const runtime = createRuntime({
  models: [model],
  tools: [order],
  system: "You are the clerk of a lamp shop.",
  askPermission: ({ tool }) => (tool === "order" && allow ? "allow_once" : "reject_once"),
});

const session = await runtime.start();
const turn = session.prompt("Two lamps, please.");
for await (const event of turn) {
  if (event.type === "call") console.log(`${event.call.title}?`);
  if (event.type === "call-ended") console.log(event.failed ? "No." : "Done.");
  if (event.type === "text-delta") console.log(event.text);
}
const { outcome } = await turn.result;
console.log(`The turn ended: ${outcome.type}.`);
await runtime.close();
