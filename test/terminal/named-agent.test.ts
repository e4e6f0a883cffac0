// `@name …` in the terminal: other agents of acp.json in the same conversation.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cli, scriptedAgent } from "../drive/cli.ts";
import { hasTmux, TmuxTerminal } from "./tmux.ts";

const SLOW_MS = 60_000;

/** Never answers a prompt, whatever it is told. */
const ROCK = `
  require("node:fs").appendFileSync("started", "yes\\n");
  const answers = { initialize: { protocolVersion: 1, agentCapabilities: {} }, "session/new": { sessionId: "s" } };
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (answers[method]) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] }));
  });
`;

/** Answers nothing at all, and does not go by itself. */
const STONE = `
  require("node:fs").writeFileSync("pid", String(process.pid));
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1000);
`;

interface Server {
  readonly command: readonly string[];
  readonly [field: string]: unknown;
}

function terminalWith(servers: Readonly<Record<string, Server>>): TmuxTerminal {
  const terminal = new TmuxTerminal({ columns: 100, rows: 40 });
  configure(terminal, servers);
  return terminal;
}

/** In the person's own acp.json, or in the project's. */
function configure(
  { home }: TmuxTerminal,
  servers: Readonly<Record<string, Server>>,
  folder = join(home, ".agentao"),
): void {
  const entries = Object.entries(servers).map(([name, { command, ...more }]) => {
    const [program, ...args] = command;
    return [name, { command: program, args, ...more }];
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "acp.json"), JSON.stringify({ servers: Object.fromEntries(entries) }));
}

