import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "@agentao/agent";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { scriptedIo } from "../io/scripted-io.ts";
import { UsageError } from "../manual/usage-error.ts";
import { init } from "./init.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentao-init-"));
  mkdirSync(join(folder, "home"));
  mkdirSync(join(folder, "project"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const settings = () => join(folder, "home/settings.json");
const dotEnv = () => join(folder, "project/.env");
const read = () => JSON.parse(readFileSync(settings(), "utf8"));

async function run(line: string, { typed, env = {} }: { typed?: string; env?: Record<string, string> } = {}) {
  const io = scriptedIo({
    env: { AGENTAO_HOME: join(folder, "home"), ...env },
    cwd: join(folder, "project"),
    ...(typed !== undefined && { typed }),
  });
  const code = await init.run(line.split(" ").filter(Boolean), io);
  return { code, said: io.said, complained: io.complained };
}

describe("with nobody to ask", () => {
  test("writes the usual model of a provider, for the person alone, and says what to do next", async () => {
    expect(await run("--provider anthropic --yes")).toEqual({
      code: 0,
      said: `Written to ${settings()}.\nNew sessions begin with anthropic/claude-sonnet-5-5.\nANTHROPIC_API_KEY is not set yet: export it in your shell's profile.\nNext: agentao run "Say hello" tries it; "agentao doctor" says whether all is well.\n`,
      complained: "",
    });
    expect(read()).toEqual({ model: "anthropic/claude-sonnet-5-5" });
    expect(statSync(settings()).mode & 0o777).toBe(0o600);
  });

  test("says which model it replaces", async () => {
    writeFileSync(settings(), '{"model":"a/b"}');
    expect((await run("--provider openai --yes")).said).toContain('Replaced model: it was "a/b".\n');
  });

  test("names another variable, and a server of one's own", async () => {
    await run("--provider openai --model gpt-6.1-terra --key-variable WORK_KEY --yes");
    expect(read()).toEqual({ model: "openai/gpt-6.1-terra", providers: { openai: { apiKey: "$WORK_KEY" } } });
    await run("--provider acme --base-url https://llm.acme.example/v1 --model acme-1 --key-variable ACME --yes");
    expect(read()).toEqual({
      model: "acme/acme-1",
      providers: {
        openai: { apiKey: "$WORK_KEY" },
        acme: { baseUrl: "https://llm.acme.example/v1", models: ["acme-1"], apiKey: "$ACME" },
      },
    });
    const { model } = await loadConfig({
      cwd: join(folder, "project"),
      home: join(folder, "home"),
      env: { ACME: "x" },
    });
    expect(model).toBe("acme/acme-1");
  });

  test.each([
    ["", "there is nobody to ask"],
    ["--provider openai", "there is nobody to ask"],
    ["--yes", "--yes needs --provider"],
    ["--provider acme --yes", "so it needs --base-url"],
    ["--provider ollama --yes", "ollama needs --model"],
    ["--provider openai --key-variable sk-abc-def --yes", "--key-variable is the name of a variable"],
    ["--provider groq --key-variable gsk_0a1b2c3d4e5f --yes", "--key-variable is the name of a variable"],
    ["--provider acme --base-url nowhere --model m --yes", "--base-url is not an http or https address"],
  ])("refuses %s", async (line, problem) => {
    const failed = await run(line).catch((cause: unknown) => cause);
    expect(failed).toBeInstanceOf(UsageError);
    expect((failed as Error).message).toContain(problem);
    expect(() => statSync(settings())).toThrow("ENOENT");
  });

  test("never writes over a file it cannot read", async () => {
    writeFileSync(settings(), "{ broken");
    expect(await run("--provider openai --yes")).toMatchObject({ code: 1, said: "" });
    expect(readFileSync(settings(), "utf8")).toBe("{ broken");
  });

  test("says when something else counts more", async () => {
    const { said } = await run("--provider openai --yes", {
      env: { AGENTAO_MODEL: "xai/grok-4.7", OPENAI_API_KEY: "k" },
    });
    expect(said).toContain("But here something else counts more: xai/grok-4.7 because AGENTAO_MODEL");
  });
});

describe("in a terminal", () => {
  test("asks for provider, key and model, and never shows the key", async () => {
    const { code, said, complained } = await run("", { typed: "2\nkey\nmy-own-key-123\n2\n" });
    expect(code).toBe(0);
    expect(complained).toContain("   1  OpenAI\n   2  Anthropic\n");
    expect(said + complained).not.toContain("my-own-key-123");
    expect(read()).toEqual({
      model: "anthropic/claude-opus-5-5",
      providers: { anthropic: { apiKey: "my-own-key-123" } },
    });
    expect(statSync(settings()).mode & 0o777).toBe(0o600);
  });

  test("offers the provider whose key is set, and takes Enter for the usual", async () => {
    const { complained } = await run("", { typed: "\n\n\n", env: { GEMINI_API_KEY: "k" } });
    expect(complained).toContain("3  Google Gemini (GEMINI_API_KEY is set)");
    expect(read()).toEqual({ model: "gemini/gemini-3.8-flash" });
  });

  test("asks again when an answer makes no sense, and stops when there are no more", async () => {
    expect(await run("--provider groq", { typed: "gsk_0a1b2c3d\nnone\nkey\nnot a key\n" })).toEqual({
      code: 1,
      said: "",
      complained: expect.stringMatching(/(write "key" first[\s\S]*){2}A key has no blanks[\s\S]*Nothing was written/),
    });
    expect((await run("", { typed: "99\n" })).complained).toContain("Write a number from 1 to 18, or a name.\n");
    expect(await run("", { typed: "99\nnobody\nopenai\n" })).toMatchObject({
      code: 1,
      said: "",
      complained: expect.stringContaining("agentao: Nothing was written.\n"),
    });
    expect(() => statSync(settings())).toThrow("ENOENT");
  });

  test("asks before it replaces, and keeps the rest", async () => {
    writeFileSync(settings(), '{"model":"a/b","mode":"plan"}');
    expect(await run("--provider openai", { typed: "\n\nn\n" })).toMatchObject({ code: 1 });
    expect(read()).toEqual({ model: "a/b", mode: "plan" });
    const { complained } = await run("--provider openai", { typed: "\n\ny\n" });
    expect(complained).toContain(`${settings()} has model already.\nReplace? [y/N] `);
    expect(read()).toEqual({ model: "openai/gpt-6.1-sol", mode: "plan" });
  });

  test("takes a provider by its address", async () => {
    await run("", { typed: "other\nAcme\nnot an address\nhttp://127.0.0.1:9/v1\nnone\nacme-1\n" });
    expect(read()).toEqual({
      model: "acme/acme-1",
      providers: { acme: { baseUrl: "http://127.0.0.1:9/v1", models: ["acme-1"] } },
    });
  });
});

describe("--project", () => {
  test("writes .env as it is read again, keeps its other lines, and asks before it replaces", async () => {
    writeFileSync(dotEnv(), "OTHER=1\nLLM_PROVIDER=XAI\n");
    expect(await run("--project --provider deepseek", { typed: "key\nproject-key-1\n\nn\n" })).toMatchObject({
      code: 1,
    });
    expect(readFileSync(dotEnv(), "utf8")).toBe("OTHER=1\nLLM_PROVIDER=XAI\n");
    const { said } = await run("--project --provider deepseek", { typed: "key\nproject-key-1\n\ny\n" });
    expect(said).toContain(
      "Keep it out of version control: add .env to .gitignore.\nNew sessions begin with deepseek/deepseek-v4-pro.\n",
    );
    expect(readFileSync(dotEnv(), "utf8")).toBe(
      "OTHER=1\nLLM_PROVIDER=DEEPSEEK\nDEEPSEEK_API_KEY=project-key-1\nDEEPSEEK_MODEL=deepseek-v4-pro\n",
    );
    expect(statSync(dotEnv()).mode & 0o777).toBe(0o600);
    expect(() => statSync(join(folder, "project/.agentao"))).toThrow("ENOENT");
  });

  test("adds .env to .gitignore after asking, and says nothing where it is there", async () => {
    const ignore = join(folder, "project/.gitignore");
    writeFileSync(ignore, "dist");
    const typed = "key\nproject-key-1\n\ny\n";
    expect((await run("--project --provider deepseek", { typed })).said).toContain(`.env is in ${ignore} now.\n`);
    expect(readFileSync(ignore, "utf8")).toBe("dist\n.env\n");
    const again = await run("--project --provider xai --yes");
    expect(again.said).not.toContain(".gitignore");
    expect(again.said).toContain("Replaced LLM_PROVIDER.\n");
    writeFileSync(ignore, "");
  });
});
