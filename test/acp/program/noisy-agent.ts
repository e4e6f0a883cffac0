// Prints by every means there is before and while it serves. Only the protocol may reach stdout.

import * as fs from "node:fs";
import { writeSync } from "node:fs";
import { serveStdio } from "@agentao/acp/node";

const print = (when: string): void => {
  console.log(`console.log ${when}`);
  console.table([{ when }]);
  process.stdout.write(`process.stdout ${when}\n`);
  writeSync(1, `writeSync ${when}\n`);
  fs.writeSync(1, Buffer.from(`fs.writeSync ${when}\n`));
  fs.write(1, `fs.write ${when}\n`, () => {});
  fs.writeFileSync(1, `fs.writeFileSync ${when}\n`);
  fs.appendFileSync(1, `fs.appendFileSync ${when}\n`);
  process.stdout.end(`process.stdout.end ${when}\n`);
  process.stdout.destroy();
};

serveStdio((agent) => {
  print("early");
  return {
    newSession: () => {
      print("in a handler");
      return { sessionId: "s" };
    },
    prompt: async ({ sessionId }) => {
      print("in a turn");
      await agent.update(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "clean" } });
      return { stopReason: "end_turn" };
    },
  };
});
print("late");
