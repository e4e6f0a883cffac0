import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { scriptedIo } from "../io/scripted-io.ts";
import { doctor, examine } from "./doctor.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentao-doctor-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = (env: Record<string, string> = {}) =>
  scriptedIo({ env: { AGENTAO_HOME: join(folder, "home"), ...env }, cwd: folder });
const look = async (env: Record<string, string>, nodeVersion = "20.20.0") =>
  (await examine({ ...inFolder(env), nodeVersion })).findings;
const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
};

test("says that all is well, by names and never by values", async () => {
  const findings = await look({ OPENAI_API_KEY: "sk-secret", HTTPS_PROXY: "http://me:hunter22@proxy.example" });
  expect(findings).toEqual([
    { type: "fine", topic: "node", message: "Node 20.20.0." },
    { type: "fine", topic: "home", message: `${join(folder, "home")} is not there yet, and can be made.` },
    {
      type: "fine",
      topic: "model",
      message: "openai/gpt-6.1-sol because OPENAI_API_KEY is set. It was not contacted.",
    },
    { type: "fine", topic: "keys", message: "Set: OPENAI_API_KEY." },
    { type: "fine", topic: "servers", message: "No local server was needed or found." },
    { type: "fine", topic: "settings", message: "There are no settings files." },
    { type: "fine", topic: "permissions", message: "There is no file about permissions." },
    { type: "fine", topic: "mcp", message: "There is no file about MCP servers." },
    { type: "fine", topic: "acp", message: "There is no file about other agents." },
    { type: "fine", topic: "sandbox", message: expect.stringContaining("Settings do not switch it on.") },
    { type: "fine", topic: "search", message: expect.stringMatching(/^ripgrep: .*rg/) },
    { type: "fine", topic: "sessions", message: "There are no sessions yet." },
    { type: "fine", topic: "proxy", message: "Set: HTTPS_PROXY." },
    { type: "fine", topic: "terminal", message: "Input or output is not a terminal." },
  ]);
});

test("only looks: nothing is made or changed", async () => {
  await look({ OPENAI_API_KEY: "sk-secret" });
  expect(readdirSync(folder)).toEqual([]);
  mkdirSync(join(folder, "home"));
  const message = `${join(folder, "home")} can be written.`;
  expect(await look({})).toContainEqual({ type: "fine", topic: "home", message });
  expect(readdirSync(join(folder, "home"))).toEqual([]);
});

test("says what to do where there is no key", async () => {
  expect(await look({})).toContainEqual({
    type: "warning",
    topic: "model",
    message:
      "scripted/demo because there is no key and no local server. Set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or another key, or start Ollama.",
  });
});

test("calls a chosen provider without its key broken", async () => {
  expect(await look({ LLM_PROVIDER: "xai" })).toContainEqual({
    type: "broken",
    topic: "model",
    message: "xai/grok-4.7 because LLM_PROVIDER is xai, but there is no key. Set XAI_API_KEY.",
  });
});

test.each(["18.20.0", "20.18.3"])("calls Node %s broken", async (version) => {
  const message = `Node ${version} is too old. Install Node 20.19 or later.`;
  expect(await look({}, version)).toContainEqual({ type: "broken", topic: "node", message });
});

test("calls settings that are not JSON broken, says where, and says it once", async () => {
  const file = write(".agentao/settings.json", "{\n  model\n}");
  const message = `${file} is not JSON (line 2, column 3), so it is not used. Names and texts stand in double quotes.`;
  const told = (await look({})).filter(({ topic }) => topic === "settings");
  expect(told.filter((finding) => finding.type === "broken")).toEqual([
    { type: "broken", topic: "settings", message, source: file },
  ]);
});

test("calls a home that cannot be made broken", async () => {
  writeFileSync(join(folder, "file"), "");
  const home = join(folder, "file", "home");
  expect(await look({ AGENTAO_HOME: home })).toContainEqual({
    type: "broken",
    topic: "home",
    message: expect.stringContaining(`${home} cannot be written`),
  });
});

