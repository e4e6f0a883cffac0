// What commands print: floods are bounded for the person, the model and the memory, and silence ends.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SessionUpdate } from "@agentao/acp";
import { describe, expect, test } from "vitest";
import { call, type Step, text } from "../../packages/agent/src/model/script.ts";
import { MAX_TOLD_CHARS } from "../../packages/agent/src/tool/bound.ts";
import { MAX_CONTENT_BYTES } from "../../packages/agent/src/tool/bound-content.ts";
import { isAlive } from "../process/process-mark.ts";
import { connectScripted, type Scripted } from "./connect-scripted.ts";
import { only, resultsOf, toldOf } from "./seen.ts";

const FLOOD_BYTES = 100_000_000;
/** What a program that kept all of it could not do with. */
const MAX_MEMORY_BYTES = 90_000_000;
const SPILLED = /can be read in (\S+) …\]/;

const shell = (command: string, more: object = {}) => call("run_shell_command", { command, ...more });

/** Reads what the last result named. */
function readSpilled(model: () => Scripted["model"], more: object): Step {
  return {
    type: "call",
    name: "read_file",
    get input() {
      const [first] = resultsOf(model().asked.at(-1)) ?? [];
      return JSON.stringify({ file_path: SPILLED.exec(JSON.stringify(first?.parts))?.[1], ...more });
    },
  };
}

function bytesOf(updates: readonly SessionUpdate[]): number {
  return updates.reduce((sum, update) => sum + Buffer.byteLength(JSON.stringify(update)), 0);
}

describe.skipIf(process.platform === "win32")("a command that prints", () => {
  test("100 MB costs no memory and few frames, and the model can read in what was left out", async () => {
    const line = "0123456789".repeat(10).slice(1);
    await using scripted = await connectScripted({
      script: [
        [shell(`yes ${line} | head -c ${FLOOD_BYTES}; echo; echo the end`)],
        [readSpilled(() => scripted.model, { offset: 500_000, limit: 2 })],
        [text("ok")],
      ],
      answer: "allow_once",
    });
    const sessionId = await scripted.open();
    const before = process.memoryUsage.rss();
    let most = before;
    const looks = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 10);

    const { updates } = await scripted.prompt(sessionId, "go");
    clearInterval(looks);

    const ofCommand = only(updates, "tool_call", "tool_call_update").filter(
      ({ toolCallId }) => toolCallId === "call_1",
    );
    expect(ofCommand.at(-1)).toMatchObject({ status: "completed" });
    expect(bytesOf(ofCommand)).toBeLessThanOrEqual(2 * MAX_CONTENT_BYTES);
    expect(most - before).toBeLessThan(MAX_MEMORY_BYTES);

    const told = JSON.stringify(resultsOf(scripted.model.asked[1]));
    expect(told.length).toBeLessThan(MAX_TOLD_CHARS + 1_000);
    expect(told).toContain("99,");
    expect(told).toContain("the end");
    expect(SPILLED.exec(told)?.[1]).toContain(join(scripted.cwd, "../spill/output-"));
    expect(toldOf(scripted)).toContain(`500000\t${line}\n500001\t${line}`);
    expect(scripted.asked).toHaveLength(1);
  });

  test("little is told whole, in the order in which it was printed", async () => {
    await using scripted = await connectScripted({
      script: [
        [shell("printf 'a\\n'; printf 'b\\n' >&2; printf '\\033[31mred\\033[0m\\n'; printf 'no end'")],
        [text("ok")],
      ],
      answer: "allow_once",
    });

    await scripted.prompt(await scripted.open(), "go");

    expect(toldOf(scripted)).toBe("STDOUT:\na\nb\nred\nno end\n\nExit code: 0");
  });

  test("bytes that are no text breaks nothing", async () => {
    await using scripted = await connectScripted({
      script: [[shell("head -c 200000 /dev/urandom; echo; echo the end > end; cat end")], [text("ok")]],
      answer: "allow_once",
    });

    const { updates, stopReason } = await scripted.prompt(await scripted.open(), "go");

    expect(stopReason).toBe("end_turn");
    expect(bytesOf(only(updates, "tool_call_update"))).toBeLessThanOrEqual(2 * MAX_CONTENT_BYTES);
    expect(toldOf(scripted)).toContain("the end");
    expect(toldOf(scripted).length).toBeLessThanOrEqual(MAX_TOLD_CHARS);
  });

  test("nothing for longer than the timeout is ended, with everything it started, and told", async () => {
    await using scripted = await connectScripted({
      script: [[shell("echo begun; sleep 600 & echo $! > child; wait", { timeout: 1 })], [text("ok")]],
      answer: "allow_once",
    });

    const { updates } = await scripted.prompt(await scripted.open(), "go");

    expect(toldOf(scripted)).toBe(
      "Command timed out after 1s of inactivity.\n\nSTDOUT:\nbegun\n\n" +
        "It was ended with everything it started. If it is only slow, run it again with a longer timeout (at most 3600); " +
        "a server or watcher runs with is_background.",
    );
    const said = (words: string) => ({ type: "content", content: { type: "text", text: words } });
    expect(only(updates, "tool_call_update").at(-1)).toMatchObject({
      status: "failed",
      content: [said("```\nbegun\n```"), said("Command timed out after 1s of inactivity.")],
    });
    const child = Number(await scripted.get("child"));
    await expect.poll(() => isAlive(child)).toBe(false);
  });

  test("now and then for longer than the timeout is not ended", async () => {
    await using scripted = await connectScripted({
      script: [
        [shell("for at in 1 2 3 4 5 6 7 8; do echo $at > at; cat at; sleep 0.3; done", { timeout: 2 })],
        [text("ok")],
      ],
      answer: "allow_once",
    });

    await scripted.prompt(await scripted.open(), "go");

    expect(toldOf(scripted)).toBe("STDOUT:\n1\n2\n3\n4\n5\n6\n7\n8\n\nExit code: 0");
  });
});

test("what is put into a file for its length has no secrets in it", async () => {
  const secret = "sk-abcdefghijklmnop1234";
  await using scripted = await connectScripted({
    script: [
      [call("run_shell_command", { command: `seq 1 20000; echo OPENAI_API_KEY=${secret}; seq 1 20000` })],
      [text("Done.")],
    ],
    answer: "allow_once",
  });
  await scripted.prompt(await scripted.open(), "Go.");
  const [, path = ""] = /can be read in (\S+)/.exec(toldOf(scripted)) ?? [];
  const kept = await readFile(path, "utf8");
  expect(kept).toContain("OPENAI_API_KEY=[redacted]");
  expect(kept).not.toContain(secret);
  expect(kept.split("\n")).toHaveLength(40_002);
});
