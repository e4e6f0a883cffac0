import { expect, test } from "vitest";
import { optionsIn } from "../../completion/collect.ts";
import { scriptedIo } from "../../io/scripted-io.ts";
import { UsageError } from "../../manual/usage-error.ts";
import { acpTools } from "./index.ts";
import { acpWords } from "./words.ts";

test.each<[string[], string]>([
  [[], "acp needs to know what to do: list, send, proxy…"],
  [["prxy"], 'acp does not know "prxy"; did you mean proxy?'],
  [["toString"], 'acp does not know "toString"'],
  [["proxy"], "acp proxy: which agent? Put its command after --"],
  [["proxy", "my-agent"], "acp proxy: put -- before the command: -- my-agent …"],
  [["proxy", "--recrd", "x", "--", "a"], 'acp proxy: unknown option "--recrd"; did you mean --record?'],
  [["inspect"], "acp inspect: which recording?"],
  [["replay"], "acp replay: which recording?"],
  [["replay", "f"], "acp replay: against which agent? Put its command after --, or play --as agent"],
  [["replay", "f", "--as", "nobody"], 'acp replay: --as is one of client, agent, not "nobody"'],
  [["replay", "f", "--as", "agent", "--", "x"], "acp replay: --as agent starts nothing: the client starts it"],
  [["replay", "f", "--speed", "fast", "--", "x"], 'acp replay: --speed is one of real, instant, not "fast"'],
  [["replay", "f", "--speed"], "acp replay: --speed needs a value: --speed SPEED"],
  [["list", "--json=yes"], "acp list: --json takes no value"],
  [["send"], "acp send: to which agent?"],
  [["send", "a", "b", "--timeout", "soon"], "acp send: --timeout is a number of seconds"],
  [["start"], "acp start: which agent?"],
  [["stop", "../x"], 'acp stop: "../x" is no name of an agent'],
  [["logs", "a", "b"], 'acp logs: unexpected "b"'],
  [["list", "--", "a"], 'acp list: unexpected "a"'],
  [["stop", "a", "--", "b"], 'acp stop: unexpected "b"'],
  [["start", "--all", "a"], 'acp start: unexpected "a"'],
  [["status", "a", "b"], 'acp status: unexpected "b"'],
  [["inspect", "a", "--", "b"], 'acp inspect: one recording at a time, not also "b"'],
])("%j", async (args, problem) => {
  await expect(acpTools.run(args, scriptedIo())).rejects.toEqual(new UsageError(problem));
});

test.each(["list", "start", "stop", "status", "logs", "send", "proxy", "replay", "inspect"])(
  "acp %s has help of its own, with usage and exit codes, no line longer than 100, and the options that are completed",
  async (tool) => {
    const io = scriptedIo();
    expect(await acpTools.run([tool, "--help"], io)).toBe(0);
    const text = io.said;
    expect(text.startsWith(`agentao acp ${tool}: `)).toBe(true);
    expect(text).toContain(`\nUsage\n  agentao acp ${tool}`);
    expect(text).toContain("\nExit codes\n");
    expect(text.split("\n").filter((line) => line.length > 100)).toEqual([]);
    const named = acpWords.find(({ name }) => name === tool)?.options.map(({ name }) => name);
    expect(named?.toSorted()).toEqual([...new Set([...optionsIn(text).map(({ name }) => name), "--help"])].sort());
  },
);
