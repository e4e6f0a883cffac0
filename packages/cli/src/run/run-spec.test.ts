import { describe, expect, test } from "vitest";
import { UsageError } from "../manual/usage-error.ts";
import { applyParameters } from "./parameter.ts";
import { looksLikeSpec, parseSpec } from "./run-spec.ts";

const full = {
  prompt: "Do {{ what }}",
  instructions: "Be {{ how }}.",
  parameters: [
    { name: "what", required: true },
    { name: "how", default: "kind", choices: ["kind", "quick"] },
  ],
  cwd: "sub",
  model: "a/b",
  base_url: "https://x.y",
  permission_mode: "plan",
  interaction_policy: "reject",
  permissions: { allow: ["write_file"], deny: [{ tool: "run_.*", args: { command: "rm" } }] },
  max_iterations: 3,
  max_cost: 0.5,
  timeout: 1.5,
  skills: [],
  replay: true,
  output: { format: "json" },
};

test("everything a spec can say is read", () => {
  const spec = parseSpec(JSON.stringify(full), "spec.json");
  expect(applyParameters(spec, [["what", "it"]])).toEqual({
    prompt: "Do it",
    instructions: "Be kind.",
    cwd: "sub",
    model: "a/b",
    baseUrl: "https://x.y",
    mode: "plan",
    maxSteps: 3,
    maxCost: 0.5,
    timeoutMs: 1500,
    format: "json",
    rules: [
      {
        action: "deny",
        name: 'permissions.deny {"tool":"run_.*","args":{"command":"rm"}}',
        toolName: "run_.*",
        tool: /^(?:run_.*)$/,
        subject: { type: "inputs", inputs: [{ name: "command", pattern: /rm/ }] },
      },
      {
        action: "allow",
        name: "--allow write_file",
        toolName: "write_file",
        tool: /^write_file$/,
        subject: { type: "anything" },
      },
    ],
    skills: [],
  });
});

test("a time may have its unit", () => {
  expect(parseSpec('{"timeout":"10m"}', "s").wishes.timeoutMs).toBe(600_000);
});

test("without parameters, braces are braces", () => {
  expect(applyParameters(parseSpec('{"prompt":"a {{ b }} {% c %}"}', "s"), []).prompt).toBe("a {{ b }} {% c %}");
});

describe("refuses", () => {
  const one = (fields: object) => () => applyParameters(parseSpec(JSON.stringify({ prompt: "p", ...fields }), "s"), []);

  test.each<[string, object, string]>([
    ["unknown names", { api_key: "x" }, 's: a spec has no "api_key"; it has prompt,'],
    ["a misspelt name", { permision_mode: "plan" }, 's: a spec has no "permision_mode"; did you mean permission_mode?'],
    ["a model without a name", { model: " " }, 's: "model" is empty'],
    ["an address that is none", { base_url: "here" }, 's: "base_url" is not an http or https address'],
    ["a time no clock can wait", { timeout: 10_000_000 }, 's: "timeout" is not a number of seconds, or a time'],
    ["a time that is none", { timeout: "soon" }, 's: "timeout" is not a number of seconds, or a time'],
    ["a default of many", { parameters: [{ name: "a", default: ["b"] }] }, "is not one value"],
    ["a prompt that is no text", { prompt: 1 }, 's: "prompt" is not a text'],
    ["half a step", { max_iterations: 1.5 }, 's: "max_iterations" is not a whole number from 1'],
    ["free runs", { max_cost: 0 }, 's: "max_cost" is not a number above 0'],
    ["another policy", { interaction_policy: "ask" }, 's: "interaction_policy" can only be reject'],
    ["another format", { output: { format: "xml" } }, 's: "output.format" is text, json or stream-json'],
    ["other output", { output: { file: "x" } }, 's: "output" is not {format}'],
    ["other permissions", { permissions: { ask: [] } }, 's: "permissions" has no "ask"; it has allow and deny'],
    ["a bad pattern", { permissions: { deny: [{ tool: "(" }] } }, '"tool" is no regular expression'],
    ["a parameter twice", { parameters: [{ name: "a" }, { name: "a" }] }, 's: the parameter "a" is there twice'],
    ["a name that is none", { parameters: [{ name: "a-b" }] }, 's: "a-b" cannot be the name of a parameter'],
    ["a reserved name", { parameters: [{ name: "self" }] }, 's: "self" cannot be the name of a parameter'],
    ["required with a default", { parameters: [{ name: "a", required: true, default: "b" }] }, "so it has no default"],
    [
      "a default that is no choice",
      { parameters: [{ name: "a", default: "b", choices: ["c"] }] },
      "is none of its choices",
    ],
    [
      "a missing parameter",
      { parameters: [{ name: "a", required: true }] },
      'the parameter "a" is missing: --param a=…',
    ],
    ["an undefined name", { prompt: "{{ b }}", parameters: [{ name: "a" }] }, "nothing is given for {{ b }}"],
    ["a filter", { prompt: "{{ a | upper }}", parameters: [{ name: "a" }] }, "only {{ name }} is understood"],
    [
      "a place that is not closed",
      { prompt: "{{ a } }", parameters: [{ name: "a" }] },
      "only {{ name }} is understood",
    ],
    ["a statement", { prompt: "{% if a %}", parameters: [{ name: "a" }] }, "only {{ name }} is understood, not {%"],
  ])("%s", (_, fields, problem) => {
    expect(one(fields)).toThrow(UsageError);
    expect(one(fields)).toThrow(problem);
  });

  test("parameters where none are declared", () => {
    expect(() => applyParameters(parseSpec('{"prompt":"p"}', "s"), [["a", "b"]])).toThrow(
      'the spec has no parameter "a"',
    );
  });
});

test.each<[string, boolean]>([
  ['{"prompt":"a"}', true],
  ["prompt: a\nmodel: b", true],
  ['{"prompt":"a","note":"b"}', false],
  ['{"name":"a"}', false],
  ["Please do this: quickly", false],
  ["prompt: a\nand some more words", false],
  ["fix the bug", false],
])("%j is a spec: %s", (text, isSpec) => {
  expect(looksLikeSpec(text)).toBe(isSpec);
});
