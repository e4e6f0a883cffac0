import { expect, test } from "vitest";
import { UsageError } from "../manual/usage-error.ts";
import { type ChatOptions, parseChatOptions } from "./chat-options.ts";

const NONE: ChatOptions = {
  session: { type: "new" },
  cwd: "/here",
  isCwdGiven: false,
  agent: undefined,
  model: undefined,
  mode: undefined,
};

test.each<[string[], Partial<ChatOptions>]>([
  [[], {}],
  [["--resume"], { session: { type: "newest" } }],
  [["--resume", "--model", "a/b"], { session: { type: "newest" }, model: "a/b" }],
  [["--resume", "abc"], { session: { type: "stored", id: "abc" } }],
  [["--resume=abc"], { session: { type: "stored", id: "abc" } }],
  [["--continue"], { session: { type: "newest" } }],
  [["-c", "--mode", "plan"], { session: { type: "newest" }, mode: "plan" }],
  [["-r"], { session: { type: "newest" } }],
  [["-r", "abc", "-m", "a/b"], { session: { type: "stored", id: "abc" }, model: "a/b" }],
  [["-C", "there"], { cwd: "/here/there", isCwdGiven: true }],
  [["--cwd", "there"], { cwd: "/here/there", isCwdGiven: true }],
  [["--agent", "other --acp"], { agent: "other --acp" }],
])("reads %j", (args, options) => {
  expect(parseChatOptions(args, "/here")).toEqual({ ...NONE, ...options });
});

test.each([[["words"]], [["--wat"]], [["--resume", "x", "--continue"]], [["--model"]]])("refuses %j", (args) => {
  expect(() => parseChatOptions(args, "/here")).toThrow(UsageError);
});
