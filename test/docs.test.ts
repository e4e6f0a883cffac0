// Documents that can be checked, are.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, "utf8");

test.each([
  ["README.md", 150],
  ["AGENTS.md", 100],
])("%s has at most %i lines", (path, most) => {
  expect(read(path).split("\n").length).toBeLessThanOrEqual(most);
});

test("every name that docs/acp.md gives for a Python one exists", () => {
  const sources = listSources("packages/acp/src").map(read).join("\n");
  const table = read("docs/acp.md").split("## Coming from")[1] ?? "";
  const rows = table
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2);
  const given = rows.flatMap((row) =>
    [...(row.split("|")[2] ?? "").matchAll(/`(\w+)/g)].map((match) => match[1] ?? ""),
  );
  expect(given.length).toBeGreaterThan(60);
  const missing = given.filter((name) => name !== "decode" && !new RegExp(`\\b${name}\\b`).test(sources));
  expect(missing).toEqual([]);
});

test("links between documents lead somewhere", () => {
  const documents = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "AGENTS.md",
    "docs/acp.md",
    "docs/cli.md",
    "docs/editors.md",
    "docs/embedding.md",
    "docs/models.md",
    "docs/safety.md",
    "docs/mcp.md",
  ];
  const broken = documents.flatMap((path) => {
    const links = [...read(path).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => match[1] ?? "");
    return links.filter((link) => !exists(new URL(link, `file://${root}${path}`))).map((link) => `${path}: ${link}`);
  });
  expect(broken).toEqual([]);
});

function exists(url: URL): boolean {
  try {
    readFileSync(url);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EISDIR";
  }
}

function listSources(folder: string): string[] {
  const paths = readdirSync(`${root}${folder}`, { recursive: true }) as string[];
  return paths.filter((path) => path.endsWith(".ts")).map((path) => `${folder}/${path}`);
}
