// The packages as they are published: what is in them, and that they install and run in an empty folder.

import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, type TestContext, test } from "vitest";
import { ensureBuilt } from "./program/built.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Without the slash at its end. */
const home = root.slice(0, -1);
const folder = mkdtempSync(join(tmpdir(), "agentao-packaging-"));
const project = join(folder, "project");
const packages = ["acp", "agent", "cli"] as const;
const manifests = packages.map((name) => JSON.parse(readFileSync(`${root}packages/${name}/package.json`, "utf8")));
/** Nothing of whoever runs the tests decides on the model or the home. */
const env = {
  PATH: process.env.PATH,
  HOME: join(folder, "home"),
  AGENTAO_HOME: join(folder, "home", ".agentao"),
  AGENTAO_LOCAL_MODELS: "0",
};
/** With the configuration of npm, which knows the registry. */
const npm = (args: readonly string[], cwd: string) => run("npm", args, cwd, process.env);

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}
let packed: readonly Packed[] = [];

beforeAll(async () => {
  await ensureBuilt();
  const where = packages.map((name) => `./packages/${name}`);
  const { stdout } = await npm(["pack", "--json", "--ignore-scripts", "--pack-destination", folder, ...where], root);
  packed = toPacked(JSON.parse(stdout));
  for (const { name, filename } of packed) await unpack(join(folder, filename), unpacked(name));
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }), 120_000);

describe.each(manifests.map(({ name }) => name as string))("the package %s", (name) => {
  const files = () => packed.find((one) => one.name === name)?.files.map(({ path }) => path) ?? [];

  test("has what was built, a README and the licence, and nothing else", () => {
    expect(files()).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    const others = files().filter((path) => !/^(LICENSE|README\.md|package\.json)$/.test(path));
    expect(others.length).toBeGreaterThan(0);
    expect(
      others.filter(
        (path) => !/^dist\/([\w./-]+\.(js|mjs|js\.map|d\.ts)|package\.json|THIRD-PARTY-NOTICES\.txt)$/.test(path),
      ),
    ).toEqual([]);
    expect(others.filter((path) => /\.test\.|^dist\/cache/.test(path))).toEqual([]);
  });

  test("holds no path of the machine it was built on", () => {
    const telling = files().filter((path) => readFileSync(join(unpacked(name), path), "utf8").includes(home));
    expect(telling).toEqual([]);
  });

  test("has source maps that name their sources from where they stand, and do not carry them", () => {
    const maps = files().filter((path) => path.endsWith(".map"));
    const wrong = maps.filter((path) => {
      const { sources, sourcesContent } = JSON.parse(readFileSync(join(unpacked(name), path), "utf8"));
      return sourcesContent !== undefined || sources.some((source: string) => !/^(\.\.\/|https:)/.test(source));
    });
    expect(wrong).toEqual([]);
  });

  test("tells in its README what it is", () => {
    const readme = readFileSync(join(unpacked(name), "README.md"), "utf8");
    expect(readme.split("\n")[0]).toBe(`# ${name}`);
    expect(readme.length).toBeGreaterThan(500);
  });
});

test("the packages agree on what they need, under which licence, and where they come from", () => {
  const facts = manifests.map(({ license, engines, repository, homepage, bugs }) => {
    return { license, engines, repository, homepage, bugs };
  });
  expect(facts).toEqual(manifests.map(() => ({ ...facts[0], license: "Apache-2.0", engines: { node: ">=20.19" } })));
});

test("every entry point has types, and both are in the package", () => {
  const missing = manifests.flatMap(({ name, exports = {} }) => {
    const entries = Object.values<Record<string, string>>(exports).filter((entry) => typeof entry !== "string");
    const paths = entries.flatMap((entry) => [entry.types ?? "no types", ...Object.values(entry)]);
    const files = packed.find((one) => one.name === name)?.files.map(({ path }) => `./${path}`) ?? [];
    return paths.filter((path) => !files.includes(path)).map((path) => `${name}: ${path}`);
  });
  expect(missing).toEqual([]);
});

