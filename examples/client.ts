// A client in twenty lines: start an agent, ask it something, print what it says.
//   npx tsx examples/client.ts "your question" [agent command …]

import { fileURLToPath } from "node:url";
import { spawnAgent } from "@agentao/acp/node";

const [question = "Hello!", ...given] = process.argv.slice(2);
const echoAgent = ["--import", "tsx", fileURLToPath(new URL("./echo-agent.ts", import.meta.url))];
const [program = process.execPath, ...args] = given.length > 0 ? given : [process.execPath, ...echoAgent];

try {
  await using client = await spawnAgent([program, ...args]);
  const { agentInfo } = await client.initialize();
  console.log(`Connected to ${agentInfo?.name ?? program}.`);

  const { sessionId } = await client.newSession({ cwd: process.cwd() });
  const turn = client.prompt(sessionId, question);
  for await (const update of turn) {
    if (update.sessionUpdate === "tool_call") console.log(`\n[${update.title}]`);
    if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") continue;
    process.stdout.write(update.content.text);
  }
  const { stopReason } = await turn.result;
  console.log(`\nThe turn ended: ${stopReason}.`);
} catch (cause) {
  // No such agent, a model that refuses the key: a sentence says it.
  console.error(`\nThat failed: ${(cause as Error).message}`);
  process.exitCode = 1;
}
