import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chooseSandbox, type ParsedSandbox, parseSandbox, type SandboxSettings, toSandboxPolicy } from "./sandbox.ts";

const FILE = "settings.json";

describe("settings", () => {
  test.each([
    { value: undefined, settings: {} },
    { value: null, settings: {} },
    { value: true, settings: { enabled: true } },
    { value: {}, settings: {} },
    {
      value: { enabled: true, network: true, writable: ["/cache", "~/.cache"] },
      settings: { enabled: true, network: true, writable: ["/cache", "~/.cache"] },
    },
    { value: { enabled: true, profile: "read-only" }, settings: { enabled: true, network: false, readOnly: true } },
    {
      value: { enabled: false, default_profile: "workspace-write", platform: "darwin" },
      settings: { enabled: false, network: true, readOnly: false },
    },
    {
      value: { default_profile: "workspace-write", rules: [{ tool: "run_shell_command", profile: "readonly" }] },
      settings: { network: false, readOnly: true },
    },
    {
      value: { profile: "workspace-write", network: false },
      settings: { network: false, readOnly: false },
    },
  ])("are read: $value", ({ value, settings }) => {
    expect(parseSandbox(value, FILE)).toEqual({ settings, problems: [] });
  });

  test.each([
    { value: "on", settings: { enabled: true, network: false, readOnly: true } },
    { value: { enabled: "no" }, settings: { enabled: true } },
    { value: { enabled: true, network: "yes" }, settings: { enabled: true, network: false } },
    { value: { default_profile: "open" }, settings: { network: false, readOnly: true } },
    { value: { profile: "constructor" }, settings: { network: false, readOnly: true } },
    { value: { writable: ["/a", "b", 3] }, settings: { writable: ["/a"] } },
    { value: { writable: "/a" }, settings: { writable: [] } },
  ])("that cannot be understood are taken strictly, and named: $value", ({ value, settings }) => {
    const parsed = parseSandbox(value, FILE);

    expect(parsed.settings).toEqual(settings);
    expect(parsed.problems).toEqual([expect.stringContaining(FILE)]);
  });

  test("of any kind never throw", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        parseSandbox(value, FILE);
      }),
    );
  });
});

describe("the choice", () => {
  const said = (settings: SandboxSettings, ...problems: string[]): ParsedSandbox => ({ settings, problems });
  const choose = (own: ParsedSandbox, theirs: ParsedSandbox = said({})) => chooseSandbox([own], [theirs], "project");
  const plain = { network: false, readOnly: false, writable: [], isAsked: false };

  test.each([
    { name: "nothing", own: {}, theirs: {}, sandbox: undefined },
    { name: "a person's", own: { enabled: true }, theirs: {}, sandbox: plain },
    { name: "off again", own: { enabled: false }, theirs: {}, sandbox: undefined },
    {
      name: "a person's with more",
      own: { enabled: true, network: true, writable: ["/c"] },
      theirs: {},
      sandbox: { ...plain, network: true, writable: ["/c"] },
    },
    {
      name: "only a project's, which is asked about",
      own: {},
      theirs: { enabled: true, network: true, writable: ["/"] },
      sandbox: { ...plain, isAsked: true },
    },
    {
      name: "a project that tightens",
      own: { enabled: true, network: true },
      theirs: { network: false, readOnly: true },
      sandbox: { ...plain, readOnly: true },
    },
  ])("is $name", ({ own, theirs, sandbox }) => {
    expect(choose(said(own), said(theirs))).toEqual({ ...(sandbox && { sandbox }), notices: [] });
  });

  test("is not loosened by a project, which is told", () => {
    expect(choose(said({ enabled: true }), said({ enabled: false, network: true, writable: ["/"] }))).toEqual({
      sandbox: plain,
      notices: ["enabled", "network", "writable"].map(
        (name) => `project: sandbox.${name} is not used: a project's settings can only make it stricter.`,
      ),
    });
  });

  test("is asked about where the person's settings are not clear", () => {
    expect(choose(said({ enabled: true }, "unclear"))).toEqual({
      sandbox: { ...plain, isAsked: true },
      notices: ["unclear"],
    });
  });

  test("is, of several files of a person, what the later one says", () => {
    const { sandbox } = chooseSandbox([said({ enabled: true, network: true }), said({ network: false })], [], "");

    expect(sandbox).toEqual(plain);
  });
});

test("a policy writes in the session's folders and those that were named, or nowhere", () => {
  const choice = { network: false, readOnly: false, writable: ["/cache", "~/.npm"], isAsked: false };

  expect(toSandboxPolicy(choice, ["/p"], { home: "/home/me", hidden: ["/keys"] })).toEqual({
    network: false,
    readable: ["/p"],
    writable: ["/p", "/cache", "/home/me/.npm"],
    hidden: ["/keys"],
  });
  expect(toSandboxPolicy(choice, ["/p"], {}).writable).toEqual(["/p", "/cache"]);
  expect(toSandboxPolicy({ ...choice, readOnly: true }, ["/p"], {})).toEqual({
    network: false,
    readable: ["/p"],
    writable: [],
  });
});
