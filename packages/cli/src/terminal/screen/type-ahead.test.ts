import { expect, test } from "vitest";
import { TypeAhead } from "./type-ahead.ts";

function at(times: { ms: number }) {
  const typeAhead = new TypeAhead(() => times.ms);
  const press = (ms: number): boolean => {
    times.ms = ms;
    return typeAhead.isForEditor();
  };
  return { typeAhead, press };
}

test("gives keys to the editor until there is a pause", () => {
  const { typeAhead, press } = at({ ms: 0 });
  expect(press(0)).toBe(false);
  typeAhead.questionShown("half a sent");
  expect(press(100)).toBe(true);
  expect(press(400)).toBe(true);
  expect(press(1_000)).toBe(false);
  expect(press(1_050)).toBe(false);
});

test.each([
  ["nothing was being typed", "", 10],
  ["the typing was over", "draft", 600],
])("gives the first key to the question where %s", (_, draft, waitMs) => {
  const clock = { ms: 0 };
  const { typeAhead, press } = at(clock);
  press(0);
  clock.ms = waitMs;
  typeAhead.questionShown(draft);
  expect(press(waitMs + 10)).toBe(false);
});
