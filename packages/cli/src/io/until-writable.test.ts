import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import { untilWritable } from "./until-writable.ts";

test("waits for room, with one listener however many wait", async () => {
  const output = new PassThrough({ highWaterMark: 4 });
  await untilWritable(output);
  output.write("too much");
  const waits = Array.from({ length: 20 }, () => untilWritable(output));
  expect(output.listenerCount("drain")).toBe(1);
  output.resume();
  await Promise.all(waits);
  expect(output.listenerCount("drain")).toBe(0);
});

test("does not wait for a reader that is gone", async () => {
  const output = new Writable({ highWaterMark: 1, write() {} });
  output.on("error", () => {});
  output.write("too much");
  const wait = untilWritable(output);
  output.destroy(new Error("EPIPE"));
  await wait;
});
