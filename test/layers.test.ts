// The house, as a test: imports point down, rooms on one floor do not know each other, packages use only what they may,
// and no file reaches itself. ARCHITECTURE.md says why.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = resolve(fileURLToPath(new URL("..", import.meta.url)));

interface House {
  /** From top to bottom. A room is a folder of src, or a file directly in it; "entry" stands for those that are not named. */
  readonly floors: readonly (readonly string[])[];
  /** Rooms that may do I/O through Node; elsewhere `node:` imports are refused. `*` means all. */
  readonly node: readonly string[];
  /** Workspace packages it may import. */
  readonly packages: readonly string[];
  /** Third-party packages it may import: those it asks to be installed, or also those that are built into it. */
  readonly dependencies: "none" | "declared" | "built-in";
}

const houses: Record<string, House> = {
  "packages/acp": {
    floors: [["entry"], ["node"], ["client", "agent"], ["transcript", "rpc"], ["stream", "v1"], ["decode", "error"]],
    node: ["node"],
    packages: [],
    dependencies: "none",
  },
  "packages/agent": {
    floors: [
      ["entry"],
      ["serve"],
      ["session"],
      ["turn"],
      ["mcp", "context"],
      ["tool"],
      ["config"],
      ["permission", "journal", "provider", "machine"],
      ["model"],
      ["event"],
      ["message"],
      ["fault", "id", "abort", "secret", "folder"],
      ["json"],
    ],
    node: ["machine", "model", "provider", "journal", "mcp", "config", "folder"],
    packages: ["@agentao/acp"],
    dependencies: "declared",
  },
  "packages/cli": {
    floors: [
      ["entry"],
      ["command", "compiled"],
      ["completion", "doctor", "init", "mcp", "run", "sessions", "terminal"],
      ["front", "drive", "trace", "settings-edit", "program-help.ts"],
      ["manual", "runtime", "secret"],
      ["io"],
      ["text", "json", "home.ts", "version.ts"],
    ],
    node: ["*"],
    packages: ["@agentao/acp", "@agentao/agent"],
    dependencies: "built-in",
  },
  "apps/web": { floors: [], node: [], packages: ["@agentao/acp"], dependencies: "declared" },
};

/** Rooms of the agent package that may know the protocol: wire words stop at `serve`. */
const KNOW_ACP: Record<string, readonly string[]> = { "packages/agent": ["entry", "serve"] };

interface SourceFile {
  readonly path: string;
  readonly room: string;
  readonly imports: readonly string[];
}

const present = Object.entries(houses).filter(([home]) => existsSync(join(root, home, "src")));

describe.each(present)("%s", (home, house) => {
  const files = readSources(home);
  const floorOf = new Map(house.floors.flatMap((rooms, floor) => rooms.map((room) => [room, floor] as const)));

  test("has every room on a floor", () => {
    if (house.floors.length === 0) return;
    const homeless = files.filter((file) => !floorOf.has(file.room)).map((file) => file.path);
    expect(homeless, "files in rooms that have no floor in test/layers.test.ts").toEqual([]);
  });

  test("imports only from floors below", () => {
    const offenders = files.flatMap((file) =>
      relativeImports(file)
        .filter((target) => isSource(home, target) && roomOf(home, target) !== file.room)
        .filter((target) => !((floorOf.get(roomOf(home, target)) ?? 0) > (floorOf.get(file.room) ?? 0)))
        .map((target) => `${file.path} imports ${relative(root, target)}`),
    );
    expect(house.floors.length === 0 ? [] : offenders).toEqual([]);
  });

  test("stays inside its own sources when it imports by path", () => {
    const inside = join(root, home) + sep;
    const offenders = files.flatMap((file) =>
      relativeImports(file)
        .filter((target) => !target.startsWith(inside))
        .map((target) => `${file.path} imports ${relative(root, target)}`),
    );
    expect(offenders).toEqual([]);
  });

  test("imports only the packages it may", () => {
    const declared = declaredDependencies(home, house.dependencies === "built-in");
    const offenders = files.flatMap((file) =>
      packageImports(file)
        .filter((name) => !mayImport(house, home, file, name, declared))
        .map((name) => `${file.path} imports ${name}`),
    );
    expect(offenders).toEqual([]);
  });

  test("has no import cycles", () => {
    expect(findCycles(files)).toEqual([]);
  });
});

