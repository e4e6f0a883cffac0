import { type AcpClient, emptyTranscript, RpcError, type SessionConfigOption, type Transcript } from "@agentao/acp";
import { expect, test } from "vitest";
import type { Conversation } from "../conversation.ts";
import type { CommandRoom } from "./command.ts";
import { findSlashCommand } from "./index.ts";

interface World {
  readonly transcript?: Partial<Transcript>;
  readonly configOptions?: readonly SessionConfigOption[];
  readonly supports?: readonly string[];
  readonly choose?: string;
  readonly modeIds?: readonly string[];
  readonly sessions?: readonly string[];
  readonly sessionsCwd?: string;
  readonly updatedAt?: string;
  readonly modeBeforePlan?: string;
}

function run(
  line: string,
  {
    transcript,
    configOptions = [],
    supports = [],
    choose,
    modeIds = [],
    sessions = [],
    sessionsCwd = "/w",
    updatedAt,
    modeBeforePlan,
  }: World,
) {
  const done: unknown[] = [];
  const client = {
    agentSupports: (path: string) => supports.includes(path),
    setConfigOption: async (...args: unknown[]) => {
      done.push(["set", ...args]);
      if (args[2] === "yolo") throw new RpcError(-32602, "Invalid params: no such value");
      return { configOptions: [] };
    },
    allSessions: async function* () {
      for (const sessionId of sessions) yield { sessionId, cwd: sessionsCwd, updatedAt };
    },
    setMode: async (...args: unknown[]) => void done.push(["set mode", ...args]),
  } as unknown as AcpClient;
  const conversation = {
    sessionId: "s",
    cwd: "/w",
    transcript: { ...emptyTranscript, ...transcript },
    configOptions,
    modeId: "ask",
    modeIds,
    modeBeforePlan,
    replace: async (sessionId: string) => void done.push(["replace", sessionId]),
    hear: (...args: unknown[]) => void done.push(["hear", ...args]),
    setConfigOptions: () => {},
  } as unknown as Conversation;
  const room: CommandRoom = {
    client,
    conversation,
    commands: [],
    choose: async (title, choices) => {
      done.push([title, choices]);
      return choose;
    },
    prompt: async (text) => void done.push(["prompt", text]),
    write: (text) => void done.push(["write", text]),
    exit: () => void done.push("exit"),
  };
  const found = findSlashCommand(line, []);
  return { done, reply: Promise.resolve(found?.command.run(found.argument, room)) };
}

const MODES: SessionConfigOption = {
  id: "mode",
  name: "Mode",
  category: "mode",
  type: "select",
  currentValue: "ask",
  options: [
    { value: "ask", name: "Ask" },
    { value: "plan", name: "Plan" },
  ],
};

test("lets a mode be picked", async () => {
  const { done, reply } = run("/mode", { configOptions: [MODES], choose: "plan" });
  expect(await reply).toBeUndefined();
  expect(done).toEqual([
    [
      "Mode",
      [
        { id: "ask", label: "Ask", detail: "(now)" },
        { id: "plan", label: "Plan" },
      ],
    ],
    ["set", "s", "mode", "plan"],
  ]);
});

test("lets a mode be picked of an agent that knows no options", async () => {
  const { done, reply } = run("/mode yolo", { modeIds: ["ask", "yolo"] });
  expect(await reply).toMatchObject({ text: "The mode is yolo." });
  expect(done).toEqual([
    ["set mode", "s", "yolo"],
    ["hear", "s", { sessionUpdate: "current_mode_update", currentModeId: "yolo" }],
  ]);
});

test.each<[string, unknown, unknown[]]>([
  ["/mode plan", { severity: "info", text: "The mode is plan." }, [["set", "s", "mode", "plan"]]],
  [
    "/mode yolo",
    { severity: "warning", text: 'There is no mode "yolo"; choose from ask, plan.' },
    [["set", "s", "mode", "yolo"]],
  ],
])("sets by name, and tells what there is: %s", async (line, reply, done) => {
  const world = run(line, { configOptions: [MODES] });
  expect(await world.reply).toMatchObject(reply as object);
  expect(world.done).toEqual(done);
});

