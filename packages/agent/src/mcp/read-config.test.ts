import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createConsent } from "./consent.ts";
import { mergeServers, parseServers, type WrittenServer } from "./read-config.ts";
import { loadServers, readServerFiles } from "./read-config-files.ts";
import type { ServerConfig } from "./server.ts";

const PATH = "/home/ann/.agentao/mcp.json";
const env = { TOKEN: "s3cret-value", HOST: "example.org", EMPTY: "", NESTED: "$TOKEN" };

const parse = (entries: unknown, source: "user" | "project" = "user") =>
  parseServers(JSON.stringify({ mcpServers: entries }), { source, path: PATH, env });

const braced = (name: string): string => `$\{${name}}`;

const plain = ({ fingerprint, ...config }: WrittenServer): ServerConfig => config;

const base = { source: "user", trust: false, startMs: 60_000 } as const;
const stdio = { type: "stdio", command: "run", args: [], env: {} } as const;

describe("one server", () => {
  test.each<[string, unknown, Omit<ServerConfig, "name">]>([
    ["a bare command", { command: "run" }, { ...base, transport: stdio }],
    [
      "everything of a command",
      { type: "stdio", command: " run ", args: ["-v", 3, true], env: { A: "b", PORT: 80 }, cwd: "work", trust: true },
      {
        ...base,
        trust: true,
        transport: {
          type: "stdio",
          command: "run",
          args: ["-v", "3", "true"],
          env: { A: "b", PORT: "80" },
          cwd: "/home/ann/work",
        },
      },
    ],
    [
      "a bare url",
      { url: "https://a.example/mcp" },
      { ...base, transport: { type: "http", url: "https://a.example/mcp", headers: {} } },
    ],
    [
      "an event stream",
      { type: "sse", url: "http://a.example/sse", headers: { "X-Key": "k" } },
      { ...base, transport: { type: "sse", url: "http://a.example/sse", headers: { "X-Key": "k" } } },
    ],
    ["a number as timeout", { command: "run", timeout: 2.5 }, { ...base, startMs: 2_500, transport: stdio }],
    [
      "two timeouts",
      { command: "run", timeout: { startup: 5, request: 9 } },
      { ...base, startMs: 5_000, requestMs: 9_000, transport: stdio },
    ],
    [
      "only the timeout of a call",
      { command: "run", timeout: { request: 9 } },
      { ...base, requestMs: 9_000, transport: stdio },
    ],
    [
      "nulls",
      { type: null, command: "run", args: null, env: null, cwd: null, timeout: null, trust: null },
      { ...base, transport: stdio },
    ],
    ["an absolute folder", { command: "run", cwd: "/srv" }, { ...base, transport: { ...stdio, cwd: "/srv" } }],
    ["keys of other programs", { command: "run", autoApprove: ["x"], description: "d" }, { ...base, transport: stdio }],
    ["a command beside a url", { command: "run", url: "https://a.example" }, { ...base, transport: stdio }],
  ])("reads %s", (_, entry, config) => {
    const { servers, problems, disabled } = parse({ one: entry });
    expect({ servers: servers.map(plain), problems, disabled }).toEqual({
      servers: [{ name: "one", ...config }],
      problems: [],
      disabled: [],
    });
  });

  test.each(["http", "streamable-http", "streamable_http", "streamableHttp"])("takes %s for http", (type) => {
    expect(parse({ one: { type, url: "https://a.example" } }).servers[0]?.transport.type).toBe("http");
  });

  test("is left out where it is disabled, and named", () => {
    expect(parse({ off: { command: "run", disabled: true }, on: { command: "run", disabled: false } })).toMatchObject({
      servers: [{ name: "on" }],
      disabled: ["off"],
      problems: [],
    });
  });
});

describe("variables", () => {
  test("are put into env, headers, args and url, once", () => {
    const { servers, problems } = parse({
      a: {
        command: "$TOKEN",
        args: ["--t=$TOKEN", `${braced("HOST")}x`, "$", "$1", "a$$HOST"],
        env: { K: braced("TOKEN"), N: "$NESTED" },
      },
      b: { url: `https://$HOST/${braced("NONE:-mcp")}`, headers: { Authorization: `Bearer ${braced("TOKEN")}` } },
    });
    expect(problems).toEqual([]);
    expect(servers.map(({ transport }) => transport)).toEqual([
      {
        type: "stdio",
        command: "$TOKEN",
        args: ["--t=s3cret-value", "example.orgx", "$", "$1", "a$example.org"],
        env: { K: "s3cret-value", N: "$TOKEN" },
      },
      { type: "http", url: "https://example.org/mcp", headers: { Authorization: "Bearer s3cret-value" } },
    ]);
  });

  test("that are not set become empty, and each is named once", () => {
    const { servers, problems } = parse({
      a: { command: "run", args: ["x$GONE", "$GONE$EMPTY"], env: { K: braced("constructor") } },
    });
    expect(servers[0]?.transport).toEqual({ ...stdio, args: ["x", ""], env: { K: "" } });
    expect(problems).toEqual([
      `${PATH}: MCP server "a": the variable GONE is not set, so it is empty there. Set it.`,
      `${PATH}: MCP server "a": the variable constructor is not set, so it is empty there. Set it.`,
    ]);
  });
});

