// Builds every package into its dist/: bundled ESM by esbuild, declarations by tsc. The program is one bundle of its own
// sources and those of the packages below it, so that nothing is looked up at start.

import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

const common: BuildOptions = {
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  minify: true,
  sourcemap: true,
  sourcesContent: false,
  legalComments: "none",
  logLevel: "warning",
  absWorkingDir: root,
};

/** What is large, and loaded by name when it is first used: one copy for all parts of the program. */
const LARGE = [
  "@ai-sdk/openai",
  "@ai-sdk/openai-compatible",
  "@ai-sdk/anthropic",
  "@ai-sdk/google",
  "node-html-markdown",
];

await buildPackage("acp", ["index", "unstable"], { platform: "neutral", external: ["node:*"] });
await buildForNode("node", 'export * from "./index.ts"; export * from "./node.ts";');
await buildForNode("agent", 'export * from "./agent.ts";');
await buildPackage("agent", ["index", "mcp", "serve"], {
  external: namesIn("agent").flatMap((name) => [name, `${name}/*`]),
});
await buildProgram();

/** What a package asks to be installed beside it is not built into it. */
function namesIn(name: string): string[] {
  const { dependencies } = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, "utf8"));
  return Object.keys(dependencies ?? {});
}

async function buildPackage(name: string, entries: readonly string[], options: BuildOptions): Promise<void> {
  const home = `${root}packages/${name}`;
  rmSync(`${home}/dist`, { recursive: true, force: true });
  const entryPoints = entries.map((entry) => `${home}/src/${entry}.ts`);
  await build({ ...common, ...options, entryPoints, outdir: `${home}/dist` });
  const tsc = fileURLToPath(import.meta.resolve("typescript/package.json")).replace("package.json", "bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", `${home}/tsconfig.build.json`], { stdio: "inherit" });
}

/** An entry point of `@agentao/acp` as one file that needs no other: every file more costs a program at its start. */
async function buildForNode(name: string, contents: string): Promise<void> {
  const home = `${root}packages/acp`;
  const stdin = { contents, resolveDir: `${home}/src`, loader: "ts" as const };
  await build({
    ...common,
    platform: "neutral",
    external: ["node:*"],
    splitting: false,
    stdin,
    outfile: `${home}/dist/${name}.js`,
  });
}

/**
 * In parts: what editors start, what scripts start, and everything else. Modules that several dynamic imports share
 * become files of their own, and each costs at the start: a part has only those that it shares within itself. Its
 * dependencies are what cannot be built in: they bring a binary, or load parts of Node by `require`.
 */
async function buildProgram(): Promise<void> {
  const home = `${root}packages/cli`;
  rmSync(`${home}/dist`, { recursive: true, force: true });
  const external = namesIn("cli").filter((name) => !name.startsWith("@agentao/"));
  const options = { ...common, sourcemap: false, metafile: true, external } as const;
  const large = Object.fromEntries(LARGE.map((name) => [toFileName(name), name]));
  const built = [
    await build({ ...options, entryPoints: large, outdir: `${home}/dist/large` }),
    await build({ ...options, ...part("acp"), outdir: `${home}/dist/acp` }),
    await build({ ...options, ...part("run"), outdir: `${home}/dist/run` }),
    await build({
      ...options,
      entryPoints: [`${home}/src/main.ts`],
      outdir: `${home}/dist`,
      plugins: [elsewhere({ "./command/acp.ts": "./acp/acp.js", "./run.ts": "./run/run.js", ...toLarge("./large") })],
    }),
  ];
  const inputs = new Set(built.flatMap(({ metafile }) => Object.keys(metafile.inputs)));
  writeFileSync(`${home}/dist/THIRD-PARTY-NOTICES.txt`, toNotices([...inputs]));
  chmodSync(`${home}/dist/main.js`, 0o755);

  function part(command: string) {
    return { entryPoints: [`${home}/src/command/${command}.ts`], plugins: [elsewhere(toLarge("../large"))] };
  }
}

function toLarge(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(LARGE.map((name) => [name, `${folder}/${toFileName(name)}.js`]));
}

function toFileName(name: string): string {
  return name.replace(/^@/, "").replace("/", "-");
}

/** Dynamic imports that lead to files of another build. */
function elsewhere(files: Readonly<Record<string, string>>): Plugin {
  return {
    name: "elsewhere",
    setup({ onResolve }) {
      onResolve({ filter: /.*/ }, ({ path, kind }) => {
        const file = kind === "dynamic-import" ? files[path] : undefined;
        return file === undefined ? undefined : { path: file, external: true };
      });
    },
  };
}

/** The licences of the packages whose code is in the program. */
function toNotices(inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  const notices = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${root}${folder}/package.json`, "utf8"));
    const file = readdirSync(`${root}${folder}`).find((one) => /^licen[cs]e/i.test(one));
    const text = file === undefined ? "" : readFileSync(`${root}${folder}/${file}`, "utf8").trim();
    return `${name} ${version} (${license})\n\n${text}`;
  });
  return `Parts of these packages are in this program.\n\n${notices.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