test("plans what is said behind /plan", async () => {
  const { done, reply } = run("/plan a login page", { configOptions: [MODES] });
  expect(await reply).toBeUndefined();
  expect(done).toEqual([
    ["set", "s", "mode", "plan"],
    ["prompt", "a login page"],
  ]);
});

test("turns plan mode on, and back to where it was", async () => {
  const on = run("/plan", { configOptions: [MODES] });
  expect(await on.reply).toMatchObject({ severity: "info" });
  expect(on.done).toEqual([["set", "s", "mode", "plan"]]);
  const off = run("/plan", { configOptions: [{ ...MODES, currentValue: "plan" }] });
  await off.reply;
  expect(off.done).toEqual([["set", "s", "mode", "ask"]]);
  const back = run("/plan", { configOptions: [{ ...MODES, currentValue: "plan" }], modeBeforePlan: "full" });
  expect(await back.reply).toMatchObject({ text: "Plan mode is off; the mode is full." });
  expect(back.done).toEqual([["set", "s", "mode", "full"]]);
});

test.each<[string, World, string]>([
  ["/cost", {}, "The agent has not told what it costs."],
  [
    "/cost",
    {
      transcript: {
        usage: { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 0.5, currency: "USD" } } as never,
      },
    },
    "$0.500 so far.",
  ],
  ["/fork", {}, "This agent cannot copy a session."],
  ["/sessions", {}, "This agent does not list its sessions."],
  ["/model", {}, "This agent does not let its model be chosen."],
  ["/diff", {}, "This session has changed no file by its tools."],
  ["/copy", {}, "There is no answer yet."],
  ["/permissions", {}, "Mode: ask."],
  ["/resume abc", {}, "This agent cannot go on with a stored session."],
  ["/export /no/such/folder/x.md", {}, "There is no folder /no/such/folder; make it, or name another."],
  [
    "/permissions",
    { configOptions: [{ ...MODES, options: [{ value: "ask", name: "Ask", description: "Asks first." }] }] },
    "Ask: Asks first. /mode changes it.",
  ],
])("%s answers in a sentence", async (line, world, text) => {
  expect(await run(line, world).reply).toMatchObject({ type: "note", text });
});

test.each<[string, string[], unknown]>([
  ["/resume abc", ["sess_abc1", "sess_b"], ["replace", "sess_abc1"]],
  ["/resume sess_b", ["sess_b", "sess_b2"], ["replace", "sess_b"]],
  ["/resume gone", ["sess_b"], ["replace", "gone"]],
])("%s of %j", async (line, sessions, wanted) => {
  const { done, reply } = run(line, { supports: ["sessionCapabilities.list", "loadSession"], sessions });
  await reply;
  expect(done).toEqual([wanted]);
});

test.each([
  [new Date(2026, 0, 2, 3, 4).toISOString(), "2026-01-02 03:04"],
  ["soon", undefined],
])("shows when a session was used as clocks here do: %s", async (updatedAt, detail) => {
  const { done, reply } = run("/sessions", { supports: ["sessionCapabilities.list"], sessions: ["a"], updatedAt });
  await reply;
  expect(done).toEqual([["Go on with which session?", [{ id: "a", label: "a", detail }]]]);
});

test("says that a session is in another folder", async () => {
  const supports = ["sessionCapabilities.list", "loadSession"];
  const { reply } = run("/resume sess_b", { supports, sessions: ["sess_b"], sessionsCwd: "/other" });
  expect(await reply).toMatchObject({ text: "This session works in /other, and so do you now." });
});

test("asks for more of an id that could be two", async () => {
  const { reply } = run("/resume ab", { supports: ["sessionCapabilities.list"], sessions: ["sess_ab1", "sess_ab2"] });
  expect(await reply).toMatchObject({ severity: "warning", text: expect.stringContaining("More than one") });
});

test("copies the last answer by the terminal", async () => {
  const items = ["first", "second 日本"].map((text) => ({
    type: "message" as const,
    from: "agent" as const,
    messageId: undefined,
    content: [{ type: "text" as const, text }],
  }));
  const { done, reply } = run("/copy", { transcript: { items } });
  await reply;
  const encoded = Buffer.from("second 日本").toString("base64");
  expect(done).toEqual([["write", `\u001b]52;c;${encoded}\u0007`]]);
});
