import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { scriptedIo } from "../io/scripted-io.ts";
import { config } from "./config.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentao-config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (path: string) => join(folder, path);
const mine = () => at("home/settings.json");
const theirs = () => at("project/.agentao/settings.json");
const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));
function write(path: string, content: unknown, mode = 0o644): string {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), typeof content === "string" ? content : JSON.stringify(content), { mode });
  return at(path);
}
async function run(...args: string[]) {
  const io = scriptedIo({ env: { AGENTAO_HOME: at("home") }, cwd: at("project") });
  const code = await config.run(args, io);
  return { code, said: io.said, complained: io.complained };
}

describe("validate", () => {
  test("is content with nothing, and with what is right", async () => {
    expect(await run("validate")).toEqual({
      code: 0,
      said: "ok       settings  There are no settings files.\n",
      complained: "",
    });
    write("home/settings.json", { model: "openai/gpt-6.1-sol" });
    write("home/permissions.json", { rules: [{ tool: "read_file", action: "allow" }] });
    write("home/mcp.json", { mcpServers: { one: { command: "true" } } });
    write("project/.agentao/sandbox.json", { enabled: true, profile: "workspace-write" });
    write("project/.agentao/acp.json", { servers: { peer: { command: "peer", args: [], env: {}, cwd: "." } } });
    const { code, said } = await run("validate", "--json");
    expect({ code, report: JSON.parse(said) }).toMatchObject({ code: 0, report: { ok: true } });
    expect(JSON.parse(said).findings.map(({ level, area }: { level: string; area: string }) => [level, area])).toEqual([
      ["info", "settings"],
      ["info", "permissions"],
      ["info", "mcp"],
      ["info", "sandbox"],
      ["info", "acp"],
    ]);
  });

  test("names every file with something wrong in it, in the shape of the reference system", async () => {
    const settings = write("home/settings.json", { mode: "yolo", firstByteSecond: 3 });
    const permissions = write("project/.agentao/permissions.json", { rules: [{ tool: "x", action: "allow" }] });
    const mcp = write("home/mcp.json", { mcpServers: { a: { command: "x", args: ["$ABSENT"] }, b: {} } });
    const sandbox = write("home/sandbox.json", "{,}");
    const acp = write("project/.agentao/acp.json", { servers: { peer: {} } });
    const { code, said } = await run("validate", "--json");
    expect(code).toBe(1);
    const { ok, findings } = JSON.parse(said);
    expect(ok).toBe(false);
    const told = findings.map((one: Record<string, string>) => [one.level, one.area, one.source]);
    expect(told).toEqual(
      expect.arrayContaining([
        ["error", "settings", settings],
        ["warning", "settings", settings],
        ["warning", "permissions", permissions],
        ["warning", "mcp", mcp],
        ["error", "mcp", mcp],
        ["error", "sandbox", sandbox],
        ["error", "acp", acp],
      ]),
    );
    expect(said).toContain('\\"firstByteSecond\\" is not known; did you mean \\"firstByteSeconds\\"?');
    expect(said).toContain("is not JSON (line 1, column 2), so it is not used. Mend it there.");
  });

  test("says how to mend what is not JSON, and finds a name that is written twice", async () => {
    const file = write("home/settings.json", '{\n  "model": "a/b",\n}\n');
    expect((await run("validate")).said).toBe(
      `BROKEN   settings  ${file} is not JSON (line 3, column 1), so it is not used. Take away the comma before it.\n`,
    );
    write("home/settings.json", '{"mode": "plan", "mode": "read-only"}');
    expect(await run("validate")).toMatchObject({
      code: 0,
      said: expect.stringContaining('"mode" is written twice, and only the last one counts. Take one away.'),
    });
  });

  test("finds names that are not known at any depth", async () => {
    write("home/settings.json", {
      providers: { acme: { baseurl: "https://x", headers: { any: "x" }, models: { "a.b": { windw: 5 } } } },
      context: { size: 1 },
      goal: { anything: 1 },
    });
    const { code, said } = await run("validate");
    expect(code).toBe(0);
    expect(said.match(/"\S+" is not known; .*/g)).toEqual([
      '"providers.acme.baseurl" is not known; did you mean "baseUrl"?',
      '"providers.acme.models["a.b"].windw" is not known; did you mean "window"?',
      '"context.size" is not known; known there: compactAt.',
    ]);
  });

  test("says that a broken permissions.json makes everything be asked about", async () => {
    write("home/permissions.json", "{");
    expect((await run("validate")).said).toContain(
      "It ends too early. Until it is mended, you are asked about everything but looking, whatever is allowed.",
    );
  });

  test("config alone is config path", async () => {
    expect(await run()).toEqual(await run("path"));
  });

  test("a project cannot loosen the mode, and is told so", async () => {
    const set = await run("set", "mode", "full-access", "--project");
    const notice = "mode full-access is not used: a project's settings can only make the mode stricter.";
    expect(set).toMatchObject({ code: 0, complained: expect.stringContaining(notice) });
    expect(await run("validate")).toMatchObject({ code: 0, said: expect.stringMatching(`^warning .*${notice}`) });
    expect(await run("set", "mode", "plan", "--project")).toMatchObject({ code: 0, complained: "" });
  });
});

