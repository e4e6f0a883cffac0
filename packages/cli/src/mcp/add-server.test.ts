import { describe, expect, test } from "vitest";
import { UsageError } from "../manual/usage-error.ts";
import { type Addition, parseAddition } from "./add-server.ts";

describe("the words of add", () => {
  const added = (line: readonly string[]): Addition => parseAddition(line);

  test.each<[readonly string[], Addition]>([
    [["a", "--", "run"], { name: "a", scope: "user", entry: { command: "run" } }],
    [
      [
        "-s",
        "project",
        "a",
        "-e",
        "K=1=2",
        "--env=L=",
        "--cwd",
        "x",
        "--timeout",
        "5",
        "--",
        "run",
        "-v",
        "--scope",
        "user",
        "--",
      ],
      {
        name: "a",
        scope: "project",
        entry: {
          command: "run",
          args: ["-v", "--scope", "user", "--"],
          env: { K: "1=2", L: "" },
          cwd: "x",
          timeout: 5,
        },
      },
    ],
    [["a", "https://h/mcp"], { name: "a", scope: "user", entry: { type: "http", url: "https://h/mcp" } }],
    [
      ["a", "http://h", "-t", "sse", "-H", "X-A:b", "--header", "Authorization: Bearer $T", "--trust"],
      {
        name: "a",
        scope: "user",
        entry: { type: "sse", url: "http://h", headers: { "X-A": "b", Authorization: "Bearer $T" }, trust: true },
      },
    ],
  ])("%j", (line, addition) => {
    expect(added(line)).toEqual(addition);
  });

  test("keep names of prototypes as plain names", () => {
    const { entry } = added(["a", "-e", "__proto__=x", "--", "run"]);
    expect(Object.entries(entry.env as object)).toEqual([["__proto__", "x"]]);
  });

  test.each<[readonly string[], string]>([
    [[], "the NAME of the server is missing"],
    [["a"], "an address, or -- and a COMMAND, is missing"],
    [["a", "--"], "the COMMAND behind -- is missing"],
    [["a", "npx", "server"], 'unexpected argument "server"; put -- before a command'],
    [["a", "npx"], "the address begins with http:// or https://; put -- before a command"],
    [["a", "https://h", "--", "run"], 'unexpected argument "https://h"; put -- before a command'],
    [["a", "npx", "-y"], 'unknown option "-y"; put -- before a command'],
    [["a", "--scop", "user"], 'unknown option "--scop"; did you mean --scope?'],
    [["a", "--scope", "all", "--", "x"], "--scope is one of user, project"],
    [["a", "--env"], "--env needs a value: --env NAME=VALUE"],
    [["a", "--env", "s3cret", "--", "x"], "--env needs NAME=VALUE"],
    [["a", "https://h", "--header", "s3cret"], "--header needs NAME:VALUE"],
    [["a", "https://h", "--env", "A=b"], "an address takes --header, not --env"],
    [["a", "--header", "A:b", "--", "x"], "a command takes --env, not --header"],
    [["a", "https://h", "--cwd", "x"], "--cwd is for commands"],
    [["a", "https://h", "-t", "stdio"], "an address is spoken to over http or sse; put -- before a command"],
    [["a", "-t", "http", "--", "x"], "a command is spoken to over stdio"],
    [["a", "--timeout", "soon", "--", "x"], "--timeout needs a number of seconds"],
    [["a", "--trust=yes", "--", "x"], "--trust takes no value"],
    [["a", "--scope", "project", "--trust", "--", "x"], "--trust is for --scope user only"],
  ])("%j make no sense", (line, problem) => {
    expect(() => added(line)).toThrow(new UsageError(problem));
  });
});
