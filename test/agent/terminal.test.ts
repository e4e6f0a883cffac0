// Commands in the client's terminals. The harness fails a scenario that calls what was not offered, or leaves a terminal
// unreleased (C-239 … C-241).

import { RpcError } from "@agentao/acp";
import { expect, test } from "vitest";
import { call, text } from "../../packages/agent/src/model/script.ts";
import { terminalHandlers } from "./client-terminal.ts";
import { connectScripted, type ScriptedSetup } from "./connect-scripted.ts";
import { only, toldOf } from "./seen.ts";

type Handlers = NonNullable<ScriptedSetup["handlers"]>;

const run = [[call("run_shell_command", { command: "touch made; echo local" })], [text("ok")]];

const bad: readonly (readonly [string, Handlers])[] = [
  ["-32601", {}],
  ["null", { createTerminal: () => null as never }],
  ["nonsense", { createTerminal: () => ({}) as never }],
];

test("commands run in the client's terminal, which is shown, and released (C-229, C-239, C-240)", async () => {
  const created: unknown[] = [];
  await using scripted = await connectScripted({
    script: run,
    answer: "allow_once",
    handlers: terminalHandlers(
      { output: "\u001b[1mremote\u001b[0m\r\n" },
      {
        createTerminal: (params) => {
          created.push(params);
          return { terminalId: "term_1" };
        },
      },
    ),
  });

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  expect(created).toEqual([
    {
      sessionId: "sess_1",
      command: "bash",
      args: ["-c", "touch made; echo local"],
      env: expect.arrayContaining([{ name: "PATH", value: "/usr/local/bin:/usr/bin:/bin" }]),
      cwd: scripted.cwd,
      outputByteLimit: 131_072,
    },
  ]);
  expect(only(updates, "tool_call_update").map(({ status, content }) => [status, content])).toEqual([
    ["in_progress", undefined],
    ["in_progress", [{ type: "terminal", terminalId: "term_1" }]],
    ["completed", [{ type: "terminal", terminalId: "term_1" }]],
  ]);
  expect(toldOf(scripted)).toBe("STDOUT:\nremote\n\nExit code: 0");
  expect(scripted.calls.at(-1)).toBe("terminal/release");
});

test.each(bad)("a client that answers %s to terminals: the command runs locally", async (_, handlers) => {
  await using scripted = await connectScripted({
    script: run,
    answer: "allow_once",
    handlers,
    capabilities: { terminal: true },
  });

  await scripted.prompt(await scripted.open(), "go");

  expect(toldOf(scripted)).toBe("STDOUT:\nlocal\n\nExit code: 0");
});

test("the exit code is what the client said when the command ended", async () => {
  await using scripted = await connectScripted({
    script: run,
    answer: "allow_once",
    handlers: terminalHandlers({ exitCode: 0 }, { terminalOutput: () => ({ output: "remote\n", truncated: false }) }),
  });

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  expect(toldOf(scripted)).toBe("STDOUT:\nremote\n\nExit code: 0");
  expect(only(updates, "tool_call_update").at(-1)?.status).toBe("completed");
});

test("a terminal is released when its command fails, and when the client fails (C-240)", async () => {
  await using scripted = await connectScripted({
    script: run,
    answer: "allow_once",
    handlers: terminalHandlers(
      {},
      {
        terminalOutput: () => {
          throw RpcError.internal("lost");
        },
      },
    ),
  });

  const { stopReason } = await scripted.prompt(await scripted.open(), "go");

  expect(stopReason).toBe("end_turn");
});

test("a terminal is killed and released when the turn is cancelled (C-211, C-240)", async () => {
  await using scripted = await connectScripted({
    script: run,
    answer: "allow_once",
    handlers: terminalHandlers({}, { waitForTerminalExit: () => new Promise<never>(() => {}) }),
  });
  const sessionId = await scripted.open();

  const turn = scripted.prompt(sessionId, "go");
  await scripted.until(() => scripted.calls.includes("terminal/wait_for_exit"));
  void scripted.client.cancel(sessionId);
  const { stopReason } = await turn;
  await scripted.until(() => scripted.calls.includes("terminal/release"));

  expect(stopReason).toBe("cancelled");
  expect(scripted.calls).toContain("terminal/kill");
});

test("a terminal that is made while the turn is cancelled is released (C-240)", async () => {
  let create = (): void => {};
  await using scripted = await connectScripted({
    script: run,
    answer: "allow_once",
    handlers: terminalHandlers(
      {},
      {
        createTerminal: () =>
          new Promise((resolve) => {
            create = () => resolve({ terminalId: "term_late" });
          }),
      },
    ),
  });
  const sessionId = await scripted.open();

  const turn = scripted.prompt(sessionId, "go");
  await scripted.until(() => scripted.calls.includes("terminal/create"));
  await scripted.client.listSessions();
  void scripted.client.cancel(sessionId);
  const { stopReason } = await turn;
  create();
  await scripted.client.listSessions();

  expect(stopReason).toBe("cancelled");
});
