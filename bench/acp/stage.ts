// The temporary directory the processes under test run from: plain JavaScript, with the libraries installed as a user
// has them. Our library is copied in as it was built, so that a build meanwhile cannot disturb a run.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const OFFICIAL = "@agentclientprotocol/sdk";

const adapters = {
  "agent/agentao": new URL("./agent/agentao.ts", import.meta.url),
  "agent/official": new URL("./agent/official.ts", import.meta.url),
  "agent/raw": new URL("./agent/raw.ts", import.meta.url),
  "client/agentao": new URL("./client/agentao.ts", import.meta.url),
  "client/official": new URL("./client/official.ts", import.meta.url),
  "client/raw": new URL("./client/raw.ts", import.meta.url),
};

/** Says in one byte that it is ready, then waits to be ended. In CommonJS, where `node:fs` costs nothing to load. */
const READY = '{ require("node:fs").writeSync(1, "\\n"); setInterval(() => {}, 2 ** 30); }';

const probes = {
  "bare.cjs": READY,
  "import-agentao.cjs": `import("@agentao/acp").then(() => ${READY});`,
  "import-agentao-node.cjs": `import("@agentao/acp/node").then(() => ${READY});`,
  "import-official.cjs": `import("${OFFICIAL}").then(() => ${READY});`,
};

export type Script = `${keyof typeof adapters}.js` | keyof typeof probes;

export interface PackageFacts {
  readonly version: string;
  /** Other packages that must be installed for it to run. */
  readonly dependencies: readonly string[];
}

export class Stage {
  readonly root = mkdtempSync(join(tmpdir(), "bench-acp-"));

  /** Fills the directory. Throws when our library has not been built. */
  build(): void {
    writeFileSync(join(this.root, "package.json"), '{ "type": "module" }\n');
    this.#install();
    buildSync({
      entryPoints: Object.entries(adapters).map(([out, url]) => ({ in: fileURLToPath(url), out })),
      outdir: this.root,
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      target: "node20.19",
      // Without the paths of the repository's own configuration, which point at our sources.
      tsconfigRaw: "{}",
      logLevel: "warning",
    });
    for (const [name, text] of Object.entries(probes)) writeFileSync(join(this.root, name), text);
  }

  path(script: Script): string {
    return join(this.root, script);
  }

  facts(packageName: "@agentao/acp" | typeof OFFICIAL): PackageFacts {
    const manifest = JSON.parse(readFileSync(join(this.root, "node_modules", packageName, "package.json"), "utf8"));
    const peers = Object.keys(manifest.peerDependencies ?? {});
    const needed = peers.filter((name) => manifest.peerDependenciesMeta?.[name]?.optional !== true);
    return { version: manifest.version, dependencies: [...Object.keys(manifest.dependencies ?? {}), ...needed] };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  #install(): void {
    const ours = fileURLToPath(new URL("../../packages/acp", import.meta.url));
    const home = join(this.root, "node_modules/@agentao/acp");
    mkdirSync(home, { recursive: true });
    cpSync(join(ours, "package.json"), join(home, "package.json"));
    cpSync(join(ours, "dist"), join(home, "dist"), { recursive: true });
    const official = fileURLToPath(new URL(`../../node_modules/${OFFICIAL}`, import.meta.url));
    const link = join(this.root, "node_modules", OFFICIAL);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(official, link);
  }
}