test.skipIf(process.platform !== "linux")("calls a home where nobody can make anything broken", async () => {
  const findings = await look({ AGENTAO_HOME: "/proc/agentao/home" });
  expect(findings.find(({ topic }) => topic === "home")).toMatchObject({ type: "broken" });
});

test("says how large a few sessions are, too", async () => {
  write("home/sessions/sess_torn.jsonl", "not a header\n");
  expect(await look({})).toContainEqual({ type: "fine", topic: "sessions", message: "0 sessions, 1 KiB." });
});

test("names what is wrong with permissions, MCP servers, the sandbox and sessions", async () => {
  const permissions = write("home/permissions.json", '{"rules":[{"tool":7}]}');
  const mcp = write(".agentao/mcp.json", '{"mcpServers":{"one":{}}}');
  const settings = write("home/settings.json", '{"sandbox":"yes","modle":"x"}');
  write("home/sessions/sess_torn.jsonl", "not a header\n");
  const findings = await look({});
  expect(findings.filter(({ type, topic }) => type !== "fine" && topic !== "model")).toEqual([
    {
      type: "broken",
      topic: "settings",
      message: `${settings}: sandbox is neither true, false nor an object, so the sandbox is on and read-only.`,
      source: settings,
    },
    {
      type: "warning",
      topic: "settings",
      message: `${settings}: "modle" is not known; did you mean "model"?`,
      source: settings,
    },
    {
      type: "broken",
      topic: "permissions",
      message: `${permissions}: Rule 1 is ignored: "tool" is not a text. Until it is mended, you are asked about everything but looking, whatever is allowed.`,
      source: permissions,
    },
    {
      type: "broken",
      topic: "mcp",
      message: `${mcp}: MCP server "one": give it a "command" to start, or the "url" of a running server. Until then it is not used.`,
      source: mcp,
    },
    ...findings.filter(({ topic, type }) => topic === "sandbox" && type === "warning"),
    {
      type: "warning",
      topic: "sessions",
      message: `${join(folder, "home/sessions")} has files that hold no session that can be opened: sess_torn.jsonl. If they are of no use, delete them.`,
      source: join(folder, "home/sessions"),
    },
  ]);
});

test("names programs of MCP servers that are not there, and certificates that cannot be read", async () => {
  const servers = {
    there: { command: process.execPath },
    gone: { command: "no-such-program" },
    own: { command: "./x" },
  };
  const mcp = write("home/mcp.json", JSON.stringify({ mcpServers: servers }));
  const settings = write("home/settings.json", JSON.stringify({ caFile: join(folder, "absent.pem") }));
  const findings = await look({});
  expect(findings.filter(({ type, topic }) => type !== "fine" && topic !== "model")).toEqual([
    {
      type: "broken",
      topic: "settings",
      message: `${settings}: caFile ${join(folder, "absent.pem")} cannot be read, so no provider can be reached. Name a file of certificates, or take it away: agentao config set caFile null`,
      source: settings,
    },
    {
      type: "warning",
      topic: "mcp",
      message: `${mcp}: MCP server "gone": there is no program no-such-program. Install it, or write its whole path.`,
      source: mcp,
    },
  ]);
});

test("tells programs the same, in the shape of the reference system too", async () => {
  const io = inFolder({ LLM_PROVIDER: "xai" });
  expect(await doctor.run(["--json"], io)).toBe(1);
  const report = JSON.parse(io.said);
  expect(report).toMatchObject({
    ok: false,
    broken: true,
    sections: {
      model: { ok: false },
      node: { ok: true },
      provider: { model: "xai/grok-4.7", keys: [] },
      permissions: { ok: true },
      mcp: { ok: true },
    },
  });
  const message = "xai/grok-4.7 because LLM_PROVIDER is xai, but there is no key. Set XAI_API_KEY.";
  expect(report.findings).toContainEqual({
    level: "error",
    area: "model",
    message,
    source: null,
    type: "broken",
    topic: "model",
  });
  await expect(doctor.run(["--jsn"], inFolder())).rejects.toThrow('unknown option "--jsn"; did you mean --json?');
});
