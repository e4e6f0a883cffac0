// The interactive terminal as a person meets it: the built program in a real terminal, with the scripted models.

import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasTmux, TmuxTerminal } from "./tmux.ts";

const SLOW_MS = 60_000;

describe.skipIf(!hasTmux)("agentao in a terminal (needs tmux)", { timeout: SLOW_MS }, () => {
  test("streams an answer, is left by Ctrl+D, and says how to go on", async () => {
    using terminal = new TmuxTerminal();
    await terminal.start();
    terminal.send("count to 5");
    await terminal.until("1 2 3 4 5");
    terminal.press("C-d");
    const screen = await terminal.until("as it was");
    expect(screen).toContain("exit code 0");
    expect(screen).toMatch(/agentao --resume sess_\w+/);
  });

  test("greets with the folder as a person would write it, before anything else", async () => {
    using terminal = new TmuxTerminal();
    await terminal.start('--cwd "$HOME"');
    await terminal.until(/^· Agentao in ~\. \/help shows keys and commands\.\n\n! No key/);
  });

  test("asks for permission with every width of always, and does what is answered", async () => {
    using terminal = new TmuxTerminal();
    await terminal.start();
    terminal.send("run rm -rf build");
    const asked = await terminal.until("Allow: rm -rf build");
    expect(asked).toMatch(/❯ 1 Allow once/);
    expect(asked).toMatch(/2 Always allow/);
    terminal.press("2");
    await terminal.until("✓ rm -rf build");
    await terminal.until("no output");
    terminal.send("run rm -rf build");
    await terminal.until((screen) => screen.split("✓ rm -rf build").length === 3);
  });

  test("takes Esc for no", async () => {
    using terminal = new TmuxTerminal();
    await terminal.start();
    terminal.send("run rm -rf build");
    await terminal.until("Allow: rm -rf build");
    terminal.press("Escape");
    await terminal.until("✗ rm -rf build");
  });

  test("shows a diff with line numbers when a call is opened, and what the session changed", async () => {
    using terminal = new TmuxTerminal();
    writeFileSync(join(terminal.cwd, "b.txt"), "one\ntwo 日本\nthree\n");
    await terminal.start();
    terminal.send("replace two with zwei in b.txt");
    await terminal.until("✓ Edit b.txt");
    await terminal.until("is changed");
    expect(terminal.screen()).not.toContain("2 + zwei 日本");
    terminal.press("C-o");
    const screen = await terminal.until("2 + zwei 日本");
    expect(screen).toContain("2 - two 日本");
    terminal.press("C-o");
    await terminal.until((shown) => !shown.includes("2 + zwei 日本"));
    terminal.send("/diff");
    await terminal.until("2 + zwei 日本");
  });

  test("stops at once by Esc, and gives back what waited", async () => {
    using terminal = new TmuxTerminal();
    await terminal.start();
    terminal.send("count to 500");
    await terminal.until("1 2 3 4 5 6");
    terminal.send("read later.txt");
    await terminal.until("next: read later.txt");
    terminal.press("Escape");
    await terminal.until("Stopped.");
    await terminal.until(/\nread later.txt/);
    terminal.press("C-c");
    await terminal.until((screen) => !screen.includes("\nread later.txt"));
    terminal.press("C-c");
    await terminal.until("Ctrl+C again to leave");
    terminal.press("C-c");
    await terminal.until("as it was");
  });

  test("answers a question by a number or in own words", async () => {
    using terminal = new TmuxTerminal();
    await terminal.start();
    terminal.send("ask me something");
    await terminal.until("❯ 1 Red");
    terminal.press("4");
    await terminal.until("Enter: answer");
    terminal.send("Violet");
    await terminal.until("The user answered: Violet");
  });

  test("goes on with a session, with all that was said, and what was typed", async () => {
    using terminal = new TmuxTerminal();
    await terminal.start();
    terminal.send("count to 3");
    await terminal.until("1 2 3");
    terminal.press("C-d");
    await terminal.until("as it was");
    await terminal.start("--continue");
    await terminal.until("❯ count to 3");
    terminal.press("Up");
    await terminal.until(/\ncount to 3/);
    terminal.press("Enter");
    await terminal.until((screen) => screen.split("❯ count to 3").length === 3);
    const history = join(terminal.home, ".agentao", "history.jsonl");
    expect(readFileSync(history, "utf8")).toBe('"count to 3"\n');
    expect(statSync(history).mode & 0o777).toBe(0o600);
  });

  test("keeps its shape in 40 columns, and in a window that changes", async () => {
    using terminal = new TmuxTerminal();
    await terminal.start();
    terminal.send("count to 60");
    await terminal.until(" 60");
    terminal.resize(40, 16);
    const screen = await terminal.until(/\n─{40}\n.*\n─{40}\ndemo · workspace-write · \d% full$/);
    expect(screen.split("\n").every((line) => line.length <= 40)).toBe(true);
    terminal.resize(100, 30);
    await terminal.until(/\n─{100}\n.*\n─{100}\nscripted\/demo/);
  });

  test("takes lines, pastes, files and commands of one's own", async () => {
    using terminal = new TmuxTerminal();
    writeFileSync(join(terminal.cwd, "some-file.txt"), "x");
    await terminal.start();
    terminal.type("one");
    terminal.press("C-j");
    terminal.type("two");
    await terminal.until(/\none\s*\ntwo\s*\n/);
    terminal.press("C-c");
    terminal.paste(Array.from({ length: 120 }, (_, at) => `line ${at}`).join("\n"));
    await terminal.until("[pasted 120 lines]");
    terminal.press("C-c");
    terminal.type("read @sofi");
    await terminal.until("→ some-file.txt");
    terminal.press("Tab");
    await terminal.until("read @some-file.txt");
    terminal.press("C-c");
    terminal.send("!echo mine $((40 + 2)); exit 3");
    const screen = await terminal.until("(exit code 3)");
    expect(screen).toContain("mine 42");
  });

  test("answers a command that does not exist itself, and sends none that was typed faster than it was offered", async () => {
    using terminal = new TmuxTerminal();
    await terminal.start();
    terminal.send("/bogus");
    await terminal.until("There is no command /bogus");
    terminal.type("/");
    await terminal.until("→ /");
    terminal.type("context\r");
    await terminal.until(/❯ \/context\s/);
  });

  test("leaves the terminal as it was after SIGTERM in the middle of a turn", async () => {
    using terminal = new TmuxTerminal();
    await terminal.start();
    terminal.send("count to 500");
    await terminal.until("1 2 3 4 5 6");
    process.kill(terminal.pid, "SIGTERM");
    expect(await terminal.until("as it was")).toContain("exit code 0");
  });

  test("leaves the terminal as it was after a crash", async () => {
    using terminal = new TmuxTerminal();
    const crash = "process.on(%22SIGUSR2%22,()=>{throw(new(Error)(%22boom%22))})";
    await terminal.start("", { NODE_OPTIONS: `--import=data:text/javascript,${crash}` });
    process.kill(terminal.pid, "SIGUSR2");
    const screen = await terminal.until("as it was");
    expect(screen).toContain("exit code 1");
    expect(screen).toContain("boom");
  });

  test("is put aside by Ctrl+Z, and comes back with what was typed", async () => {
    using terminal = new TmuxTerminal();
    await terminal.start();
    terminal.type("half a thought");
    await terminal.until(/\nhalf a thought/);
    terminal.press("C-z");
    await terminal.until("Stopped");
    terminal.send("clear; echo in the shell");
    await terminal.until(/\nin the shell|^in the shell/);
    terminal.send("fg");
    await terminal.until((screen) => /\nhalf a thought/.test(screen) && !screen.includes("in the shell"));
    terminal.press("C-c", "C-d");
    await terminal.until("as it was");
  });

  test.each([
    ["a mode that does not exist", "--mode wat", 'agentao: there is no mode "wat"; choose from read-only', 2],
    ["a model that does not exist", "-m no/thing", 'agentao: the model "no/thing" is not known', 2],
    ["a session that does not exist", "--resume wat", 'agentao: there is no session "wat"', 2],
    ["an agent that cannot be started", "--agent no-such-agent", "agentao: ", 1],
  ])("paints nothing for %s, and says so", async (_, args, words, code) => {
    using terminal = new TmuxTerminal();
    terminal.run(args);
    const screen = await terminal.until("as it was");
    expect(screen).toContain(words);
    expect(screen).toContain(`exit code ${code}`);
    expect(screen).not.toContain("───");
  });

  test("drives any ACP agent", async () => {
    using terminal = new TmuxTerminal();
    await terminal.start(`--agent "node $AGENTAO_PROGRAM --acp --stdio"`);
    terminal.send("run rm -rf build");
    await terminal.until("Allow: rm -rf build");
    terminal.press("1");
    await terminal.until("✓ rm -rf build");
    terminal.press("C-d");
    await terminal.until("as it was");
  });

  test.each([["/exit", "Enter"], ["C-d"]])(
    "leaves the conversation where it was, and nothing below it, by %s",
    async (...keys) => {
      using terminal = new TmuxTerminal();
      await terminal.start();
      terminal.send("count to 3");
      await terminal.until((screen) => screen.includes("1 2 3") && !screen.includes("Working"));
      terminal.press(...keys);
      const screen = await terminal.until("as it was");
      expect(screen).toMatch(/\n1 2 3\n+Go on with this session: agentao --resume sess_\w+\n/);
      expect(screen).not.toMatch(/───|\/exit|% full/);
    },
  );

  test("falls back to plain lines on a dumb terminal", async () => {
    using terminal = new TmuxTerminal({ rows: 60 });
    terminal.run("", { TERM: "dumb" });
    await terminal.until(/Agentao in .*\n(?:> ?\n)?warning: No key[\s\S]*\n> ?$/);
    terminal.send("run rm -rf build");
    await terminal.until("Number:");
    terminal.send("yes");
    await terminal.until("Write a number from 1 to 4, or nothing for no.");
    terminal.send("1");
    await terminal.until(/\* rm -rf build \(done\)[\s\S]*\n> ?$/);
    terminal.send("run rm -rf build");
    await terminal.until((screen) => screen.split("Number:").length === 4);
    terminal.send("");
    await terminal.until(/\* rm -rf build \(refused by you\)[\s\S]*\n> ?$/);
    terminal.press("C-d");
    expect(await terminal.until("exit code 0")).toMatch(/\n> *\nGo on with this session: agentao --resume/);
  });

  test("is ended by SIGTERM on a dumb terminal, also after Ctrl+C", async () => {
    using terminal = new TmuxTerminal();
    terminal.run("", { TERM: "dumb" });
    await terminal.until(/\n> ?$/);
    terminal.send("count to 500");
    await terminal.until("1 2 3 4 5 6");
    terminal.press("C-c");
    await terminal.until(/Stopped\.\n> ?$/);
    process.kill(terminal.pid, "SIGTERM");
    await terminal.until("exit code 0");
  });

  test("stops what runs by Ctrl+C on a dumb terminal, and is left by it where nothing does", async () => {
    using terminal = new TmuxTerminal({ rows: 60 });
    terminal.run("", { TERM: "dumb" });
    await terminal.until(/\n> ?$/);
    for (const turns of [1, 2]) {
      terminal.send("count to 500");
      await terminal.until((screen) => screen.split("1 2 3 4 5 6").length === turns + 1);
      terminal.press("C-c");
      await terminal.until(/Stopped\.\n> ?$/);
    }
    const note = join(terminal.cwd, "begun");
    terminal.send("!touch begun; sleep 300");
    await expect.poll(() => existsSync(note), { timeout: SLOW_MS }).toBe(true);
    terminal.press("C-c");
    await terminal.until(/\(stopped\)\n> ?$/);
    terminal.press("C-c");
    await terminal.until("exit code 0");
  });
});