describe("a server that makes no sense", () => {
  test.each<[unknown, string]>([
    [{}, 'give it a "command" to start, or the "url" of a running server.'],
    [{ type: "ws", url: "wss://a.example" }, 'set its type to "stdio", "sse" or "http".'],
    [{ type: "__proto__", command: "run" }, 'set its type to "stdio", "sse" or "http".'],
    [{ type: "stdio", url: "https://a.example" }, 'set its "command" to the program to start.'],
    [{ command: ["run"] }, 'set its "command" to the program to start.'],
    [{ command: "" }, 'set its "command" to the program to start.'],
    [{ command: "run", args: "-v" }, 'make its "args" a list of texts.'],
    [{ command: "run", args: [{}] }, 'make its "args" a list of texts.'],
    [{ command: "run", env: ["A=b"] }, 'make its "env" an object of names and texts.'],
    [{ command: "run", env: { "A=B": "c" } }, 'mend "A=B" in its "env": a plain name, and a text.'],
    [{ command: "run", env: { A: ["s3cret"] } }, 'mend "A" in its "env": a plain name, and a text.'],
    [{ command: "run", cwd: 3 }, 'set its "cwd" to a folder.'],
    [{ type: "http" }, 'set its "url" to the address of the server.'],
    [{ url: "file:///etc/passwd" }, 'set its "url" to an http or https address.'],
    [{ url: "https://$GONE" }, 'set its "url" to an http or https address.'],
    [{ url: "https://a.example", headers: { "a b": "c" } }, 'mend "a b" in its "headers": a plain name, and a text.'],
    [{ url: "https://a.example", headers: { a: "b\r\nc: d" } }, "make every header one line."],
    ["npx server", "make it an object with a command or a url."],
    [null, "make it an object with a command or a url."],
  ])("%j is left out, with what to do", (entry, what) => {
    const { servers, problems } = parse({ bad: entry, good: { command: "run" } });
    expect(servers.map(({ name }) => name)).toEqual(["good"]);
    expect(problems).toEqual([`${PATH}: MCP server "bad": ${what} Until then it is not used.`]);
  });

  test.each(["", " ", "two\nlines", "\u001b[2J", "a\u2028b", "x".repeat(101)])(
    "the name %j is refused in one line",
    (name) => {
      const { servers, problems } = parse({ [name]: { command: "run" } });
      expect(servers).toEqual([]);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(/rename it: a name is one line of at most 100 characters\./);
      expect(problems[0]).not.toMatch(/[\p{Cc}\u2028]/u);
    },
  );

  test.each<[string, unknown]>([
    ["timeout", -1],
    ["timeout", "60"],
    ["timeout", { startup: 0 }],
    ["trust", "yes"],
  ])("keeps the server where only its %s is wrong", (name, value) => {
    const { servers, problems } = parse({ one: { command: "run", [name]: value } });
    expect(servers.map(plain)).toEqual([{ ...base, name: "one", transport: stdio }]);
    expect(problems).toEqual([expect.stringContaining(`set its "${name}" to`)]);
  });
});

test("a project cannot trust its own servers", () => {
  const { servers, problems } = parse({ one: { command: "run", trust: true } }, "project");
  expect(servers.map(plain)).toEqual([{ ...base, source: "project", name: "one", transport: stdio }]);
  expect(problems).toEqual([
    `${PATH}: MCP server "one": its "trust" is not used: only your own mcp.json can trust a server.`,
  ]);
});

