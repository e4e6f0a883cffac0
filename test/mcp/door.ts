// What the scenarios with MCP servers share: servers as a client names them, and a session that has some.

import { fileURLToPath } from "node:url";
import type { McpServer } from "@agentao/acp";
import type { Script, Step } from "../../packages/agent/src/model/script.ts";
import { text } from "../../packages/agent/src/model/script.ts";
import { connectScripted, type Scripted, type ScriptedSetup } from "../agent/connect-scripted.ts";
import { only } from "../agent/seen.ts";
import { everything } from "./stage.ts";

const program = (name: string): string => fileURLToPath(new URL(`program/${name}`, import.meta.url));

export const SECRET = "s3cr3t-0123456789";

/** As clients name servers: whatever they leave out, or write beside it. */
export type GivenServer = Readonly<Record<string, unknown>>;

export function odd(name: string, ...flags: readonly string[]): GivenServer {
  const env = [{ name: "ODD_TOKEN", value: SECRET }];
  return { name, command: process.execPath, args: [program("odd-server.mjs"), ...flags], env };
}

export function scene(name: string, ...flags: readonly string[]): GivenServer {
  const env = [{ name: "SCENE_TOKEN", value: SECRET }];
  return { name, command: process.execPath, args: [program("scene-server.mjs"), ...flags], env };
}

export function official(name: string): GivenServer {
  return { name, command: process.execPath, args: [everything, "stdio"], env: [] };
}

/** Every step is one reply of the model; then it has nothing more to say. */
export function script(...steps: readonly (Step | readonly Step[])[]): Script {
  return [...steps.map((step) => (Array.isArray(step) ? step : [step]) as readonly Step[]), [text("done")]];
}

/** Every question of the gate is answered with yes, unless the setup says otherwise. */
export function connect(setup: ScriptedSetup = {}): Promise<Scripted> {
  return connectScripted({ answer: "allow_once", ...setup });
}

export async function openWith(scripted: Scripted, ...servers: readonly GivenServer[]): Promise<string> {
  const mcpServers = servers as unknown as McpServer[];
  const { sessionId } = await scripted.client.newSession({ cwd: scripted.cwd, mcpServers });
  await announced(scripted, sessionId);
  return sessionId;
}

/** What a client is told of a session after the answer to its request has come. */
export function announced(scripted: Scripted, sessionId: string): Promise<void> {
  return scripted.until(() => only(scripted.heardOf(sessionId), "usage_update").length > 0);
}

/** What the model was told about calls, as texts and kinds of parts. */
export function told({ model }: Scripted): readonly string[] {
  const messages = model.asked.at(-1)?.messages ?? [];
  return messages.flatMap((message) =>
    message.role === "result"
      ? [message.parts.map((part) => (part.type === "text" ? part.text : `<${part.type}>`)).join("\n")]
      : [],
  );
}

/** Names of the tools of servers that a request offered to the model. */
export function offered({ model }: Scripted, at = 0): readonly string[] {
  return (model.asked[at]?.tools ?? []).map(({ name }) => name).filter((name) => name.startsWith("mcp_"));
}

/** What agentao said beside the model's words; clients without notices get it as thoughts. */
export function notices(scripted: Scripted, sessionId: string): readonly string[] {
  return only(scripted.heardOf(sessionId), "agent_thought_chunk").map(({ content }) =>
    content.type === "text" ? content.text.trimEnd() : content.type,
  );
}

/** Everything that passed the wire and was written down, as one text. */
export async function everythingSaid(scripted: Scripted, sessionId: string): Promise<string> {
  return JSON.stringify([scripted.wire, scripted.model.asked, await entriesOf(scripted, sessionId)]);
}

/** What is stored of a session that is closed. */
async function entriesOf({ store }: Scripted, sessionId: string): Promise<readonly unknown[]> {
  const stored = await store.open(sessionId as never);
  if (stored.type !== "opened") throw new Error(`the session is not stored: ${stored.type}`);
  const entries: unknown[] = [];
  for await (const chunk of stored.entries()) entries.push(...chunk);
  stored.journal.close();
  return entries;
}
