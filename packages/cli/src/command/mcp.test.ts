import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { scriptedIo } from "../io/scripted-io.ts";
import { UsageError } from "../manual/usage-error.ts";
import { mcp } from "./mcp.ts";

let folder = "";
let cwd = "";
let home = "";
const userFile = (): string => join(home, "mcp.json");
const projectFile = (): string => join(cwd, ".agentao", "mcp.json");
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentao-mcp-"));
  [cwd, home] = [join(folder, "work"), join(folder, "home")];
  mkdirSync(join(cwd, ".agentao"), { recursive: true });
  mkdirSync(home);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(
  args: readonly string[],
  { env = {}, onText }: { env?: Record<string, string>; onText?: (text: string) => void } = {},
): Promise<Ran> {
  const io = scriptedIo({ env: { PATH: process.env.PATH, AGENTAO_HOME: home, ...env }, cwd });
  io.stderr.on("data", (chunk) => onText?.(String(chunk)));
  const code = await mcp.run(args, io);
  return { code, out: io.said, err: io.complained };
}

const write = (path: string, servers: unknown, more: object = {}): void =>
  writeFileSync(path, JSON.stringify({ ...more, mcpServers: servers }));
const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

/** A server with one tool, as small as it gets. */
function fakeServer(): string {
  const path = join(folder, "server.mjs");
  writeFileSync(
    path,
    `import { createInterface } from "node:readline";
if (process.env.BROKEN) { console.error("no licence " + process.env.BROKEN); process.exit(3); }
const results = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "fake", version: "1" } },
  "tools/list": { tools: [{ name: "ring", description: "Rings.\\nLoudly.", inputSchema: { type: "object" } }] },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
}
`,
  );
  return path;
}