describe("installed in an empty folder", { timeout: 120_000 }, () => {
  let unreachable: string | undefined;

  beforeAll(async () => {
    mkdirSync(env.HOME, { recursive: true });
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
    const tarballs = packed.map(({ filename }) => join(folder, filename));
    const quiet = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", "--fetch-retries=1"];
    const brief = ["--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=1000"];
    try {
      await npm(["install", ...quiet, ...brief, ...tarballs], project);
    } catch (cause) {
      const { stderr } = cause as { stderr: string };
      if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED|E5\d\d/.test(stderr)) throw cause;
      unreachable = "the package registry cannot be reached";
    }
  }, 120_000);

  const whereInstalled = (context: TestContext) => context.skip(unreachable !== undefined, unreachable);

  test("npx agentao says its version", async (context) => {
    whereInstalled(context);
    const { stdout } = await run("npx", ["--no", "--offline", "agentao", "--version"], project);
    expect(stdout).toBe(`${manifests[2].version}\n`);
  });

  test("npx agentao says, without any configuration, what it is and what to do next", async (context) => {
    whereInstalled(context);
    const npx = (rest: string) => run("sh", ["-c", `npx --no --offline agentao ${rest} < /dev/null`], project);
    expect((await npx("")).stdout).toMatch(/^Usage\n.*^Talk to a model\n {2}One variable is enough: OPENAI_API_KEY/ms);
    expect((await npx("-p hi")).stdout).toMatch(/demo.*OPENAI_API_KEY.*You can ask me/s);
  });

  test("agentao doctor finds nothing broken", async (context) => {
    whereInstalled(context);
    const { stdout } = await run(program(), ["doctor"], project);
    expect(stdout).toContain(`agentao ${manifests[2].version}\n`);
    expect(stdout).not.toMatch(/^broken/m);
  });

  test("a client made from the installed library drives the installed program", async (context) => {
    whereInstalled(context);
    writeFileSync(
      join(project, "drive.mjs"),
      `import { spawnAgent } from "@agentao/acp/node";
      const client = await spawnAgent([${JSON.stringify(program())}, "--acp", "--stdio"]);
      const { agentInfo } = await client.initialize();
      const { sessionId } = await client.newSession({ cwd: process.cwd() });
      const { text, stopReason } = await client.promptText(sessionId, "list files");
      console.log(JSON.stringify([agentInfo.name, text.includes("drive.mjs"), stopReason]));
      await client.close();`,
    );
    const { stdout } = await run(process.execPath, ["drive.mjs"], project);
    expect(JSON.parse(stdout)).toEqual(["agentao", true, "end_turn"]);
  });

  test("every entry point can be imported", async (context) => {
    whereInstalled(context);
    const entries = manifests.flatMap(({ name, exports = {} }) =>
      Object.keys(exports)
        .filter((path) => path !== "./package.json")
        .map((path) => name + path.slice(1)),
    );
    expect(entries.length).toBeGreaterThan(4);
    const script = entries.map((name) => `if (Object.keys(await import("${name}")).length < 1) throw "${name}";`);
    writeFileSync(join(project, "entries.mjs"), script.join("\n"));
    expect(await run(process.execPath, ["entries.mjs"], project)).toEqual({ stdout: "", stderr: "" });
  });

  test.for([
    ["node16", "node16"],
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ] as const)(
    "the examples compile against the installed types, with %s and %s",
    async ([module, resolution], context) => {
      whereInstalled(context);
      const names = ["client.ts", "embed.ts", "echo-agent.ts", "permission-agent.ts", "workspace-client.ts"];
      for (const name of names) copyFileSync(join(root, "examples", name), join(project, name));
      writeFileSync(join(project, "pieces.ts"), piecesOfGuide());
      const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--noEmit"];
      const where = ["--module", module, "--moduleResolution", resolution, "--target", "es2023"];
      const types = [
        "--lib",
        "es2023,esnext.disposable",
        "--types",
        "node",
        "--typeRoots",
        join(root, "node_modules/@types"),
      ];
      const tsc = join(root, "node_modules/typescript/bin/tsc");
      await run(process.execPath, [tsc, ...strict, ...where, ...types, ...names, "pieces.ts"], project);
    },
  );

  test("the example of embedding runs, ends by itself, and looks at nothing but modules", async (context) => {
    whereInstalled(context);
    const entry = join(root, "examples/embed.ts");
    buildSync({ entryPoints: [entry], outfile: join(project, "embed.mjs"), format: "esm" });
    writeFileSync(join(project, "watch.cjs"), WATCH);
    const { stdout, stderr } = await run(process.execPath, ["--require", "./watch.cjs", "embed.mjs"], project);
    expect(stdout).toContain("The turn ended: ended.\n");
    const seen = stderr.trimEnd().split("\n");
    expect(seen).toContain("readFile node_modules/@agentao/agent/dist/index.js");
    // What Node itself looks for.
    const own = /^env (NODE_|WATCH_|FORCE_COLOR|NO_COLOR|TERM|COLORTERM|CI)|^\w+ (node_modules\/|embed\.mjs|1$)/;
    expect(seen.filter((line) => !own.test(line))).toEqual([]);
  });

  test("installing leaves nothing but packages", (context) => {
    whereInstalled(context);
    const own = readdirSync(join(project, "node_modules/agentao"));
    expect(own.sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
  });
});

