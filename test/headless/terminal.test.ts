// A run that a person watches: what a real terminal shows while it goes on, and what it leaves there.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ensureBuilt } from "../program/built.ts";
import { hasTmux, TmuxTerminal } from "../terminal/tmux.ts";

beforeAll(ensureBuilt, 120_000);

const wait = "until [ -e go ]; do sleep 0.05; done; echo 日本語日本語日本語日本語";
const replies = [
  [{ text: "I wait." }, { call: { name: "run_shell_command", input: { command: wait } } }],
  [{ text: "Over." }],
];

describe.runIf(hasTmux)("a terminal of 50 columns", { timeout: 60_000 }, () => {
  const open = (env: Record<string, string> = {}): TmuxTerminal => {
    const terminal = new TmuxTerminal({ columns: 50, env });
    const scenario = join(terminal.cwd, "s.json");
    writeFileSync(scenario, JSON.stringify({ replies }));
    terminal.run("run --mode full-access go", { AGENTAO_MODEL: `scripted/${scenario}` });
    return terminal;
  };

  test("shows step, tool, tokens and seconds on one line, and nothing of it afterwards", async () => {
    using terminal = open();
    const shown = await terminal.until(/ · [1-9]\d* s$/m);
    expect(shown).toMatch(/^I wait\.\nstep 1 · until \[.*… · [\d.]+k? tokens · \d+ s$/m);
    writeFileSync(join(terminal.cwd, "go"), "");
    const left = await terminal.until("as it was");
    expect(left).toMatch(/^I wait\.\n\nOver\.\nsession sess_/m);
    expect(left).toContain("exit code 0");
    expect(left).not.toContain("step 1");
  });

  test("is left as it was by Ctrl-C, with the way to go on", async () => {
    using terminal = open();
    await terminal.until("step 1");
    terminal.press("C-c");
    const left = await terminal.until("as it was");
    expect(left).toMatch(/^agentao run: interrupted\nsession sess_/m);
    expect(left).toContain("exit code 130");
  });

  test("shows no progress where CI is set", async () => {
    using terminal = open({ CI: "true" });
    await terminal.until("I wait.");
    writeFileSync(join(terminal.cwd, "go"), "");
    expect(await terminal.until("as it was")).toMatch(/^I wait\.\n\nOver\.\nexit code 0$/m);
  });
});
