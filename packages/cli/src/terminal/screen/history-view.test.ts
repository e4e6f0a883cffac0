import type { AcpClient } from "@agentao/acp";
import { expect, test, vi } from "vitest";
import { Conversation } from "../conversation.ts";
import { createPaint } from "../view/paint.ts";
import { HistoryView } from "./history-view.ts";

function open(turns: number) {
  const session = { sessionId: "s", cwd: "/w", configOptions: [], modeId: undefined, modeIds: [] };
  const conversation = new Conversation({} as AcpClient, session, { now: () => 0, onChange: () => {} });
  for (let at = 0; at < turns; at++) say(conversation, `m${at}`, `answer ${at}`);
  let rendered = 0;
  const room = (width: number) => ({
    width,
    paint: createPaint(false),
    cwd: "/w",
    opens: { thoughts: false, calls: false },
    markdown: (text: string) => {
      rendered++;
      return [text, "second line"];
    },
  });
  return { conversation, room, rendered: () => rendered };
}

function say(conversation: Conversation, messageId: string, text: string): void {
  conversation.hear("s", { sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } });
}

test("renders again only what has changed", () => {
  const { conversation, room, rendered } = open(50);
  const view = new HistoryView();
  const before = view.lines(conversation, room(40));
  expect([before.length, rendered()]).toEqual([149, 50]);
  say(conversation, "m49", " and more");
  const after = view.lines(conversation, room(40));
  expect(rendered()).toBe(51);
  expect(after.slice(0, -2)).toEqual(before.slice(0, -2));
  expect(after.at(-2)).toBe("answer 49 and more");
});

test("renders everything anew for another width", () => {
  const { conversation, room, rendered } = open(10);
  const view = new HistoryView();
  view.lines(conversation, room(40));
  view.lines(conversation, room(41));
  expect(rendered()).toBe(20);
});

test("shows the end of a long conversation, and says what is missing", () => {
  const { conversation, room, rendered } = open(2_000);
  const lines = new HistoryView().lines(conversation, room(80));
  expect(lines[0]).toBe("… 1666 earlier items are not shown; /export writes them all");
  expect(lines.at(-2)).toBe("answer 1999");
  expect(lines.length).toBeLessThan(1_100);
  expect(rendered()).toBeLessThan(400);
});

test("never holds more lines than it may, and keeps the rest in place while it grows", () => {
  const { conversation, room } = open(300);
  const view = new HistoryView();
  let before = view.lines(conversation, room(80));
  let trims = 0;
  for (let at = 0; at < 3_000; at++) {
    say(conversation, `n${at}`, `next ${at}`);
    const lines = view.lines(conversation, room(80));
    expect(lines.length).toBeLessThanOrEqual(3_002);
    if (lines[before.length - 1] !== before.at(-1)) trims++;
    before = lines;
  }
  expect(trims).toBeGreaterThan(0);
  expect(trims).toBeLessThan(7);
});

test.each([400, 2_000, 8_000])("costs as much for a word more after %i turns as after any number", (turns) => {
  const { conversation, room, rendered } = open(turns);
  const view = new HistoryView();
  const before = view.lines(conversation, room(80));
  const [renderedBefore, looked] = [rendered(), vi.spyOn(conversation, "item")];
  say(conversation, `m${turns - 1}`, " and more");
  const after = view.lines(conversation, room(80));
  expect(after.at(-2)).toBe(`answer ${turns - 1} and more`);
  expect(after).toHaveLength(before.length);
  expect(rendered() - renderedBefore).toBe(1);
  // Twice for each of the entries that fit into what is kept, and once more for the one that changed.
  expect(looked.mock.calls.length).toBeLessThan(700);
});
