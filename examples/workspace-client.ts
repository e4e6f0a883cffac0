// A client that lends its agent files and terminals, inside one folder, and asks the person at the keyboard.
//   npx tsx examples/workspace-client.ts FOLDER [--yes] [agent command …]

import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { emptyTranscript, foldTranscript, type RequestPermissionRequest } from "@agentao/acp";
import { createFileHandlers, createTerminalHandlers, spawnAgent } from "@agentao/acp/node";

const [folder = ".", ...rest] = process.argv.slice(2);
const root = resolve(folder);
const yes = rest[0] === "--yes";
const given = yes ? rest.slice(1) : rest;
const permissionAgent = ["--import", "tsx", fileURLToPath(new URL("./permission-agent.ts", import.meta.url))];
const [program = process.execPath, ...args] = given.length > 0 ? given : [process.execPath, ...permissionAgent];

const terminals = createTerminalHandlers({ roots: [root], defaultCwd: root, env: process.env });
await using client = await spawnAgent([program, ...args], {
  ...createFileHandlers({ roots: [root] }),
  ...terminals,
  requestPermission: async (question) => ({
    outcome: { outcome: "selected", optionId: (await choose(question))?.optionId ?? "" },
  }),
});
await client.initialize();

const { sessionId } = await client.newSession({ cwd: root });
let transcript = emptyTranscript;
for await (const update of client.prompt(sessionId, "Please leave a note.")) {
  transcript = foldTranscript(transcript, [update]);
}
for (const item of transcript.items) {
  if (item.type !== "tool-call") continue;
  console.log(`${item.title}: ${item.status}`);
  for (const { content } of item.content.filter((part) => part.type === "content")) {
    if (content.type === "text") console.log(`  ${content.text.trimEnd()}`);
  }
}
await terminals.close();

async function choose({ toolCall, options }: RequestPermissionRequest) {
  if (yes) return options.find(({ kind }) => kind === "allow_once");
  const keyboard = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await keyboard.question(`${toolCall.title}? [y/N] `);
  keyboard.close();
  return options.find(({ kind }) => kind === (answer.trim().toLowerCase() === "y" ? "allow_once" : "reject_once"));
}
