// The client under test without a library. Told `group`, it starts its agent in a process group of its own, as
// @agentao/acp does: where Linux schedules by session (autogroup), that alone adds microseconds to every wake-up.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { runClient } from "../job/client-job.ts";
import { readFrames, writeFrame } from "../job/raw-loop.ts";

await runClient(async ([program, ...args], onUpdate) => {
  const detached = process.argv[3] === "group";
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], detached });
  const exited = once(child, "exit");
  const pending = new Map<number, (result: unknown) => void>();
  let nextId = 0;

  readFrames(child.stdout, ({ id, result, params }) => {
    if (id === undefined) {
      onUpdate((params as { update: unknown }).update);
      return;
    }
    pending.get(id)?.(result);
    pending.delete(id);
  });

  const request = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve) => {
      const id = nextId++;
      pending.set(id, resolve);
      void writeFrame(child.stdin, { id, method, params });
    });

  const cwd = process.cwd();
  await request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = (await request("session/new", { cwd, mcpServers: [] })) as { sessionId: string };
  return {
    agentPid: child.pid ?? 0,
    prompt: (text) => request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }),
    load: () => request("session/load", { sessionId, cwd, mcpServers: [] }),
    extRequest: request,
    close: async () => {
      child.stdin.end();
      await exited;
    },
  };
});
