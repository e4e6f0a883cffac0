import { PassThrough, Writable } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDevice } from "./device.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const written: string[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    modes: [] as boolean[],
    setRawMode(isRaw: boolean) {
      this.modes.push(isRaw);
    },
  });
  const stdout = Object.assign(
    new Writable({
      write(chunk, _, done) {
        written.push(String(chunk));
        done();
      },
    }),
    { isTTY: true, columns: 40, rows: 10 },
  );
  return { device: openDevice({ stdin, stdout }), stdin, written };
}

const SANE = "\u001b[?2026l\u001b[?2004l\u001b[0m\u001b[?25h";

test("switches off what it has switched on, once", () => {
  const { device, stdin, written } = open();
  device.start(
    () => {},
    () => {},
  );
  expect(written).toEqual(["\u001b[?2004h\u001b[?u"]);
  device.restore();
  device.restore();
  expect(written.slice(1)).toEqual([SANE]);
  expect(stdin.modes).toEqual([true, false]);
  vi.advanceTimersByTime(1_000);
  expect(written).toHaveLength(2);
});

test("asks for more keys where the terminal knows nothing better, and takes that back", () => {
  const { device, written } = open();
  device.start(
    () => {},
    () => {},
  );
  vi.advanceTimersByTime(200);
  device.restore();
  expect(written.slice(1)).toEqual(["\u001b[>4;2m", "\u001b[>4;0m", SANE]);
});

test("uses the better keyboard where the terminal answers, and takes that back", async () => {
  const { device, stdin, written } = open();
  const heard: string[] = [];
  device.start(
    (data) => heard.push(data),
    () => {},
  );
  stdin.emit("data", "\u001b[?0u");
  stdin.emit("data", "a");
  vi.advanceTimersByTime(200);
  device.restore();
  expect(heard).toEqual(["a"]);
  expect(written.slice(1)).toEqual(["\u001b[>5u", "\u001b[<u", SANE]);
});

test("hands a paste over as one", () => {
  const { device, stdin } = open();
  const heard: string[] = [];
  device.start(
    (data) => heard.push(data),
    () => {},
  );
  stdin.emit("data", "\u001b[200~two\n");
  stdin.emit("data", "lines\u001b[201~");
  device.restore();
  expect(heard).toEqual(["\u001b[200~two\nlines\u001b[201~"]);
});
