import { expect, test } from "vitest";
import { parseServers } from "../../drive/server-config.ts";
import { cleanText } from "../../text/plain.ts";
import { describeServer } from "./consent.ts";

function described(entry: object): readonly string[] {
  const { servers } = parseServers(JSON.stringify({ servers: { bob: entry } }), "acp.json");
  return servers.flatMap((server) => cleanText(describeServer(server)).split("\n").slice(1));
}

test("shows the words of a command apart, where it runs, and what it is told", () => {
  const env = { NODE_OPTIONS: "--require ./x.js", API_KEY: "0123456789" };
  expect(described({ command: "npx", args: ["bob", "a b"], cwd: "sub", env })).toEqual([
    "npx bob 'a b'",
    "in sub",
    "with 'NODE_OPTIONS=--require ./x.js' 'API_KEY=[redacted]'",
  ]);
});

test.each<[string, string[], string]>([
  ["goes back to the start of the line", ["-c", "evil\rnpx nice"], "sh -c 'evil\\u{d}npx nice'"],
  ["leaves the screen", ["-c", "evil", "\n\n", "nice"], "sh -c evil '\\u{a}\\u{a}' nice"],
  ["is an escape", ["\u001b[8mevil\u001b[0m"], "sh '\\u{1b}[8mevil\\u{1b}[0m'"],
  ["is written from right to left", ["\u202elive\u202c"], "sh '\\u{202e}live\\u{202c}'"],
  ["has no width", ["\u200b\u2028x"], "sh '\\u{200b}\\u{2028}x'"],
])("shows a command of which a part %s", (_, args, line) => {
  expect(described({ command: "sh", args })).toEqual([line]);
});
