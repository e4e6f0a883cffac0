// Builds every package into its dist/: bundled ESM with shared chunks by esbuild, declarations by tsc.

import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

await buildAcp();

async function buildAcp(): Promise<void> {
  const home = `${root}packages/acp`;
  rmSync(`${home}/dist`, { recursive: true, force: true });
  await build({
    entryPoints: ["index", "node", "unstable"].map((name) => `${home}/src/${name}.ts`),
    outdir: `${home}/dist`,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "node20.19",
    external: ["node:*"],
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    legalComments: "none",
    logLevel: "warning",
  });
  const tsc = fileURLToPath(import.meta.resolve("typescript/package.json")).replace("package.json", "bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", `${home}/tsconfig.build.json`], { stdio: "inherit" });
}
