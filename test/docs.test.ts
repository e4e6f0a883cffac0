// Documents that can be checked, are.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { commands } from "../packages/cli/src/command/index.ts";

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

const documents = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "AGENTS.md"],
  ...readdirSync(`${root}docs`)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

test("links between documents lead somewhere, also into them", () => {
  const broken = documents.flatMap((path) => {
    const links = [...read(path).matchAll(/\]\((?!https?:)([^)]+)\)/g)].map((match) => match[1] ?? "");
    return links.filter((link) => !leads(link, path)).map((link) => `${path}: ${link}`);
  });
  expect(broken).toEqual([]);
});

test.each(documents)("what %s shows as JSON is JSON", (path) => {
  const blocks = [...read(path).matchAll(/^```json\n(.*?)^```/gms)].map((match) => match[1] ?? "");
  for (const block of blocks) expect(() => JSON.parse(block), block).not.toThrow();
});

test.each(Object.keys(commands))("docs/cli.md shows agentao %s in its table of commands, and at work", (name) => {
  const [table = "", ...sections] = read("docs/cli.md").split(/^## /m);
  expect(table).toMatch(new RegExp(`^\\| .*\`${name}\``, "m"));
  const examples = [...sections, read("docs/mcp.md")].join("\n");
  if (name !== "chat" && name !== "help")
    expect(examples).toMatch(new RegExp(`^(source <\\()?agentao ${name}\\b`, "m"));
});

test.each(["acp", "agent", "cli"])("ARCHITECTURE.md names every room of packages/%s", (name) => {
  const part = partOf(name);
  const rooms = readdirSync(`${root}packages/${name}/src`, { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(rooms.map((room) => `${room.name}/`).filter((room) => !part.includes(room))).toEqual([]);
});

test.each(["acp", "agent", "cli"])("every place that ARCHITECTURE.md names in packages/%s is there", (name) => {
  const places = [...partOf(name).matchAll(/`([a-z0-9-]+\/[a-z0-9/.-]*(?:\.ts|\/))`/g)].map((match) => match[1] ?? "");
  expect(places.length).toBeGreaterThan(5);
  const elsewhere = ["test/", "scripts/"];
  const here = places.filter((place) => !elsewhere.some((start) => place.startsWith(start)));
  expect(here.filter((place) => !exists(new URL(`packages/${name}/src/${place}`, `file://${root}`)))).toEqual([]);
});

/** What ARCHITECTURE.md says of one package. */
function partOf(name: string): string {
  const [, acp = "", agent = "", cli = ""] = read("ARCHITECTURE.md").split(/^## (?=Inside )/m);
  return { acp, agent, cli }[name] ?? "";
}

function leads(link: string, path: string): boolean {
  const url = new URL(link, `file://${root}${path}`);
  if (!exists(url)) return false;
  return url.hash === "" || anchorsOf(readFileSync(url, "utf8")).includes(url.hash.slice(1));
}

/** As GitHub makes them of headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

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
