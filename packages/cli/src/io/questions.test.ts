import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { isYes, openQuestions } from "./questions.ts";

function room() {
  const raw: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => void raw.push(on) });
  const stderr = new PassThrough();
  const leaving = new AbortController();
  return { stdin, stderr, raw, leaving, questions: openQuestions({ stdin, stderr, signal: leaving.signal }) };
}

test("asks line by line, however the lines arrive", async () => {
  const { stdin, stderr, questions } = room();
  stdin.write("one\r\ntw");
  expect(await questions.ask("first? ")).toBe("one");
  const second = questions.ask("second? ");
  stdin.write("o\n");
  expect(await second).toBe("two");
  stdin.end();
  expect(await questions.ask("third? ")).toBeUndefined();
  expect(String(stderr.read())).toBe("first? second? third? ");
});

test("hides a secret while it is typed, and understands corrections", async () => {
  const { stdin, stderr, raw, questions } = room();
  const secret = questions.askSecret("key: ");
  stdin.write("abd\u007f");
  stdin.write("c\r");
  expect(await secret).toBe("abc");
  expect(raw).toEqual([true, false]);
  expect(String(stderr.read())).toBe("key: \n");
});

test("Ctrl-C in a secret, and a signal, end the questions", async () => {
  const { stdin, raw, questions } = room();
  const secret = questions.askSecret("key: ");
  stdin.write("abc\u0003");
  expect(await secret).toBeUndefined();
  expect(raw).toEqual([true, false]);
  const { leaving, questions: others } = room();
  const answer = others.ask("? ");
  leaving.abort();
  expect(await answer).toBeUndefined();
});

test.each([
  ["y", true],
  ["YES", true],
  ["", false],
  ["yeah", false],
])("%j is yes: %s", async (answer, yes) => {
  const { stdin, questions } = room();
  stdin.write(`${answer}\n`);
  expect(await isYes(questions, "sure?")).toBe(yes);
  questions.close();
});
