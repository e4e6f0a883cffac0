// What people type in the terminal: commands at any time and in front of any agent, lines that are taken back.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scriptedAgent } from "../drive/cli.ts";
import { hasTmux, TmuxTerminal } from "./tmux.ts";

const SLOW_MS = 60_000;

/** Wants a sign-in before there is a session. */
const SIGNED_OUT = `
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    const result = { protocolVersion: 1, agentCapabilities: {} };
    const error = { code: -32000, message: "No login found" };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(method === "initialize" ? { result } : { error }) }));
  });
`;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!hasTmux)("what is typed in a terminal (needs tmux)", { timeout: SLOW_MS }, () => {
  test("changes the mode at once while a turn runs", async () => {
    using terminal = new TmuxTerminal();
    await terminal.start();
    terminal.send("count to 500");
    await terminal.until("1 2 3 4 5 6");
    terminal.send("/mode read-only");
    const screen = await terminal.until(/demo · read-only/);
    expect(screen).toContain("Working");
    expect(screen).not.toContain("next:");
    terminal.send("/mode wat");
    await terminal.until('There is no mode "wat"; choose from read-only, workspace-write');
  });

  test("keeps the mode in a new session", async () => {
    using terminal = new TmuxTerminal();
    await terminal.start();
    terminal.send("/mode read-only");
    await terminal.until(/demo · read-only/);
    terminal.send("/clear");
    await terminal.until(/A new session[\s\S]*demo · read-only/);
  });

  test("plans what is said behind /plan, and remembers what is said behind /memory add", async () => {
    using terminal = new TmuxTerminal({ columns: 160 });
    await terminal.start();
    terminal.send("/plan count to 3");
    await terminal.until("1 2 3");
    await terminal.until("demo · plan");
    terminal.send("/memory add Tests first.");
    await terminal.until("It holds from the next prompt on.");
    expect(readFileSync(join(terminal.cwd, "AGENTAO.md"), "utf8")).toBe("- Tests first.\n");
  });

  test("says so where another agent has none of it, and sends it nothing", async () => {
    using terminal = new TmuxTerminal({ columns: 120, rows: 60 });
    terminal.run(`--agent "${scriptedAgent().join(" ")}"`);
    await terminal.until("/help shows keys and commands");
    for (const [line, answer] of [
      ["/compact", "This agent has no /compact."],
      ["/memory add this", "This agent has no /memory."],
      ["/context", "This agent has no /context."],
      ["/mcp", "This agent has no /mcp."],
      ["/model x", "This agent does not let its model be chosen."],
      ["/mode x", "This agent does not let its mode be chosen."],
      ["/plan it", "This agent has no plan mode."],
      ["/sessions", "This agent does not list its sessions."],
      ["/resume abc", "This agent cannot go on with a stored session."],
      ["/fork", "This agent cannot copy a session."],
      ["/permissions", "This agent does not tell what it does without asking."],
    ] as const) {
      terminal.send(line);
      await terminal.until(answer);
    }
    terminal.send("hello");
    expect(await terminal.until("Echo: hello")).not.toContain("Echo: /");
  });

  test("tells once why an agent has ended, and what to do", async () => {
    using terminal = new TmuxTerminal({ columns: 120 });
    terminal.run(`--agent "${scriptedAgent("die", "3").join(" ")}"`);
    await terminal.until("/help shows keys and commands");
    terminal.send("hello");
    const screen = await terminal.until("The agent has ended. Leave with Ctrl+D, and start again to go on.");
    expect(screen.split("last words of the agent")).toHaveLength(2);
    terminal.press("C-d");
    // One that cannot go on with a session is not asked to.
    expect(await terminal.until("as it was")).not.toContain("--resume");
  });

  test("names the sessions there are where one is not", async () => {
    using terminal = new TmuxTerminal();
    await terminal.start();
    terminal.send("/resume nowhere");
    await terminal.until('There is no session "nowhere"; /sessions shows those of this folder.');
  });

  test("brings back by Up what Ctrl+C has cleared", async () => {
    using terminal = new TmuxTerminal();
    await terminal.start();
    terminal.type("half a thought");
    await terminal.until(/\nhalf a thought/);
    terminal.press("C-c");
    await terminal.until((screen) => !screen.includes("half a thought"));
    terminal.press("Up");
    await terminal.until(/\nhalf a thought/);
  });

  test("shows that a command of one's own runs, and how to stop it", async () => {
    using terminal = new TmuxTerminal();
    await terminal.start();
    terminal.send("!echo begun; sleep 300");
    await terminal.until(/begun\n.*\(running; Esc stops it\)/);
    terminal.press("Escape");
    expect(await terminal.until("(stopped)")).not.toContain("(running");
    terminal.send("!false");
    await terminal.until(/\$ false\n\s+\(exit code 1\)/);
    terminal.send("!");
    await terminal.until("Write a command behind the !");
  });

  test("ends a command of one's own with the program, on a dumb terminal too", async () => {
    using terminal = new TmuxTerminal();
    terminal.run("", { TERM: "dumb" });
    await terminal.until(/\n> ?$/);
    const note = join(terminal.cwd, "pid");
    terminal.send(`!echo $$ > ${note}; exec sleep 300`);
    await expect.poll(() => existsSync(note) && readFileSync(note, "utf8"), { timeout: SLOW_MS }).toMatch(/\d\n/);
    terminal.press("C-d");
    await terminal.until("exit code 0");
    await expect.poll(() => isRunning(Number(readFileSync(note, "utf8"))), { timeout: SLOW_MS }).toBe(false);
  });

  test.each([
    ["a folder that is not there", "--cwd nowhere", "agentao: --cwd: there is no folder", 2],
    [
      "an agent that wants a sign-in",
      "--agent 'node signed-out.cjs'",
      "agentao: the agent wants you to sign in first: No login found.",
      1,
    ],
  ])("says what to do about %s", async (_, args, words, code) => {
    using terminal = new TmuxTerminal({ columns: 120 });
    writeFileSync(join(terminal.cwd, "signed-out.cjs"), SIGNED_OUT);
    terminal.run(args);
    const screen = await terminal.until("as it was");
    expect(screen).toContain(words);
    expect(screen).toContain(`exit code ${code}`);
  });
});
