import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { askSupervisor, askToStop } from "./ask-supervisor.ts";
import { makeRunFolder } from "./server-state.ts";
import type { TurnEvent } from "./turn-event.ts";
import { listenForTurns, type TurnSocket, type TurnSocketHandlers, turnSocketPath } from "./turn-socket.ts";

let folder = "";
let path = "";
const open: TurnSocket[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentao-socket-"));
  makeRunFolder(folder);
  path = turnSocketPath(folder, "a");
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.close();
  rmSync(folder, { recursive: true, force: true });
});

async function listen(handlers: Partial<TurnSocketHandlers> = {}): Promise<TurnSocket | "taken"> {
  const socket = await listenForTurns(path, { take: async () => {}, stop() {}, ...handlers });
  if (socket !== "taken") open.push(socket);
  return socket;
}

const signal = new AbortController().signal;

test("has one owner at a time, and is nobody else's", async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => listen()));
  expect(all.filter((one) => one === "taken")).toHaveLength(4);
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.runIf(process.platform !== "win32")(
  "what nobody listens at is cleared away, and nothing is left at the end",
  async () => {
    writeFileSync(path, "");
    const socket = await listen();
    expect(socket).not.toBe("taken");
    if (socket !== "taken") socket.close();
    expect(existsSync(path)).toBe(false);
  },
);

test("a turn is told event by event, and its end ends it", async () => {
  const end: TurnEvent = { type: "end", stopReason: "end_turn", interactions: [] };
  await listen({
    take: async ({ text }, tell) => {
      await tell({ type: "text", text });
      await tell(end);
    },
  });
  const heard: TurnEvent[] = [];
  expect(await askSupervisor(path, { text: "hi" }, (event) => void heard.push(event), signal)).toBe(true);
  expect(heard).toEqual([{ type: "text", text: "hi" }, end]);
});

test("a turn that breaks off is a fault, and not one to be tried elsewhere", async () => {
  await listen({ take: async () => {} });
  const heard: TurnEvent[] = [];
  expect(await askSupervisor(path, { text: "hi" }, (event) => void heard.push(event), signal)).toBe(true);
  expect(heard).toMatchObject([{ type: "fault", code: "transport_disconnect" }]);
});

test("whoever goes away cancels the turn; whoever asks wrongly is cut off", async () => {
  const cancelled = new Promise<void>((resolve) => {
    void listen({ take: async (_, __, gone) => gone.addEventListener("abort", () => resolve()) }).then(() => {
      const socket = connect(path, () => socket.write('{"type":"prompt","text":"x"}\n', () => socket.destroy()));
    });
  });
  await cancelled;
  const strange = connect(path, () => strange.write("what?\n"));
  await new Promise<void>((resolve) => strange.on("close", () => resolve()).on("error", () => {}));
});

test("can be told to stop; where nobody listens, that is said", async () => {
  expect(await askToStop(path)).toBe(false);
  expect(await askSupervisor(path, { text: "hi" }, () => {}, signal)).toBe(false);
  const stopped = new Promise<void>((resolve) => void listen({ stop: resolve }).then(() => askToStop(path)));
  await stopped;
});
