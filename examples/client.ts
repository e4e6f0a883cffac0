// A client in twenty lines: start an agent, ask it something, print what comes.
//   tsx examples/client.ts "your question" [agent command …]

import { fileURLToPath } from "node:url";
import { spawnAgent } from "@agentao/acp/node";

const [question = "Hello!", ...command] = process.argv.slice(2);
const [program = "tsx", ...args] =
  command.length > 0 ? command : ["tsx", fileURLToPath(import.meta.resolve("./echo-agent.ts"))];

await using client = await spawnAgent([program, ...args]);
const { agentInfo } = await client.initialize();
console.log(`connected to ${agentInfo?.name ?? program}`);

const { sessionId } = await client.newSession({ cwd: process.cwd() });
const turn = client.prompt(sessionId, question);
for await (const update of turn) {
  if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") continue;
  process.stdout.write(update.content.text);
}
const { stopReason } = await turn.result;
console.log(`\n(${stopReason})`);