/** What docs/embedding.md shows beside its example. */
function piecesOfGuide(): string {
  const guide = readFileSync(join(root, "docs/embedding.md"), "utf8");
  const [, ...pieces] = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] ?? "");
  expect(pieces.length).toBe(3);
  return [
    'import { createRuntime } from "@agentao/agent";',
    "declare const apiKey: string;",
    'const runtime = createRuntime({ models: [connectModel("anthropic/claude-sonnet-5-5", { apiKey })] });',
    ...pieces,
    "console.log(claude, local, again, eventSchema);",
  ].join("\n");
}

/** Writes to stderr, at the end, which variables, files, programs and addresses were asked for. */
const WATCH = `
const seen = new Set();
const { syncBuiltinESMExports } = require("node:module");
process.env = new Proxy(process.env, {
  get: (target, name) => (typeof name === "string" && seen.add("env " + name), target[name]),
  ownKeys: (target) => (seen.add("env of all names"), Reflect.ownKeys(target)),
});
const shown = (path) => String(path).replace("file://", "").replace(process.cwd() + "/", "");
const watch = (room, pattern) => {
  for (const [name, work] of Object.entries(room)) {
    if (typeof work !== "function" || !pattern.test(name)) continue;
    room[name] = function (...given) {
      seen.add(name + " " + shown(given[0]));
      return work.apply(this, given);
    };
  }
};
const fs = require("node:fs");
const touching = /^(open|read|stat|lstat|access|exists|mkdir|mkdtemp|write|append|realpath|rm|unlink|watch)/;
watch(fs, touching);
watch(fs.promises, touching);
watch(require("node:child_process"), /./);
watch(require("node:net").Socket.prototype, /^connect$/);
watch(require("node:dns"), /^lookup/);
watch(require("node:os"), /^(homedir|tmpdir|userInfo|hostname)$/);
syncBuiltinESMExports();
process.on("exit", () => process._rawDebug([...seen].join("\\n")));
`;

function program(): string {
  return join(project, "node_modules/.bin/agentao");
}

function unpacked(name: string): string {
  return join(folder, "unpacked", name, "package");
}

async function unpack(tarball: string, to: string): Promise<void> {
  const parent = join(to, "..");
  mkdirSync(parent, { recursive: true });
  await run("tar", ["xzf", tarball, "-C", parent], folder);
}

/** A list, or by name, as npm's version has it. */
function toPacked(answer: readonly Packed[] | Readonly<Record<string, Packed>>): readonly Packed[] {
  return Array.isArray(answer) ? answer : Object.values(answer);
}

async function run(command: string, args: readonly string[], cwd: string, variables: NodeJS.ProcessEnv = env) {
  const options = { cwd, env: variables, timeout: 120_000, maxBuffer: 16 * 1024 * 1024 };
  const running = promisify(execFile)(command, args, options);
  running.child.stdin?.end();
  return running;
}