describe("add", () => {
  test("writes to the person's file, which nobody else can read", async () => {
    const { code, out, err } = await run(["add", "files", "-e", "KEY=s3cret", "--", "npx", "-y", "server"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(`files is in ${userFile()} now. Try it: agentao mcp test files\n`);
    expect(readFileSync(userFile(), "utf8")).toBe(
      `${JSON.stringify({ mcpServers: { files: { command: "npx", args: ["-y", "server"], env: { KEY: "s3cret" } } } }, null, 2)}\n`,
    );
    expect(statSync(userFile()).mode & 0o777).toBe(0o600);
    expect(readdirSync(home)).toEqual(["mcp.json"]);
  });

  test("keeps everything else as it is written and the link it is reached by, and closes it to others", async () => {
    const real = join(folder, "dotfiles.json");
    writeFileSync(
      real,
      '{"$schema":"x","mcpServers":{"b":{"command":"b","extra":[1]},"__proto__":{"command":"p"}},"theme":{"a":1}}',
    );
    chmodSync(real, 0o640);
    symlinkSync(real, userFile());
    await run(["add", "a", "https://a.example/mcp"]);
    expect(readFileSync(real, "utf8")).toBe(
      '{"$schema":"x","mcpServers":{"b":{"command":"b","extra":[1]},"__proto__":{"command":"p"}, "a": {"type":"http","url":"https://a.example/mcp"}},"theme":{"a":1}}',
    );
    expect([lstatSync(userFile()).isSymbolicLink(), statSync(real).mode & 0o777]).toEqual([true, 0o600]);
  });

  test("to a project is consent, and warns of values that are not looked up", async () => {
    const { err } = await run(["add", "p", "-s", "project", "-e", "A=s3cret", "-e", "B=$B", "--", "run"], {
      env: { B: "b" },
    });
    expect(err).toBe(
      `agentao: the values of A are in ${projectFile()} as they are. If they are secret, write '$NAME' instead.\n`,
    );
    expect((await run(["list"])).out).toMatch(/^p {2}project {2}stdio {2}not checked {2}run$/m);
  });

  test.each(["{", "[]", '{"mcpServers": []}', '"x"'])("never overwrites %j", async (text) => {
    writeFileSync(userFile(), text);
    const { code, err } = await run(["add", "a", "--", "run"]);
    expect([code, readFileSync(userFile(), "utf8")]).toEqual([1, text]);
    expect(err).toContain("Mend it first");
  });

  test("never overwrites a huge file, a folder, or a server of that name", async () => {
    writeFileSync(userFile(), " ".repeat(1024 * 1024 + 1));
    expect(await run(["add", "a", "--", "run"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("larger than 1 MiB"),
    });
    rmSync(userFile());
    mkdirSync(userFile());
    expect(await run(["add", "a", "--", "run"])).toMatchObject({ code: 1, err: expect.stringContaining("not a file") });
    rmSync(userFile(), { recursive: true });
    write(userFile(), { a: { command: "old" } });
    expect(await run(["add", "a", "--", "run"])).toMatchObject({ code: 1, err: expect.stringContaining("already") });
    expect(read(userFile())).toEqual({ mcpServers: { a: { command: "old" } } });
  });

  test.each(["two\nlines", "", "x".repeat(101), "\u001b[2J"])(
    "refuses the name %j, and writes nothing",
    async (name) => {
      await expect(run(["add", name, "--", "run"])).rejects.toThrow(/letters, digits, dots|rename it/);
      expect(existsSync(userFile())).toBe(false);
    },
  );

  test("says which variable is not set yet", async () => {
    const { code, err } = await run(["add", "a", "https://a.example", "-H", "Authorization: Bearer $NOT_YET"]);
    expect(code).toBe(0);
    expect(err).toContain("the variable NOT_YET is not set");
  });
});

describe("remove", () => {
  test("takes out one server, and leaves the rest", async () => {
    write(userFile(), { a: { command: "a" }, __b: { command: "b" } }, { theme: 1 });
    expect(await run(["remove", "a"])).toMatchObject({ code: 0, out: `a is no longer in ${userFile()}.\n` });
    expect(read(userFile())).toEqual({ theme: 1, mcpServers: { __b: { command: "b" } } });
  });

  test("wants to know which where both files have it", async () => {
    for (const path of [userFile(), projectFile()]) write(path, { a: { command: "a" } });
    await expect(run(["remove", "a"])).rejects.toThrow(UsageError);
    expect((await run(["remove", "a", "--scope", "project"])).code).toBe(0);
    expect([read(userFile()), read(projectFile())]).toEqual([
      { mcpServers: { a: { command: "a" } } },
      { mcpServers: {} },
    ]);
  });

  test.each(["b", "__proto__", "constructor"])("knows no %s", async (name) => {
    write(userFile(), { files: { command: "a" } });
    expect(await run(["remove", name])).toMatchObject({
      code: 1,
      err: expect.stringContaining(`no MCP server "${name}"`),
    });
    expect(await run(["remove", "file"])).toMatchObject({ err: expect.stringContaining('did you mean "files"?') });
  });
});

describe("list", () => {
  const secrets = { env: { TOKEN: "s3cret" } };

  test("shows sources, transports, targets and consent, and never a value", async () => {
    write(userFile(), {
      files: { command: "npx", args: ["-y", "files", "--api-key", "s3cret", "token=s3cret"], env: { KEY: "s3cret" } },
      docs: {
        url: "https://me:s3cret@docs.example/mcp?key=s3cret#s3cret",
        headers: { Authorization: "Bearer $TOKEN" },
      },
      off: { command: "off", disabled: true },
      broken: {},
    });
    write(projectFile(), { docs: { command: "evil" }, mine: { command: "run" } });
    const { code, out, err } = await run(["list"], secrets);
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual([
      "files  user     stdio  not checked         npx -y files --api-key [redacted] token=[redacted]",
      "docs   user     http   not checked         https://docs.example/mcp",
      "mine   project  stdio  needs your consent  run",
      "off    user     -      disabled            off",
      "",
    ]);
    expect(err).toContain('MCP server "broken": give it a "command" to start');
    expect(err).toContain('The project\'s MCP server "docs" is not used');
    const json = await run(["list", "--json"], secrets);
    expect(JSON.parse(json.out)).toMatchObject({
      servers: [
        {
          name: "files",
          source: "user",
          transport: "stdio",
          state: "not-checked",
          env: ["KEY"],
          headers: [],
          trust: false,
        },
        { name: "docs", transport: "http", headers: ["Authorization"], env: [] },
        { name: "mine", source: "project", state: "needs-consent" },
        { name: "off", state: "disabled" },
      ],
      problems: [expect.any(String), expect.any(String)],
    });
    expect(out + err + json.out + json.err).not.toContain("s3cret");
  });

  test("says where a file is broken, and goes on with the other", async () => {
    writeFileSync(userFile(), "{\n  x\n}");
    write(projectFile(), { a: { command: "run" } });
    expect(await run(["list"])).toEqual({
      code: 0,
      out: "a  project  stdio  needs your consent  run\n",
      err: `agentao: ${userFile()} is not JSON (line 2, column 3), so no server in it is used.\n`,
    });
  });

  test("of nothing says how to add one", async () => {
    expect(await run(["list"])).toMatchObject({ code: 0, out: "", err: expect.stringContaining("mcp add") });
  });

  test("cannot be made to move the cursor, and shows what would", async () => {
    write(userFile(), { a: { command: "run\u001b[2J", args: ["\u001b]0;x\u0007\nb"] } });
    const { out } = await run(["list"]);
    expect(out).toBe("a  user  stdio  not checked  run\\u{1b}[2J \\u{1b}]0;x\\u{7}\\u{a}b\n");
  });

  test("connects where that is wished, and fails where one does not", async () => {
    write(userFile(), {
      good: { command: process.execPath, args: [fakeServer()] },
      bad: { command: join(folder, "nothing-here") },
    });
    write(projectFile(), { unasked: { command: process.execPath, args: [fakeServer()] } });
    const { code, out } = await run(["list", "--check"]);
    expect(code).toBe(1);
    expect(out).toMatch(/^good +user +stdio +connected, 1 tool {1,30}\S/m);
    expect(out).toMatch(/^bad +user +stdio +failed: .*no program at/m);
    expect(out).toMatch(/^unasked +project +stdio +needs your consent/m);
  });
});

describe("test", () => {
  test("prints the tools of a server", async () => {
    write(userFile(), { fake: { command: process.execPath, args: [fakeServer()] } });
    expect(await run(["test", "fake"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^fake: connected, 1 tool\n {2}mcp_fake_ring {2}Rings\. Loudly\.\n$/),
    });
    expect(JSON.parse((await run(["test", "fake", "--json"])).out)).toEqual({
      name: "fake",
      ok: true,
      state: "connected",
      tools: [{ name: "mcp_fake_ring", description: expect.any(String) }],
    });
  });

  test("prints why a server cannot be used, without its secrets", async () => {
    write(userFile(), { fake: { command: process.execPath, args: [fakeServer()], env: { BROKEN: "s3cret-value" } } });
    const { code, out } = await run(["test", "fake"]);
    expect(code).toBe(1);
    expect(out).toContain("exited with code 3: no licence");
    expect(out).not.toContain("s3cret-value");
    const json = JSON.parse((await run(["test", "fake", "--json"])).out);
    expect(json).toMatchObject({ ok: false, state: "failed", tools: [], error: expect.stringContaining("no licence") });
  });

  test("does not start what a project brings before there is consent, nor what is disabled", async () => {
    const started = join(folder, "started");
    const entry = { command: "touch", args: [started] };
    write(projectFile(), { p: entry, off: { ...entry, disabled: true } });
    expect(await run(["test", "p"])).toMatchObject({ code: 1, err: expect.stringContaining("agentao mcp trust p") });
    expect(await run(["test", "off"])).toMatchObject({ code: 1, err: expect.stringContaining("disabled") });
    expect(existsSync(started)).toBe(false);
  });

  test("knows only servers there are", async () => {
    expect(await run(["test", "nobody"])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no MCP server "nobody"'),
    });
  });
});

describe("trust", () => {
  test("gives consent, until the server changes, and takes it back", async () => {
    write(projectFile(), { p: { command: "run", args: ["$X"], env: { K: "s3cret" } } });
    const state = async (): Promise<string | undefined> => /stdio {2}(.*?) {2}/.exec((await run(["list"])).out)?.[1];
    expect(await run(["trust", "p"])).toMatchObject({ code: 0, out: `p may now be used in ${cwd}: run $X\n` });
    expect(await state()).toBe("not checked");
    expect((await run(["trust", "p", "--revoke"])).out).toContain("may no longer be used");
    expect(await state()).toBe("refused by you");
    write(projectFile(), { p: { command: "run", args: ["$X"], env: { K: "other" } } });
    expect(await state()).toBe("needs your consent");
  });

  test("is about servers of the project only", async () => {
    write(userFile(), { mine: { command: "run" } });
    expect(await run(["trust", "mine"])).toMatchObject({ code: 1, err: expect.stringContaining(projectFile()) });
  });
});

describe("login and logout", () => {
  let server: Server;
  let origin = "";
  beforeEach(async () => {
    let challenge = "";
    server = createServer(async (request, response) => {
      const url = new URL(request.url ?? "/", origin);
      const params = new URLSearchParams(await new Response(request as never).text().catch(() => ""));
      const json = (status: number, value: object): unknown =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
      switch (url.pathname) {
        case "/.well-known/oauth-authorization-server":
          return json(200, {
            issuer: origin,
            authorization_endpoint: `${origin}/authorize`,
            token_endpoint: `${origin}/token`,
            registration_endpoint: `${origin}/register`,
            response_types_supported: ["code"],
            code_challenge_methods_supported: ["S256"],
          });
        case "/register":
          return json(201, { client_id: "me", redirect_uris: ["http://127.0.0.1/callback"] });
        case "/authorize": {
          challenge = url.searchParams.get("code_challenge") ?? "";
          const back = `${url.searchParams.get("redirect_uri")}?code=c&state=${url.searchParams.get("state")}`;
          return response.writeHead(302, { location: back }).end();
        }
        case "/token": {
          const proof = createHash("sha256")
            .update(params.get("code_verifier") ?? "")
            .digest("base64url");
          return proof === challenge
            ? json(200, { access_token: "s3cret-token", token_type: "Bearer" })
            : json(400, { error: "invalid_grant" });
        }
        default:
          return json(404, {});
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const visit = (text: string): void => {
    const link = /http:\/\/\S+authorize\S+/.exec(text)?.[0];
    if (link !== undefined) void fetch(link);
  };

  test("signs in by name or by address, and forgets", async () => {
    write(userFile(), { town: { url: `${origin}/mcp` } });
    const { code, out, err } = await run(["login", "town"], { onText: visit });
    expect([code, out]).toEqual([0, "You are signed in to town.\n"]);
    expect(err).toContain(`Open this page to sign in to town:\n\n  ${origin}/authorize?`);
    expect(out + err).not.toContain("s3cret-token");
    expect((await run(["logout", `${origin}/mcp`])).out).toMatch(/^The sign-in to 127\.0\.0\.1:\d+ is forgotten\.\n$/);
    expect((await run(["logout", "town"])).out).toBe("There was no sign-in to town.\n");
    expect((await run(["login", `${origin}/mcp`], { onText: visit })).code).toBe(0);
  });

  test("says why a sign-in cannot be", async () => {
    write(userFile(), {
      child: { command: "run" },
      keyed: { url: `${origin}/mcp`, headers: { authorization: "Bearer x" } },
    });
    write(projectFile(), { theirs: { url: `${origin}/mcp` } });
    expect(await run(["login", "child"])).toMatchObject({ code: 1, err: expect.stringContaining("needs no sign-in") });
    expect(await run(["login", "keyed"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("Authorization header"),
    });
    expect(await run(["login", "theirs"])).toMatchObject({ code: 1, err: expect.stringContaining("mcp trust theirs") });
  });
});

describe("the command line", () => {
  test.each<[readonly string[], string]>([
    [["lst"], 'mcp has no "lst"; did you mean list?'],
    [["list", "x"], 'unexpected argument "x"'],
    [["test"], "the NAME of the server is missing"],
    [["remove", "a", "--scope", "all"], '--scope is one of user, project, not "all"'],
  ])("%j makes no sense", async (args, problem) => {
    await expect(run(args)).rejects.toThrow(new UsageError(problem));
  });

  test("says what it can do, also behind a subcommand", async () => {
    const { code, out } = await run(["add", "--help"]);
    expect([code, out]).toEqual([0, await mcp.helpOf?.("add")]);
    expect(out).toContain("agentao mcp add NAME [OPTIONS] URL");
    expect((await run(["--help"])).out).toBe(mcp.help);
    expect(mcp.help).toContain("agentao mcp add NAME [OPTIONS] URL");
    expect(mcp.help.split("\n").filter((line) => line.length > 100)).toEqual([]);
  });

  test("mcp alone lists", async () => {
    expect(await run([])).toEqual(await run(["list"]));
  });

  test("leaves --help behind -- to the command", async () => {
    expect((await run(["add", "a", "--", "run", "--help"])).code).toBe(0);
    expect(read(userFile())).toEqual({ mcpServers: { a: { command: "run", args: ["--help"] } } });
  });
});