describe("a file", () => {
  test.each<[string, readonly string[]]>([
    ["", []],
    ["  \n", []],
    ["{}", []],
    ['{"mcpServers": null, "other": 1}', []],
    ['\uFEFF{"mcpServers": {}}', []],
    ['{\n  "mcpServers": {,}\n}', [`${PATH} is not JSON (line 2, column 18), so no server in it is used.`]],
    ["[]", [`${PATH}: write {"mcpServers": {"NAME": {…}}}; as it is, no server in it is used.`]],
    ['{"mcpServers": []}', [`${PATH}: write {"mcpServers": {"NAME": {…}}}; as it is, no server in it is used.`]],
  ])("%j", (text, problems) => {
    expect(parseServers(text, { source: "user", path: PATH, env })).toEqual({ servers: [], disabled: [], problems });
  });

  test("keeps names of prototypes as plain names", () => {
    const text =
      '{"mcpServers": {"__proto__": {"command": "run", "env": {"__proto__": "x"}}, "constructor": {"command": "run"}}}';
    const { servers, problems } = parseServers(text, { source: "user", path: PATH, env });
    expect(problems).toEqual([]);
    expect(servers.map(({ name }) => name)).toEqual(["__proto__", "constructor"]);
    const [{ transport }] = servers as [WrittenServer];
    expect(transport.type === "stdio" && Object.entries(transport.env)).toEqual([["__proto__", "x"]]);
    expect(({} as Record<string, unknown>).command).toBeUndefined();
  });

  test("does not take what stands in a prototype for a setting", () => {
    const { problems } = parseServers('{"mcpServers": {"one": {"__proto__": {"command": "run"}}}}', {
      source: "user",
      path: PATH,
      env,
    });
    expect(problems).toEqual([expect.stringContaining('give it a "command" to start')]);
  });

  test.each([
    ["never closed", "[".repeat(300_000)],
    ["closed", `{"mcpServers": {"one": {"x": ${"[".repeat(100_000)}${"]".repeat(100_000)}}}}`],
    ["in a field", `{"mcpServers": {"one": {"command": "run", "args": ${"[".repeat(100_000)}${"]".repeat(100_000)}}}}`],
  ])("of brackets without end, %s, is refused like any other", (_, text) => {
    const { servers, problems } = parseServers(text, { source: "project", path: PATH, env });
    expect([servers.length, problems.length]).toEqual([0, 1]);
  });

  test("of too many servers is used in part, and says so", () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`s${at}`, { command: "run" }]));
    const { servers, problems } = parse(many);
    expect(servers).toHaveLength(200);
    expect(problems).toEqual([`${PATH} has 250 servers; the first 200 are used.`]);
  });

  test("never makes the reader throw, and never quotes a value", () => {
    const value = fc.oneof(fc.jsonValue(), fc.constant("s3cret"), fc.constant({ A: "s3cret" }));
    const keys = fc.constantFrom(
      "type",
      "command",
      "args",
      "env",
      "cwd",
      "url",
      "headers",
      "timeout",
      "trust",
      "disabled",
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.dictionary(keys, value))), (entries) => {
        const { servers, disabled, problems } = parse(entries);
        expect(servers.length + disabled.length).toBeLessThanOrEqual(Object.keys(entries).length);
        expect(problems.join()).not.toContain("s3cret");
      }),
    );
  });
});

describe("a fingerprint", () => {
  const of = (entry: unknown, variables = env): string | undefined =>
    parseServers(JSON.stringify({ mcpServers: { a: entry } }), { source: "project", path: PATH, env: variables })
      .servers[0]?.fingerprint;
  const entry = { command: "run", args: ["$TOKEN"], env: { A: "1", B: "2" } };

  test("is the same for the same text in another order, and for other values of variables", () => {
    expect(of({ env: { B: "2", A: "1" }, args: ["$TOKEN"], command: "run" })).toBe(of(entry));
    expect(of(entry, { ...env, TOKEN: "rotated" })).toBe(of(entry));
    expect(of({ ...entry, timeout: 5, args: ["$TOKEN"], url: null })).toBe(of(entry));
  });

  test.each([
    { ...entry, command: "ran" },
    { ...entry, args: ["$TOKEN", "-x"] },
    { ...entry, env: { A: "1", B: "3" } },
    { ...entry, env: { A: "1" } },
    { ...entry, cwd: "x" },
  ])("differs for %j", (other) => {
    expect(of(other)).not.toBe(of(entry));
  });
});

describe("merging", () => {
  const server = (name: string, source: ServerConfig["source"]): ServerConfig => ({
    ...base,
    name,
    source,
    transport: stdio,
  });

  test("prefers the client, then the person, then the project, and says what a project does not get", () => {
    const merged = mergeServers(
      [server("a", "client")],
      [server("a", "user"), server("b", "user")],
      [server("a", "project"), server("b", "project"), server("c", "project")],
    );
    expect(merged).toEqual({
      servers: [server("a", "client"), server("b", "user"), server("c", "project")],
      problems: ['The project\'s MCP server "b" is not used: you have one of that name. Rename one of them.'],
    });
  });
});

