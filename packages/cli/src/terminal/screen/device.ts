// The terminal as the screen library wants it, over two streams. Whatever it switches on, `restore` switches off, at any
// moment and more than once.

import { StdinBuffer, setKittyProtocolActive, type Terminal } from "@earendil-works/pi-tui";
import type { Io } from "../../io/io.ts";

export interface Device extends Terminal {
  restore(): void;
}

type RawInput = Io["stdin"] & { setRawMode?(isRaw: boolean): unknown };
type SizedOutput = Io["stdout"] & { readonly rows?: number | undefined };

/** A terminal that has not answered by then does not know the better keyboard protocol. */
const ANSWER_MS = 150;

export function openDevice(io: Pick<Io, "stdin" | "stdout">): Device {
  const stdin: RawInput = io.stdin;
  const stdout: SizedOutput = io.stdout;
  let release: (() => void) | undefined;
  let keyboard: "plain" | "kitty" | "other-keys" = "plain";
  // A terminal that is gone fails every read and write; the process is told so by a signal, or by the end of its input.
  stdin.on("error", () => {});
  stdout.on("error", () => {});
  const write = (text: string): void => void stdout.write(text);

  const start = (onInput: (data: string) => void, onResize: () => void): void => {
    const buffer = new StdinBuffer({ timeout: 10 });
    buffer.on("data", (sequence) => {
      if (KITTY_ANSWER.test(sequence)) {
        if (keyboard === "plain") {
          keyboard = "kitty";
          setKittyProtocolActive(true);
          write(KITTY_ON);
        }
        return;
      }
      onInput(sequence);
    });
    buffer.on("paste", (text) => onInput(`${PASTE_BEGIN}${text}${PASTE_END}`));
    const onData = (data: string | Buffer): void => buffer.process(data);
    stdin.setRawMode?.(true);
    stdin.setEncoding("utf8");
    stdin.on("data", onData);
    stdin.resume();
    stdout.on("resize", onResize);
    write(`${PASTES_ON}${KITTY_QUERY}`);
    const timer = setTimeout(() => {
      if (keyboard !== "plain") return;
      keyboard = "other-keys";
      write(OTHER_KEYS_ON);
    }, ANSWER_MS);
    release = () => {
      clearTimeout(timer);
      buffer.destroy();
      stdin.off("data", onData);
      stdout.off("resize", onResize);
      stdin.pause();
      if (keyboard === "kitty") {
        setKittyProtocolActive(false);
        write(KITTY_OFF);
      } else if (keyboard === "other-keys") write(OTHER_KEYS_OFF);
      keyboard = "plain";
      write(`${FRAME_END}${PASTES_OFF}${STYLE_RESET}${CURSOR_ON}`);
      try {
        stdin.setRawMode?.(false);
      } catch {
        // The terminal is gone, and its mode with it.
      }
    };
  };
  const restore = (): void => {
    const act = release;
    release = undefined;
    act?.();
  };

  return {
    start,
    stop: restore,
    restore,
    drainInput: async () => {},
    write,
    get columns() {
      return Math.max(1, stdout.columns ?? 80);
    },
    get rows() {
      return Math.max(1, stdout.rows ?? 24);
    },
    get kittyProtocolActive() {
      return keyboard === "kitty";
    },
    moveBy: (lines) => {
      if (lines !== 0) write(`\u001b[${Math.abs(lines)}${lines > 0 ? "B" : "A"}`);
    },
    hideCursor: () => write("\u001b[?25l"),
    showCursor: () => write(CURSOR_ON),
    clearLine: () => write("\u001b[K"),
    clearFromCursor: () => write("\u001b[J"),
    clearScreen: () => write("\u001b[2J\u001b[H"),
    setTitle: (title) => write(`\u001b]0;${title}\u0007`),
    setProgress: () => {},
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals answer begins with an escape.
const KITTY_ANSWER = /^\u001b\[\?\d+u$/;
const KITTY_QUERY = "\u001b[?u";
/** Unambiguous keys and their alternatives; no releases, which would leak into the shell at the end. */
const KITTY_ON = "\u001b[>5u";
const KITTY_OFF = "\u001b[<u";
const OTHER_KEYS_ON = "\u001b[>4;2m";
const OTHER_KEYS_OFF = "\u001b[>4;0m";
const PASTES_ON = "\u001b[?2004h";
const PASTES_OFF = "\u001b[?2004l";
const PASTE_BEGIN = "\u001b[200~";
const PASTE_END = "\u001b[201~";
const FRAME_END = "\u001b[?2026l";
const STYLE_RESET = "\u001b[0m";
const CURSOR_ON = "\u001b[?25h";
