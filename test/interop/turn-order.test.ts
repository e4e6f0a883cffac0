// A turn's end never overtakes its updates: when the promise of a prompt resolves, all of them have been handled. Between
// two processes, over hundreds of turns, with agents of either library.

import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { type ClientHandlers, methods } from "@agentao/acp";
import { type SpawnedClient, spawnAgent } from "@agentao/acp/node";
import { type ActiveSession, ndJsonStream, client as officialClient } from "@agentclientprotocol/sdk";
import { describe, expect, test } from "vitest";
import { countOf } from "./burst.ts";
import { commandOf, root } from "./pair.ts";

const TURNS = 300;

interface Turn {
  readonly turn: number;
  readonly sent: number;
  readonly handled: number;
}

describe.each(["our", "official"] as const)("%s agent", (library) => {
  const connect = (handlers?: ClientHandlers): Promise<SpawnedClient> =>
    spawnAgent(commandOf(`${library}-streaming-agent`), handlers, { cwd: root });

  test.each([
    ["an update handler", {}],
    ["an update handler among all others", everyOtherHandler()],
  ])(`${TURNS} prompts resolve after %s has run for each update`, async (_, others) => {
    let handled = 0;
    await using client = await connect({ ...others, update: () => void handled++ });
    const { sessionId } = await open(client);

    const wrong = await takeTurns(async (count) => {
      handled = 0;
      await client.prompt(sessionId, count).result;
      return handled;
    });

    expect(wrong).toEqual([]);
  });
});

test(`${TURNS} prompts of our agent are complete in the session of an official client`, async () => {
  const [program, ...args] = commandOf("our-streaming-agent");
  const child = spawn(program, args, { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const pipes = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);

  const wrong = await officialClient()
    .connectWith(pipes, async (agent) => {
      await agent.request("initialize", { protocolVersion: 1 });
      return agent.buildSession(root).withSession((session) => takeTurns((count) => countUpdates(session, count)));
    })
    .finally(() => child.kill());

  expect(wrong).toEqual([]);
});

async function countUpdates(session: ActiveSession, prompt: string): Promise<number> {
  void session.prompt(prompt);
  for (let count = 0; ; count++) if ((await session.nextUpdate()).kind === "stop") return count;
}

/** The turns in which not all updates, or too many, had been handled at the end. */
async function takeTurns(take: (count: string) => Promise<number>): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const sent = countOf(turn);
    turns.push({ turn, sent, handled: await take(String(sent)) });
  }
  return turns.filter(({ sent, handled }) => sent !== handled);
}

async function open(client: SpawnedClient): Promise<{ sessionId: string }> {
  await client.initialize();
  return client.newSession({ cwd: root });
}

function everyOtherHandler(): ClientHandlers {
  const rows = Object.values(methods).filter(({ side, name }) => side === "client" && name !== "update");
  return Object.fromEntries(rows.map(({ name }) => [name, () => {}]));
}
