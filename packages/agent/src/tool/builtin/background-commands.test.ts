import { afterEach, beforeEach, expect, test } from "vitest";
import { type TemporaryMachine, temporaryMachine } from "../../machine/temporary-machine.ts";
import { text } from "../../message/message.ts";
import { planTool, runTool, type ScriptedRoom, scriptedRoom, told } from "../scripted-room.ts";
import { checkBackgroundCommand } from "./check-background-command.ts";
import { runShellCommand } from "./run-shell-command.ts";
import { stopBackgroundCommand } from "./stop-background-command.ts";

let here: TemporaryMachine;
let room: ScriptedRoom;

beforeEach(async () => {
  here = await temporaryMachine();
  room = scriptedRoom(here.machine, here.root);
});

afterEach(async () => {
  await room.background.close();
  await here[Symbol.asyncDispose]();
});

test.skipIf(process.platform === "win32")("a command is started, checked, listed and stopped", async () => {
  const command = "echo ready; exec sleep 600";

  const started = await runTool(runShellCommand, { command, is_background: "true" }, room);
  const pid = room.background.list()[0]?.pid;
  expect(told(started)).toBe(
    `Started in the background as bg_1. PID: ${pid}, PGID: ${pid}.\ncheck_background_command with id "bg_1" tells its state and new output; stop_background_command ends it.`,
  );
  await expect
    .poll(async () => told(await runTool(checkBackgroundCommand, { id: "bg_1" }, room)))
    .toBe(`bg_1: running (PID ${pid})\n\nNew output:\nready`);
  expect(await runTool(checkBackgroundCommand, { id: "bg_1" }, room)).toEqual({
    told: [text(`bg_1: running (PID ${pid})\n\nNo new output.`)],
    content: [text(`bg_1: running (PID ${pid})`)],
  });
  expect(told(await runTool(checkBackgroundCommand, {}, room))).toBe(`bg_1: running (PID ${pid}): ${command}`);

  expect(told(await runTool(stopBackgroundCommand, { id: "bg_1" }, room))).toBe(
    "bg_1: stopped by SIGTERM\n\nNo new output.",
  );
  expect(told(await runTool(checkBackgroundCommand, { id: "" }, room))).toBe(`bg_1: stopped by SIGTERM: ${command}`);
});

test.skipIf(process.platform === "win32")("a command that failed at once tells how", async () => {
  await runTool(runShellCommand, { command: "echo no; exit 2", is_background: true }, room);
  await expect.poll(() => room.background.list()[0]?.ended).toBeDefined();

  expect(told(await runTool(checkBackgroundCommand, { id: "bg_1" }, room))).toBe(
    "bg_1: ended, exit code 2\n\nNew output:\nno",
  );
});

test.skipIf(process.platform === "win32")("a command that somebody else killed tells what that means", async () => {
  await runTool(runShellCommand, { command: "kill -KILL $$", is_background: true }, room);
  await expect.poll(() => room.background.list()[0]?.ended).toBeDefined();

  expect(told(await runTool(checkBackgroundCommand, { id: "bg_1" }, room))).toBe(
    "bg_1: ended by SIGKILL (killed from outside, often because memory ran out)\n\nNo new output.",
  );
});

test("an id that is not known is answered with those that are", async () => {
  expect(told(await runTool(checkBackgroundCommand, {}, room))).toBe("No command runs in the background.");
  for (const tool of [checkBackgroundCommand, stopBackgroundCommand]) {
    expect(await runTool(tool, { id: "bg_7" }, room)).toEqual({
      failed: true,
      told: [text('Error: No command in the background is named "bg_7". There are none.')],
    });
  }
});

test("checking and stopping are the session's own business; starting is a command like every other", () => {
  expect(planTool(checkBackgroundCommand, { id: "bg_1" }, room).effect).toEqual({ type: "session" });
  expect(planTool(stopBackgroundCommand, { id: "bg_1" }, room)).toMatchObject({
    title: "Stop bg_1",
    effect: { type: "session" },
  });
  expect(planTool(runShellCommand, { command: "npm start", is_background: true }, room).effect).toEqual({
    type: "command",
    command: "npm start",
    cwd: here.root,
  });
});
