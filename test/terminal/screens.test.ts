// Whole screens as a person sees them, at three widths, held against golden files. `npx vitest run -u` on this file
// writes them anew.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { expectScreen, toGolden } from "./golden.ts";
import { STORY_MODEL, stageStory } from "./story.ts";
import { hasTmux, TmuxTerminal } from "./tmux.ts";

const SLOW_MS = 180_000;
/** Enough for every scene at 40 columns. */
const ROWS = 64;
const WIDTHS = [40, 80, 120];
const FOLDERS = [...WIDTHS.map(String), "no-color"];
const SCREENS = [
  "first-paint",
  "completion",
  "help",
  "turn",
  "opened",
  "permission",
  "refused",
  "failed",
  "working",
  "stopped",
] as const;
const folder = new URL("./screens/", import.meta.url);
/** What was held against which file. */
const shown = new Map<string, string>();

describe.skipIf(!hasTmux)("the screen of agentao (needs tmux)", { timeout: SLOW_MS }, () => {
  test.each(WIDTHS)("is as it was agreed, at %i columns", async (columns) => {
    using scene = new Scene({ columns });
    await scene.start();
    await scene.shows("first-paint", "% full");

    scene.terminal.type("/");
    await scene.shows("completion", "→ /");
    scene.terminal.press("C-c");
    await scene.terminal.until((screen) => !screen.includes("→ /"));

    scene.terminal.send("/help");
    await scene.shows("help", "/sessions");

    await scene.tellStory();
    await scene.shows("turn", over);
    scene.terminal.press("C-o");
    scene.terminal.press("C-t");
    await scene.shows("opened", "消費税");
    scene.terminal.press("C-o");
    scene.terminal.press("C-t");

    await scene.begin("publish it");
    await scene.shows("permission", "Allow:");
    scene.terminal.press("Escape");
    await scene.shows("refused", over);

    await scene.begin("fail");
    await scene.shows("failed", over);

    await scene.begin("wait");
    await scene.terminal.until("thinking…");
    scene.terminal.send("and then this");
    await scene.shows("working", "next: and then this");
    scene.terminal.press("Escape");
    await scene.shows("stopped", over);
  });

  test("has no colour with NO_COLOR", async () => {
    using scene = new Scene({ columns: 80, env: { NO_COLOR: "1" }, name: "no-color" });
    await scene.start();
    await scene.tellStory();
    await scene.shows("turn", over);
    await scene.begin("publish it");
    await scene.shows("permission", "Allow:");
  });

  test("is after a change of width what it would have been from the start", async () => {
    using scene = new Scene({ columns: 120 });
    await scene.start();
    await scene.tellStory();
    await scene.shows("turn", over);
    scene.terminal.resize(40, ROWS);
    // Files are written after the last test.
    const golden = shown.get("40/turn.txt") ?? readFileSync(new URL("40/turn.txt", folder), "utf8");
    await scene.terminal.untilRows((rows) => toGolden(rows) === golden, "what it shows at 40 columns");
    scene.terminal.resize(120, ROWS);
    await scene.shows("turn", over);
  });

  test("has no golden file that nothing is held against", () => {
    const kept = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".txt"));
    const known = FOLDERS.flatMap((name) => SCREENS.map((screen) => `${name}/${screen}.txt`));
    expect(kept.filter((name) => !known.includes(name))).toEqual([]);
  });
});

/** Nothing runs any more. */
function over(screen: string): boolean {
  return screen.includes("% full") && !screen.includes("Working");
}

interface SceneOptions {
  readonly columns: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Of the folder; the width unless given. */
  readonly name?: string;
}

class Scene implements Disposable {
  readonly terminal: TmuxTerminal;
  readonly #name: string;
  /** What is gone with the session before. */
  #asked = "/sessions";

  constructor({ columns, env, name = `${columns}` }: SceneOptions) {
    this.#name = name;
    this.terminal = new TmuxTerminal({ columns, rows: ROWS, env: { AGENTAO_MODEL: STORY_MODEL, ...env } });
    stageStory(this.terminal);
  }

  start(): Promise<void> {
    return this.terminal.start();
  }

  /** In a new session, on an empty screen. */
  async begin(prompt: string): Promise<void> {
    this.terminal.send("/clear");
    await this.terminal.until((screen) => screen.includes("A new session") && !screen.includes(this.#asked));
    this.terminal.send(prompt);
    this.#asked = prompt;
  }

  async tellStory(): Promise<void> {
    stageStory(this.terminal);
    await this.begin("raise the tax 税");
    await this.terminal.until("Rates change");
  }

  async shows(screen: (typeof SCREENS)[number], wanted: string | ((screen: string) => boolean)): Promise<void> {
    const name = `${this.#name}/${screen}.txt`;
    const isWanted = typeof wanted === "string" ? (text: string) => text.includes(wanted) : wanted;
    shown.set(name, await expectScreen(this.terminal, new URL(name, folder), isWanted));
  }

  [Symbol.dispose](): void {
    this.terminal[Symbol.dispose]();
  }
}
