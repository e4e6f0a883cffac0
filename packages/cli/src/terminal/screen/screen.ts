// Everything on the screen, from top to bottom: the conversation, the plan, what waits, what runs, the editor or a
// question in its place, the status line. Decides nothing.

import {
  type AutocompleteProvider,
  type Component,
  Editor,
  isKeyRelease,
  matchesKey,
  TUI,
} from "@earendil-works/pi-tui";
import { cleanLine } from "../../text/plain.ts";
import { toSpan } from "../../text/when.ts";
import type { Conversation } from "../conversation.ts";
import { fit, fitAll } from "../view/lines.ts";
import { createMarkdown } from "../view/markdown.ts";
import type { Paint } from "../view/paint.ts";
import { planView } from "../view/plan.ts";
import type { ViewRoom } from "../view/room.ts";
import { type Status, statusLine } from "../view/status-line.ts";
import type { Device } from "./device.ts";
import { editorLines } from "./editor-lines.ts";
import { HistoryView } from "./history-view.ts";
import { createPace } from "./pace.ts";
import type { Panel } from "./panel.ts";

export interface ScreenOptions {
  readonly device: Device;
  readonly paint: Paint;
  readonly conversation: Conversation;
  readonly status: () => Status;
  /** A word besides the status, such as "Ctrl+C again to leave". */
  readonly hint: () => string | undefined;
  readonly completion: AutocompleteProvider;
  /** Sees every key first; true means that it was meant for it. */
  onKey(data: string): boolean;
  onSubmit(text: string): void;
}

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const SPIN_MS = 120;

export class Screen {
  readonly #options: ScreenOptions;
  readonly #tui: TUI;
  readonly #editor: Editor;
  readonly #history = new HistoryView();
  readonly #markdown;
  readonly #pace;
  #opens = { thoughts: false, calls: false };
  #panel: Panel | undefined;
  #spinAt = 0;
  #spinning: NodeJS.Timeout | undefined;
  /** Set when only the conversation is shown any more; called when it was. */
  #onLeft: (() => void) | undefined;

  constructor(options: ScreenOptions) {
    this.#options = options;
    const { device, paint } = options;
    this.#markdown = createMarkdown(paint);
    this.#tui = new TUI(device, false);
    this.#pace = createPace(
      () => this.#tui.requestRender(),
      () => performance.now(),
    );
    this.#editor = new Editor(this.#tui, { borderColor: paint.quiet, selectList: toListTheme(paint) });
    this.#editor.setAutocompleteProvider(options.completion);
    this.#editor.onSubmit = (text) => options.onSubmit(text);
    this.#editor.onChange = (text) => {
      this.#editor.borderColor = text.startsWith("!") ? paint.warn : paint.quiet;
    };
    this.#tui.addChild(this.#root());
    this.#tui.setFocus(this.#editor);
    this.#tui.addInputListener((data) => {
      if (isKeyRelease(data)) return { consume: true };
      if (!options.onKey(data)) return undefined;
      this.#tui.requestRender();
      return { consume: true };
    });
  }

  start(): void {
    this.#tui.start();
    this.#spinning = setInterval(() => this.#spin(), SPIN_MS);
  }

  /** Leaves the conversation where it is and nothing below it, and the terminal as it was. */
  async leave(): Promise<void> {
    if (this.#spinning === undefined) return;
    await new Promise<void>((resolve) => {
      this.#onLeft = resolve;
      this.#tui.requestRender();
    });
    this.stop();
  }

  /** Leaves what was shown where it is, and the terminal as it was. */
  stop(): void {
    if (this.#spinning === undefined) return;
    clearInterval(this.#spinning);
    this.#spinning = undefined;
    this.#pace.stop();
    this.#tui.stop();
  }

  /** Nothing is painted before the start and after the end. */
  repaint(): void {
    if (this.#spinning !== undefined) this.#pace.ask();
  }

  /** From nothing, for a terminal whose picture is wrong. */
  repaintAll(): void {
    this.#tui.requestRender(true);
  }

  get text(): string {
    return this.#editor.getText();
  }

  setText(text: string): void {
    this.#editor.setText(text);
    this.repaint();
  }

  /** A key for the editor while a panel stands in its place; nothing is sent by it. */
  typeOn(data: string): void {
    if (!matchesKey(data, "enter")) this.#editor.handleInput(data);
  }

  remember(prompt: string): void {
    this.#editor.addToHistory(prompt);
  }

  get isCompleting(): boolean {
    return this.#editor.isShowingAutocomplete();
  }

  toggle(what: "thoughts" | "calls"): void {
    this.#opens = { ...this.#opens, [what]: !this.#opens[what] };
    this.repaint();
  }

  get panel(): Panel | undefined {
    return this.#panel;
  }

  /** In the place of the editor; nothing brings the editor back, with what was typed. */
  showPanel(panel: Panel | undefined): void {
    this.#panel = panel;
    this.#tui.setFocus(panel ?? this.#editor);
    this.repaint();
  }

  room(width: number = this.#options.device.columns): ViewRoom {
    const { paint, conversation } = this.#options;
    return { width, paint, markdown: this.#markdown, cwd: conversation.cwd, opens: this.#opens };
  }

  #spin(): void {
    if (this.#options.conversation.runningMs === undefined || this.#panel !== undefined) return;
    this.#spinAt = (this.#spinAt + 1) % SPINNER.length;
    this.repaint();
  }

  #root(): Component {
    return {
      invalidate: () => {},
      render: (width) => {
        const startedAt = performance.now();
        const lines = this.#history.lines(this.#options.conversation, this.room(width));
        if (this.#onLeft === undefined) for (const line of this.#below(width)) lines.push(line);
        this.#onLeft?.();
        this.#pace.took(performance.now() - startedAt);
        return lines;
      },
    };
  }

  #below(width: number): string[] {
    const { paint, conversation, status, hint } = this.#options;
    const { plan } = conversation.transcript;
    const isPlanOpen = plan.some((entry) => entry.status !== "completed");
    const planLines = isPlanOpen && this.#panel === undefined ? planView(plan, { width, paint }) : [];
    const waiting = conversation.queue.map(({ text }) => fit(paint.quiet(`  next: ${cleanLine(text)}`), width));
    const words = hint();
    return [
      "",
      ...planLines,
      ...waiting,
      ...this.#workLine(width),
      ...fitAll(this.#panel?.render(width) ?? editorLines(this.#editor.render(width), this.#editor.borderColor), width),
      words === undefined ? statusLine(status(), { width, paint }) : fit(paint.warn(words), width),
    ];
  }

  #workLine(width: number): string[] {
    const { paint, conversation } = this.#options;
    const ms = conversation.runningMs;
    if (ms === undefined || this.#panel !== undefined) return [];
    const seconds = ms < 1_000 ? "" : ` ${toSpan(Math.floor(ms / 1_000) * 1_000).replace(".0", "")}`;
    return [
      fit(`${paint.accent(SPINNER[this.#spinAt] ?? "")} ${paint.quiet(`Working${seconds} · Esc to stop`)}`, width),
    ];
  }
}

function toListTheme(paint: Paint) {
  return {
    selectedPrefix: paint.accent,
    selectedText: paint.strong,
    description: paint.quiet,
    scrollInfo: paint.quiet,
    noMatch: paint.quiet,
  };
}
