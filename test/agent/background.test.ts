// Commands in the background: started, looked at, ended by the model or with their session.

import { describe, expect, test } from "vitest";
import { call, type Script, text } from "../../packages/agent/src/model/script.ts";
import { isAlive } from "../process/process-mark.ts";
import { connectScripted, type Scripted } from "./connect-scripted.ts";
import { only, toldOf } from "./seen.ts";

/** What the person says is the command to start, or which tool to call with which id. */
function script(command: string): Script {
  const when = (lastUserText: RegExp, ...steps: Extract<Script[number], readonly unknown[]>) => ({
    when: { lastUserText },
    steps,
  });
  return [
    when(/^start$/, call("run_shell_command", { command, is_background: true })),
    when(/^check$/, call("check_background_command", { id: "bg_1" })),
    when(/^list$/, call("check_background_command")),
    when(/^stop$/, call("stop_background_command", { id: "bg_1" })),
    when(/^check another$/, call("check_background_command", { id: "bg_9" })),
    when(/^stop another$/, call("stop_background_command", { id: "bg_9" })),
    { when: { lastResult: /^/ }, steps: [text("ok")] },
  ];
}

function connect(command: string): Promise<Scripted> {
  return connectScripted({ script: script(command), answer: "allow_once" });
}

async function tell(scripted: Scripted, sessionId: string, words: string): Promise<string> {
  await scripted.prompt(sessionId, words);
  return toldOf(scripted);
}

function pidOf(told: string): number {
  return Number(/PID: (\d+)/.exec(told)?.[1]);
}

describe.skipIf(process.platform === "win32")("a command in the background", () => {
  test("is asked about, and the turn goes on while it runs", async () => {
    await using scripted = await connect("touch up; sleep 600");
    const sessionId = await scripted.open();

    const { updates, stopReason } = await scripted.prompt(sessionId, "start");

    expect(stopReason).toBe("end_turn");
    expect(scripted.asked).toMatchObject([
      {
        toolCall: {
          title: "touch up; sleep 600",
          kind: "execute",
          rawInput: { command: "touch up; sleep 600", is_background: true },
        },
      },
    ]);
    const pid = pidOf(toldOf(scripted));
    const said = `Started in the background as bg_1. PID: ${pid}, PGID: ${pid}.`;
    expect(toldOf(scripted)).toBe(
      `${said}\ncheck_background_command with id "bg_1" tells its state and new output; stop_background_command ends it.`,
    );
    expect(only(updates, "tool_call_update").at(-1)).toMatchObject({
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: said } }],
    });
    expect(isAlive(pid)).toBe(true);
  });

  test("shows what it printed once, and how it ended", async () => {
    await using scripted = await connect(
      "echo one; until [ -e go ]; do sleep 0.02; done; echo two > two; cat two; exit 3",
    );
    const sessionId = await scripted.open();
    const pid = pidOf(await tell(scripted, sessionId, "start"));
    const checks: string[] = [];
    const check = async (): Promise<string> => {
      checks.push(await tell(scripted, sessionId, "check"));
      return checks.at(-1) as string;
    };

    await expect.poll(check).toBe(`bg_1: running (PID ${pid})\n\nNew output:\none`);
    expect(await check()).toBe(`bg_1: running (PID ${pid})\n\nNo new output.`);
    await scripted.put("go", "");
    await expect.poll(check).toMatch(/^bg_1: ended, exit code 3/);
    expect(await check()).toBe("bg_1: ended, exit code 3\n\nNo new output.");

    expect(checks.join("\n").match(/^(one|two)$/gm)).toEqual(["one", "two"]);
    expect(scripted.asked).toHaveLength(1);
  });

  test("is stopped with everything it started", async () => {
    await using scripted = await connect("sleep 600 & echo $! > child; echo up; wait");
    const sessionId = await scripted.open();
    const pid = pidOf(await tell(scripted, sessionId, "start"));
    await expect.poll(() => tell(scripted, sessionId, "check")).toContain("up");
    const child = Number(await scripted.get("child"));
    expect([pid, child].map(isAlive)).toEqual([true, true]);

    const told = await tell(scripted, sessionId, "stop");

    expect(told).toBe("bg_1: stopped by SIGTERM\n\nNo new output.");
    await expect.poll(() => [pid, child].map(isAlive)).toEqual([false, false]);
    expect(scripted.asked).toHaveLength(1);
  });

  test("is listed where no id is given, with how it is doing", async () => {
    await using scripted = await connect("touch up; sleep 600");
    const sessionId = await scripted.open();

    expect(await tell(scripted, sessionId, "list")).toBe("No command runs in the background.");
    const first = pidOf(await tell(scripted, sessionId, "start"));
    const second = pidOf(await tell(scripted, sessionId, "start"));
    expect(await tell(scripted, sessionId, "list")).toBe(
      `bg_1: running (PID ${first}): touch up; sleep 600\nbg_2: running (PID ${second}): touch up; sleep 600`,
    );
    await tell(scripted, sessionId, "stop");
    expect(await tell(scripted, sessionId, "list")).toBe(
      `bg_1: stopped by SIGTERM: touch up; sleep 600\nbg_2: running (PID ${second}): touch up; sleep 600`,
    );
  });

  test("that nobody started is a failure that names those there are", async () => {
    await using scripted = await connect("touch up; sleep 600");
    const sessionId = await scripted.open();

    expect(await tell(scripted, sessionId, "check another")).toBe(
      'Error: No command in the background is named "bg_9". There are none.',
    );
    await tell(scripted, sessionId, "start");
    expect(await tell(scripted, sessionId, "stop another")).toBe(
      'Error: No command in the background is named "bg_9". There are: bg_1.',
    );
  });

  test("belongs to its session: no other sees it, and it ends when that is closed", async () => {
    await using scripted = await connect("sleep 600 & echo $! > child; echo up; wait");
    const first = await scripted.open();
    const second = await scripted.open();
    const pid = pidOf(await tell(scripted, first, "start"));
    await expect.poll(() => tell(scripted, first, "check")).toContain("up");
    const child = Number(await scripted.get("child"));

    expect(await tell(scripted, second, "list")).toBe("No command runs in the background.");
    await scripted.client.closeSession(second);
    expect([pid, child].map(isAlive)).toEqual([true, true]);
    await scripted.client.closeSession(first);

    await expect.poll(() => [pid, child].map(isAlive)).toEqual([false, false]);
  });

  test("goes on when a turn is cancelled, and ends with the connection", async () => {
    const deaf = await connect('trap "" TERM; touch up; while :; do sleep 0.02; done');
    let pid: number;
    {
      await using scripted = deaf;
      const sessionId = await scripted.open();
      pid = pidOf(await tell(scripted, sessionId, "start"));
      scripted.client.cancel(sessionId);
      expect(await tell(scripted, sessionId, "list")).toContain("running");
    }

    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test("is not started where the person says no", async () => {
    await using scripted = await connectScripted({ script: script("touch made; sleep 600") });
    const sessionId = await scripted.open();

    expect(await tell(scripted, sessionId, "start")).toContain("the person rejected it");

    expect(await tell(scripted, sessionId, "list")).toBe("No command runs in the background.");
  });
});
