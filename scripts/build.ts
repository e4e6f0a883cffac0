// Builds every package into its dist/: bundled ESM by esbuild, declarations by tsc. The program is one bundle of its own
// sources and those of the packages below it, so that nothing is looked up at start.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BuildOptions, type BuildResult, build, type Plugin } from "esbuild";
import { help } from "../packages/cli/src/help.ts";

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
 * A small file that starts, one that has everything else, and large libraries as they are asked for. The first two are
 * CommonJS in one piece each: a module's imports are looked up when it is first used, and V8 can keep what it compiled.
 * The program's dependencies are what cannot be built in: they bring a binary, or load parts of Node by `require`.
 */
async function buildProgram(): Promise<void> {
  const home = `${root}packages/cli`;
  const dist = `${home}/dist`;
  rmSync(dist, { recursive: true, force: true });
  const external = namesIn("cli");
  const options = { ...common, sourcemap: false, metafile: true, external } as const;
  const whole = { ...options, splitting: false, format: "cjs" } as const;
  const program = await build({
    ...whole,
    entryPoints: [`${home}/src/program.ts`],
    outfile: `${dist}/program.js`,
    // A script, not a module, so that its compiled code can be kept. Libraries take their address for a file's.
    banner: { js: "(function(module,require,__import,__filename){" },
    footer: { js: "})" },
    define: { "import.meta.url": "__filename" },
    plugins: [elsewhere(LARGE)],
    write: false,
  });
  const code = toAscii(toScript(program));
  mkdirSync(dist);
  writeFileSync(`${dist}/program.js`, code);
  const hash = createHash("sha256").update(code).digest("hex").slice(0, 16);
  const built = [
    program,
    await build({
      ...options,
      entryPoints: Object.fromEntries(LARGE.map((name) => [toFileName(name), name])),
      outdir: `${dist}/large`,
      outExtension: { ".js": ".mjs" },
    }),
    await build({
      ...whole,
      entryPoints: [`${home}/src/main.ts`],
      outfile: `${dist}/main.js`,
      define: { PROGRAM: JSON.stringify({ file: "program.js", hash }) },
      plugins: [text("./help.ts", { help })],
    }),
  ];
  const inputs = new Set(built.flatMap(({ metafile }) => Object.keys(metafile.inputs)));
  writeFileSync(`${dist}/package.json`, '{ "type": "commonjs" }\n');
  writeFileSync(`${dist}/THIRD-PARTY-NOTICES.txt`, toNotices([...inputs]));
  chmodSync(`${dist}/main.js`, 0o755);
}

/** In a script there is no `import`: `main.ts` does it. */
function toScript({ outputFiles, metafile }: BuildResult<{ write: false; metafile: true }>): string {
  const outside = Object.values(metafile.outputs).flatMap(({ imports }) =>
    imports.filter(({ kind, external }) => kind === "dynamic-import" && external === true),
  );
  let count = 0;
  const code = outputFiles.map(({ text }) => text).join("");
  const script = code.replace(/\bimport\("/g, () => {
    count++;
    return '__import("';
  });
  if (count !== outside.length) throw new Error(`${count} imports found, of ${outside.length}`);
  return script;
}

/** The quickest to read. Only in regular expressions does esbuild leave other characters as they are. */
function toAscii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function toFileName(name: string): string {
  return name.replace(/^@/, "").replace("/", "-");
}

/** Dynamic imports of these lead to files of their own. */
function elsewhere(names: readonly string[]): Plugin {
  return {
    name: "elsewhere",
    setup({ onResolve }) {
      onResolve({ filter: /.*/ }, ({ path, kind }) =>
        kind === "dynamic-import" && names.includes(path)
          ? { path: `./large/${toFileName(path)}.mjs`, external: true }
          : undefined,
      );
    },
  };
}

/** A module that is its exports, as they are now. */
function text(path: string, exports: Readonly<Record<string, string>>): Plugin {
  return {
    name: "text",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, (asked) => (asked.path === path ? { path, namespace: "text" } : undefined));
      onLoad({ filter: /.*/, namespace: "text" }, () => ({ contents: JSON.stringify(exports), loader: "json" }));
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