describe("set", () => {
  test("makes the person's file for the person alone", async () => {
    expect(await run("set", "model", "openai/gpt-6.1-sol")).toEqual({
      code: 0,
      said: `Set model in ${mine()}.\n`,
      complained: "",
    });
    expect(readFileSync(mine(), "utf8")).toBe('{\n  "model": "openai/gpt-6.1-sol"\n}\n');
    expect(statSync(mine()).mode & 0o777).toBe(0o600);
  });

  test("keeps every other letter as it is, and closes what was open to others", async () => {
    write("home/settings.json", '{\n\t"goal": {"enabled": true},\n\t"mode": "plan",\n\t"x": [1, null]\n}');
    await run("set", "mode", "read-only");
    await run("set", "context.compactAt", "0.5");
    expect(readFileSync(mine(), "utf8")).toBe(
      '{\n\t"goal": {"enabled": true},\n\t"mode": "read-only",\n\t"x": [1, null],\n\t"context": {\n\t\t"compactAt": 0.5\n\t}\n}',
    );
    expect(statSync(mine()).mode & 0o777).toBe(0o600);
    expect(readdirSync(at("home"))).toEqual(["settings.json"]);
  });

  test("takes a value as what the setting wants, and null as nothing", async () => {
    await run("set", "providers.acme.apiKey", "12345678");
    await run("set", "stallSeconds", "30");
    expect(read(mine())).toEqual({ providers: { acme: { apiKey: "12345678" } }, stallSeconds: 30 });
    expect(await run("set", "stallSeconds", "null")).toMatchObject({
      code: 0,
      said: `Took away stallSeconds in ${mine()}.\n`,
    });
    expect(read(mine())).toEqual({ providers: { acme: { apiKey: "12345678" } } });
  });

  test.each<[string, string, string]>([
    ["mode", "yolo", "mode is not read-only, workspace-write, full-access or plan, so it is not used."],
    ["context.compactAt", "2", "context.compactAt is not a number above 0 and up to 1, so it is not used."],
    ["sandbox", "maybe", "sandbox is neither true, false nor an object, so the sandbox is on and read-only."],
  ])("refuses %s %s, and writes nothing", async (key, value, problem) => {
    const { code, complained } = await run("set", key, value);
    expect({ code, complained }).toEqual({
      code: 1,
      complained: expect.stringContaining(`${problem}\nagentao: Nothing was written.\n`),
    });
    expect(() => statSync(mine())).toThrow("ENOENT");
  });

  test("lets a setting be mended while another is still wrong", async () => {
    write("home/settings.json", { mode: "yolo", stallSeconds: "x" });
    expect(await run("set", "mode", "plan")).toMatchObject({ code: 0 });
    expect(read(mine())).toEqual({ mode: "plan", stallSeconds: "x" });
  });

  test.each(["{ broken", "[1]", '"text"'])("never writes over a file that is %s", async (text) => {
    write("home/settings.json", text);
    expect(await run("set", "mode", "plan")).toMatchObject({
      code: 1,
      complained: expect.stringContaining("nothing was written"),
    });
    expect(readFileSync(mine(), "utf8")).toBe(text);
  });

  test("writes the project's file where it is told to, but no key into it", async () => {
    write("project/.agentao/settings.json", {}, 0o644);
    expect(await run("set", "mode", "read-only", "--project")).toMatchObject({ code: 0 });
    expect({ is: read(theirs()), mode: statSync(theirs()).mode & 0o777 }).toEqual({
      is: { mode: "read-only" },
      mode: 0o644,
    });
    const refused = await run("set", "providers.openai.apiKey", "sk-abcdefgh12345", "--project");
    expect(refused).toMatchObject({
      code: 1,
      complained: expect.stringContaining("does not belong in a project's file"),
    });
    expect(refused.complained).not.toContain("sk-abc");
    expect(await run("set", "providers.openai.apiKey", "$MY_KEY", "--project")).toMatchObject({ code: 0 });
  });

  test("writes through a link, and leaves it one", async () => {
    const real = write("dotfiles/settings.json", { mode: "plan" });
    mkdirSync(at("home"));
    symlinkSync(real, mine());
    await run("set", "mode", "read-only");
    expect(read(real)).toEqual({ mode: "read-only" });
  });

  test("writes where a link leads to when nothing is there yet", async () => {
    mkdirSync(at("home"));
    symlinkSync(join("..", "dotfiles", "settings.json"), mine());
    expect(await run("set", "mode", "plan")).toMatchObject({ code: 0 });
    expect(read(at("dotfiles/settings.json"))).toEqual({ mode: "plan" });
    expect(lstatSync(mine()).isSymbolicLink()).toBe(true);
  });

  test("leaves a file that is read-only as it is", async () => {
    write("home/settings.json", { mode: "plan" }, 0o444);
    expect(await run("set", "mode", "read-only")).toMatchObject({
      code: 1,
      complained: expect.stringMatching(/cannot be written: .*Nothing was written\.\n$/),
    });
    expect([read(mine()), readdirSync(at("home"))]).toEqual([{ mode: "plan" }, ["settings.json"]]);
  });

  test("loses nothing where several change a file at once, and goes on where one of them died", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    write("home/.settings.json.lock", "");
    utimesSync(at("home/.settings.json.lock"), 0, 0);
    await Promise.all(names.map((name) => run("set", `providers.${name}.name`, name)));
    expect(Object.keys(read(mine()).providers).sort()).toEqual(names.sort());
    expect(readdirSync(at("home"))).toEqual(["settings.json"]);
  });

  test("knows when a name is nearly right, and when it is not ours", async () => {
    expect(await run("set", "modle", "x")).toMatchObject({
      code: 1,
      complained: 'agentao: "modle" is not known; did you mean "model"? Nothing was written.\n',
    });
    expect((await run("set", "providers.openai.baseurl", "https://x.example")).complained).toBe(
      'agentao: "providers.openai.baseurl" is not known; did you mean "baseUrl"? Nothing was written.\n',
    );
    expect((await run("set", "context.colour", "red")).complained).toBe(
      'agentao: "context.colour" is not known; known there: compactAt. Nothing was written.\n',
    );
    expect(await run("set", "colour.theme", "dark")).toMatchObject({
      code: 0,
      complained: 'agentao does not read "colour"; it was written all the same.\n',
    });
  });
});