function mayImport(house: House, home: string, file: SourceFile, name: string, declared: Set<string>): boolean {
  if (name.startsWith("node:")) return house.node.includes("*") || house.node.includes(file.room) || isNodeEntry(file);
  if (builtinModules.includes(name)) return false;
  const bare = name.startsWith("@") ? name.split("/").slice(0, 2).join("/") : (name.split("/")[0] ?? name);
  if (bare.startsWith("@agentao/")) {
    const rooms = KNOW_ACP[home];
    return (
      house.packages.includes(bare) && (bare !== "@agentao/acp" || rooms === undefined || rooms.includes(file.room))
    );
  }
  return house.dependencies !== "none" && declared.has(bare);
}

/** `src/node.ts` is the door to the rooms that use Node; it may name Node's types. */
function isNodeEntry(file: SourceFile): boolean {
  return file.path.endsWith("/src/node.ts");
}

function declaredDependencies(home: string, isBuiltIn: boolean): Set<string> {
  const manifest = JSON.parse(readFileSync(join(root, home, "package.json"), "utf8"));
  const { dependencies, optionalDependencies, peerDependencies, devDependencies } = manifest;
  const builtIn = isBuiltIn ? devDependencies : {};
  return new Set(Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies, ...builtIn }));
}

function readSources(home: string): SourceFile[] {
  return listFiles(join(root, home, "src"))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.endsWith(".d.ts"))
    .map((path) => ({
      path: relative(root, path),
      room: roomOf(home, path),
      imports: readImports(readFileSync(path, "utf8")),
    }));
}

function listFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? listFiles(path) : [path];
  });
}

function roomOf(home: string, path: string): string {
  const [first = "", second] = relative(join(root, home, "src"), path).split(sep);
  if (second !== undefined) return first;
  return houses[home]?.floors.flat().includes(first) ? first : "entry";
}

/** Not the manifest beside it. */
function isSource(home: string, path: string): boolean {
  return path.startsWith(join(root, home, "src") + sep);
}

/** Static imports and re-exports, type-only ones too, and dynamic imports of a literal. */
function readImports(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const statements = code.matchAll(/^\s*(?:import|export)\b[^;"'`]*?from\s*["']([^"']+)["']/gm);
  const bare = code.matchAll(/^\s*import\s*["']([^"']+)["']/gm);
  const dynamic = code.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g);
  return [...statements, ...bare, ...dynamic].map((match) => match[1] as string);
}

function relativeImports(file: SourceFile): string[] {
  return file.imports.filter((name) => name.startsWith(".")).map((name) => resolve(root, dirname(file.path), name));
}

function packageImports(file: SourceFile): string[] {
  return file.imports.filter((name) => !name.startsWith("."));
}

function findCycles(files: readonly SourceFile[]): string[] {
  const edges = new Map(files.map((file) => [resolve(root, file.path), relativeImports(file)]));
  const state = new Map<string, "open" | "done">();
  const cycles: string[] = [];
  const visit = (path: string, trail: string[]): void => {
    if (state.get(path) === "done" || !edges.has(path)) return;
    if (state.get(path) === "open") {
      const loop = [...trail.slice(trail.indexOf(path)), path];
      cycles.push(loop.map((step) => relative(root, step)).join(" → "));
      return;
    }
    state.set(path, "open");
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    state.set(path, "done");
  };
  for (const path of edges.keys()) visit(path, []);
  return cycles;
}