describe.skipIf(!hasTmux)("@name in a terminal (needs tmux)", { timeout: SLOW_MS }, () => {
  test("asks the agent of that name, and nobody else of a name that is none", async () => {
    using terminal = terminalWith({ bob: { command: scriptedAgent(), description: "knows it all" } });
    await terminal.start();
    terminal.type("@b");
    await terminal.until(/→ @bob\s+agent: knows it all/);
    terminal.press("Tab");
    await terminal.until(/\n@bob/);
    terminal.send("look at this");
    const screen = await terminal.until("Echo: look at this");
    expect(screen).toMatch(/❯ @bob look at this\n\n· @bob\n\nEcho: look at this/);
    terminal.send("@bob");
    await terminal.until("@bob is an agent of acp.json (knows it all). Write behind its name");
    terminal.send("@nobody count to 3");
    await terminal.until("❯ @nobody count to 3");
    terminal.send("count to 4");
    await terminal.until("1 2 3 4");
  });

  test("brings its questions to the same place with its name, keeps it, and ends it at last", async () => {
    using terminal = terminalWith({
      bob: { command: scriptedAgent("permission") },
      me: { command: cli("--acp", "--stdio") },
    });
    await terminal.start();
    terminal.send("@bob do it");
    await terminal.until("Allow: @bob Delete everything");
    terminal.press("1");
    await terminal.until('"optionId":"yes"');
    terminal.send("@me run rm -rf build");
    await terminal.until("Allow: @me rm -rf build");
    terminal.press("1");
    await terminal.until("✓ @me rm -rf build");
    terminal.send("@bob once more");
    await terminal.until("Allow: @bob Delete everything");
    terminal.press("Escape");
    await terminal.until('"optionId":"no"');
    terminal.press("C-d");
    // Our own agent was never asked, so there is nothing to go on with.
    expect(await terminal.until("as it was")).not.toContain("--resume");
    const log = join(terminal.cwd, ".agentao/acp/bob.log");
    expect(readFileSync(log, "utf8")).toBe("scripted agent: permission\n");
  });

  test("is stopped by Esc, also where it does not listen, and what waited comes back", async () => {
    using terminal = terminalWith({
      deaf: { command: scriptedAgent("deaf") },
      mute: { command: scriptedAgent("mute") },
    });
    await terminal.start();
    terminal.send("@deaf are you there?");
    await terminal.until("· @deaf");
    terminal.send("@mute later");
    await terminal.until("next: @mute later");
    terminal.press("Escape");
    await terminal.until("Stopped.");
    await terminal.until(/\n@mute later/);
    terminal.press("Enter");
    await terminal.until("Working");
    terminal.press("Escape");
    await terminal.until((screen) => screen.split("Stopped.").length === 3);
    terminal.send("count to 3");
    await terminal.until("1 2 3");
  });

  test("asks before it runs what a project brings, once, and again when that is something else", async () => {
    using terminal = new TmuxTerminal({ columns: 160, rows: 40 });
    const folder = join(terminal.cwd, ".agentao");
    const rock = { command: [process.execPath, "-e", ROCK] };
    configure(terminal, { rock }, folder);
    await terminal.start();
    terminal.send("@rock move");
    await terminal.until("Start @rock?");
    // Whoever goes on typing has not agreed.
    terminal.send("oh wait no");
    await terminal.until("@rock was not started.");
    expect(existsSync(join(terminal.cwd, "started"))).toBe(false);

    configure(terminal, { bob: { command: scriptedAgent() } }, folder);
    terminal.send("@bob hello");
    await terminal.until("@bob is an agent that this project brings. To answer you it would run, as you:");
    terminal.press("3");
    await terminal.until("Echo: hello");
    terminal.press("C-d");
    await terminal.until("as it was");

    await terminal.start();
    terminal.send("@bob hello again");
    await terminal.until("Echo: hello again");
    configure(terminal, { bob: { command: scriptedAgent("refuse") } }, folder);
    terminal.send("@bob still there?");
    await terminal.until("Start @bob?");
    terminal.press("2");
    await terminal.until("The model refused to go on.");
    terminal.send("@bob and now?");
    await terminal.until((screen) => screen.split("The model refused to go on.").length === 3);
  });

  test("ends one that does not stop, and starts it anew", async () => {
    using terminal = terminalWith({ rock: { command: [process.execPath, "-e", ROCK] } });
    await terminal.start();
    terminal.send("@rock move");
    await terminal.until("· @rock");
    terminal.press("Escape");
    await terminal.until("@rock did not stop, so it was ended. The next prompt starts it anew.");
    terminal.send("@rock move on");
    await terminal.until((screen) => screen.split("· @rock").length === 3);
    terminal.press("C-d");
    await terminal.until("as it was");
    expect(readFileSync(join(terminal.cwd, "started"), "utf8")).toBe("yes\nyes\n");
  });

  test("leaves nothing running of one that was still being started", async () => {
    using terminal = terminalWith({ stone: { command: [process.execPath, "-e", STONE] } });
    await terminal.start();
    terminal.send("@stone hello");
    const note = join(terminal.cwd, "pid");
    await expect.poll(() => existsSync(note) && readFileSync(note, "utf8"), { timeout: SLOW_MS }).toMatch(/^\d+$/);
    terminal.press("C-d");
    await terminal.until("as it was");
    expect(() => process.kill(Number(readFileSync(note, "utf8")), 0)).toThrow("ESRCH");
  });

  test.each([
    ["cannot be started", { command: ["no-such-agent"] }, /no such program.*\(agentao acp list shows/s],
    ["does not come up", { command: scriptedAgent("unready", "7") }, /did not come up: .*exited with code 7/s],
    ["says nothing", { command: scriptedAgent("mute"), startupTimeoutMs: 300 }, "Raise startupTimeoutMs in acp.json"],
    ["has a broken entry", { command: scriptedAgent(), cwd: 3 }, /@bob cannot be asked.*servers\.bob\.cwd/s],
    ["needs a variable", { command: scriptedAgent(), env: { KEY: "$NOT_SET" } }, "needs NOT_SET, which is not set."],
  ])("says what to do where it %s", async (_, server, words) => {
    using terminal = terminalWith({ bob: server });
    await terminal.start();
    terminal.send("@bob hello");
    await terminal.until((screen) => {
      const text = screen.replace(/\s+/g, " ");
      return typeof words === "string" ? text.includes(words) : words.test(text);
    });
    // Mended, it is asked.
    configure(terminal, { bob: { command: scriptedAgent() } });
    terminal.send("@bob hello again");
    await terminal.until("Echo: hello again");
  });

  test("starts one anew that died, and not for ever", async () => {
    using terminal = terminalWith({ bob: { command: scriptedAgent("die", "3"), maxRecoverableRestarts: 1 } });
    await terminal.start();
    terminal.send("@bob one");
    await terminal.until("last words of the agent");
    await terminal.until("The next prompt starts it anew");
    terminal.press("C-l");
    terminal.send("@bob two");
    await terminal.until("It is not started again. agentao acp logs bob shows");
    terminal.send("@bob three");
    await terminal.until("@bob has died too often to be started again.");
    expect(readFileSync(join(terminal.cwd, ".agentao/acp/bob.log"), "utf8").match(/last words/g)).toHaveLength(2);
  });

  test("asks it in plain lines on a dumb terminal, too", async () => {
    using terminal = terminalWith({ bob: { command: scriptedAgent("permission") } });
    terminal.run("", { TERM: "dumb" });
    await terminal.until(/\n> ?$/);
    terminal.send("@bob do it");
    await terminal.until("Allow: @bob Delete everything");
    terminal.send("2");
    await terminal.until('"optionId":"no"');
    terminal.press("C-d");
    await terminal.until("exit code 0");
    expect(existsSync(join(terminal.cwd, ".agentao/acp/bob.log"))).toBe(true);
  });
});