describe("get", () => {
  test("prints the project's value where it has one, else the person's", async () => {
    write("home/settings.json", { mode: "plan", model: "a/b", context: { compactAt: 0.5 } });
    write("project/.agentao/settings.json", { mode: "read-only" });
    expect((await run("get", "mode")).said).toBe("read-only\n");
    expect((await run("get", "model")).said).toBe("a/b\n");
    expect(JSON.parse((await run("get", "context", "--json")).said)).toEqual({
      value: { compactAt: 0.5 },
      source: mine(),
    });
    expect(await run("get", "model", "--project")).toEqual({ code: 1, said: "", complained: "model is not set.\n" });
  });

  test("never prints a key, but the variable it is in", async () => {
    write("home/settings.json", {
      providers: { a: { apiKey: "plainvalue99", headers: { "x-api": "hiddenvalue" } }, b: { apiKey: "$B_KEY" } },
    });
    expect((await run("get", "providers.a.apiKey")).said).toBe("[redacted]\n");
    expect((await run("get", "providers.b.apiKey")).said).toBe("$B_KEY\n");
    const { said } = await run("get", "providers");
    expect(said).not.toMatch(/plainvalue99|hiddenvalue/);
  });
});

test("path says which files are read, and which of them are there", async () => {
  write("home/mcp.json", {});
  const { said } = await run("path");
  expect(said).toContain(`yours    missing  ${mine()}\n`);
  expect(said).toContain(`yours    there    ${at("home/mcp.json")}\n`);
  expect(JSON.parse((await run("path", "--json")).said).files).toHaveLength(10);
});