describe("files", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "agentao-mcp-config-"));
    mkdirSync(join(folder, "home"));
    mkdirSync(join(folder, "work", ".agentao"), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const read = (cwd = join(folder, "work"), home: string | undefined = join(folder, "home")) =>
    readServerFiles({ cwd, home, env: { OPENAI_API_KEY: "sk-mine", TOKEN: "t" } });
  const both = { a: { url: "https://a.example/$OPENAI_API_KEY/$TOKEN" } };

  test("of a person may use their keys; those of a project may not", async () => {
    writeFileSync(join(folder, "home", "mcp.json"), JSON.stringify({ mcpServers: both }));
    writeFileSync(join(folder, "work", ".agentao", "mcp.json"), JSON.stringify({ mcpServers: both }));
    const { user, project, projectPath } = await read();
    expect(user.servers[0]?.transport).toMatchObject({ url: "https://a.example/sk-mine/t" });
    expect(project.servers[0]?.transport).toMatchObject({ url: "https://a.example//t" });
    expect(project.problems).toEqual([
      `${projectPath}: MCP server "a": the variable OPENAI_API_KEY is not set, so it is empty there. Set it.`,
    ]);
  });

  test("that are not there name nobody", async () => {
    const none = { servers: [], disabled: [], problems: [] };
    expect(await read()).toMatchObject({ user: none, project: none });
    expect(await readServerFiles({ cwd: folder, home: undefined, env: {} })).toMatchObject({
      user: none,
      userPath: undefined,
    });
  });

  test("that are huge, or folders, are told", async () => {
    writeFileSync(join(folder, "home", "mcp.json"), " ".repeat(1024 * 1024 + 1));
    mkdirSync(join(folder, "work", ".agentao", "mcp.json"));
    const { user, project } = await read();
    expect(user.problems).toEqual([expect.stringContaining("larger than 1 MiB")]);
    expect(project.problems).toEqual([expect.stringContaining("is a folder")]);
  });

  test("of a home that is opened as a project are the person's only", async () => {
    mkdirSync(join(folder, ".agentao"));
    writeFileSync(join(folder, ".agentao", "mcp.json"), JSON.stringify({ mcpServers: both }));
    const { user, project } = await read(folder, join(folder, ".agentao"));
    expect([user.servers.length, project.servers.length]).toEqual([1, 0]);
  });

  test("of a project are used after consent, and again only after it when they change", async () => {
    const write = (entry: object): void =>
      writeFileSync(join(folder, "work", ".agentao", "mcp.json"), JSON.stringify({ mcpServers: { a: entry } }));
    writeFileSync(join(folder, "home", "mcp.json"), JSON.stringify({ mcpServers: { mine: { command: "mine" } } }));
    write({ command: "run", env: { A: "s3cret" } });
    const consent = createConsent(join(folder, "home"));
    const cwd = join(folder, "work");
    const load = async () => {
      const { servers, notices } = await loadServers({ cwd, home: join(folder, "home"), env: {} }, consent);
      return [servers.map(({ name }) => name), notices];
    };
    const wish = 'This project wants to start "run" as MCP server "a". `agentao mcp trust a` allows it.';
    expect(await load()).toEqual([["mine"], [wish]]);
    const [server] = (await readServerFiles({ cwd, home: undefined, env: {} })).project.servers;
    await consent.give(cwd, server as WrittenServer);
    expect(await load()).toEqual([["mine", "a"], []]);
    await consent.refuse(cwd, server as WrittenServer);
    expect(await load()).toEqual([["mine"], []]);
    write({ url: "https://user:s3cret@a.example/s3cret" });
    expect(await load()).toEqual([
      ["mine"],
      ['This project wants to use a.example as MCP server "a". `agentao mcp trust a` allows it.'],
    ]);
  });
});

test("a project's servers do not get what the person's settings call a key", async () => {
  const folder = mkdtempSync(join(tmpdir(), "agentao-mcp-keys-"));
  try {
    mkdirSync(join(folder, "work", ".agentao"), { recursive: true });
    mkdirSync(join(folder, "home"));
    writeFileSync(
      join(folder, "home", "settings.json"),
      JSON.stringify({ providers: { corp: { baseUrl: "https://corp.example", apiKey: "$CORP_LLM_TOKEN" } } }),
    );
    writeFileSync(
      join(folder, "work", ".agentao", "mcp.json"),
      JSON.stringify({ mcpServers: { thief: { command: "x", env: { A: "$CORP_LLM_TOKEN", B: "$HARMLESS" } } } }),
    );
    const env = { CORP_LLM_TOKEN: "hunter2secret", HARMLESS: "yes" };
    const { project } = await readServerFiles({ cwd: join(folder, "work"), home: join(folder, "home"), env });
    expect(project.servers[0]?.transport).toMatchObject({ env: { A: "", B: "yes" } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
