import { expect, test } from "vitest";
import { expandVariables, parseServers } from "./server-config.ts";

const parse = (server: unknown) => parseServers(JSON.stringify({ servers: { one: server } }), "acp.json");

test("fills in what is left out", () => {
  expect(parse({ command: "agent" })).toEqual({
    problems: [],
    servers: [
      {
        name: "one",
        command: "agent",
        args: [],
        env: {},
        cwd: ".",
        description: "",
        autoStart: true,
        lend: [],
        policy: "reject_all",
        startupTimeoutMs: 10_000,
        requestTimeoutMs: 60_000,
        maxRecoverableRestarts: 3,
      },
    ],
  });
});

test("takes all that is written, and leaves free notes alone", () => {
  const written = {
    command: "agent",
    args: ["--acp"],
    env: { KEY: "$KEY" },
    cwd: "sub",
    description: "d",
    capabilities: { chat: true },
    autoStart: false,
    startupTimeoutMs: 1,
    requestTimeoutMs: 2,
    maxRecoverableRestarts: 0,
    nonInteractivePolicy: { mode: "accept_all" },
    lend: ["read", "terminal"],
  };
  const { capabilities: _, nonInteractivePolicy: __, ...rest } = written;
  expect(parse(written).servers).toEqual([{ name: "one", ...rest, policy: "accept_all" }]);
});

test.each<[string, unknown, string]>([
  ["nothing", 7, 'acp.json: servers.one is not an object. Write { "command": …, "args": […], "env": {}, "cwd": "." }.'],
  ["no command", {}, 'acp.json: servers.one.command is missing. Write the program: "command": "my-agent".'],
  [
    "args as text",
    { command: "a", args: "--acp" },
    'acp.json: servers.one.args is not a list of strings. Write "args": ["--acp"].',
  ],
  [
    "env with numbers",
    { command: "a", env: { A: 1 } },
    'acp.json: servers.one.env is not an object of strings. Write "env": { "KEY": "$MY_KEY" }.',
  ],
  [
    "a policy as text",
    { command: "a", nonInteractivePolicy: "accept_all" },
    'acp.json: servers.one.nonInteractivePolicy is an object. Write { "mode": "accept_all" }; the modes are reject_all and accept_all.',
  ],
  [
    "a negative number",
    { command: "a", maxRecoverableRestarts: -1 },
    "acp.json: servers.one.maxRecoverableRestarts is not a whole number of at least 0. Leave it out for 3.",
  ],
  [
    "no time",
    { command: "a", startupTimeoutMs: 0 },
    "acp.json: servers.one.startupTimeoutMs is not a whole number of at least 1. Leave it out for 10000.",
  ],
  [
    "an unknown loan",
    { command: "a", lend: ["kitchen"] },
    "acp.json: servers.one.lend is a list of read, write, terminal.",
  ],
])("says what to do about %s", (_, server, problem) => {
  expect(parse(server)).toEqual({ servers: [], problems: [problem] });
});

test("takes a file that begins with a byte order mark", () => {
  expect(parseServers('\ufeff{"servers":{}}', "acp.json")).toEqual({ servers: [], problems: [] });
});

test("says what to do about a file that is none", () => {
  expect(parseServers("{", "acp.json").problems[0]).toMatch(/^acp\.json is not JSON: /);
  expect(parseServers("[]", "acp.json").problems).toEqual([
    'acp.json has no "servers". Write { "servers": { "NAME": { "command": … } } }.',
  ]);
  expect(parseServers('{"servers":{"a/b":{"command":"x"}}}', "acp.json").problems).toEqual([
    "acp.json: servers.a/b: a name has at most 64 letters, digits, dots, - and _. Rename it.",
  ]);
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: that is how variables are written in acp.json
test.each([
  ["$A-${B}", "1-2", []],
  ["cost: $5 or $", "cost: $5 or $", []],
  ["$A$NONE${GONE}", "1", ["NONE", "GONE"]],
  ["plain", "plain", []],
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above
])("%s", (text, expanded, missing) => {
  expect(expandVariables(text, { A: "1", B: "2" })).toEqual({ text: expanded, missing });
});
