// `/memory`: what is remembered from session to session.

import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "@agentao/agent";
import { expect, test } from "vitest";
import { text } from "../../packages/agent/src/model/script.ts";
import { connectScripted, type Scripted } from "./connect-scripted.ts";

/** A session in a repository of its own, with a home beside it. */
async function connect(files: Readonly<Record<string, string>> = {}) {
  const scripted: Scripted = await connectScripted({
    script: [[text("yes")]],
    runtime: {
      config: (cwd) => loadConfig({ cwd, env: {}, home: join(cwd, "../../home"), discover: async () => [] }),
    },
  });
  mkdirSync(join(scripted.cwd, ".git"));
  mkdirSync(join(scripted.cwd, "deep"));
  const home = await scripted.folder("home");
  for (const [name, content] of Object.entries(files)) writeFileSync(join(scripted.cwd, name), content);
  const ask = async (prompt: string) => (await scripted.prompt(await session, prompt)).text;
  const session = scripted.open({ cwd: join(scripted.cwd, "deep") });
  return { scripted, home, ask };
}

const USAGE =
  "`/memory` shows them, `/memory add TEXT` adds a line for this project, `/memory add --user TEXT` for all of yours.";

test("tells which files are in force, in order, with their sizes and what is left out", async () => {
  const { scripted, home, ask } = await connect({
    "AGENTAO.md": "Use tabs.\n",
    "AGENTS.md": `${"x".repeat(99)}\n`.repeat(350),
    "../home/AGENTAO.md": "I like tea.",
    "deep/CLAUDE.md": "",
  });
  await using _ = scripted;
  expect(await ask("/memory")).toBe(
    [
      "Instructions in force; where two differ, the later one counts:",
      "",
      `1. \`${home}/AGENTAO.md\`: 11 bytes`,
      `2. \`${scripted.cwd}/AGENTS.md\`: 34.2 KB, **cut**: its last 2.2 KB are left out`,
      `3. \`${scripted.cwd}/AGENTAO.md\`: 9 bytes`,
      "",
      USAGE,
    ].join("\n"),
  );
  expect(scripted.model.asked).toEqual([]);
});

test("adds a line to a new file at the top of the repository, and tells the model from the next prompt on", async () => {
  const { scripted, ask } = await connect();
  await using _ = scripted;
  expect(await ask("/memory")).toBe(`There are no instructions for this session yet. ${USAGE}`);
  const path = join(scripted.cwd, "AGENTAO.md");
  expect(await ask("/memory add  Run npm test\nbefore you commit. ")).toBe(
    `Written to \`${path}\`. It holds from the next prompt on.`,
  );
  expect(readFileSync(path, "utf8")).toBe("- Run npm test\n  before you commit.\n");
  await ask("go");
  expect(scripted.model.asked[0]?.system).toContain(
    "Instructions from AGENTAO.md:\n\n- Run npm test\n  before you commit.",
  );
});

test("adds to the person's own by --user", async () => {
  const { scripted, home, ask } = await connect();
  await using _ = scripted;
  expect(await ask("/memory add --user I like tea.")).toContain(`Written to \`${home}/AGENTAO.md\``);
  expect(readFileSync(join(home, "AGENTAO.md"), "utf8")).toBe("- I like tea.\n");
});

test.each([
  ["a text", "Use tabs.", "Use tabs.\n\n- New.\n"],
  ["a text and a line end", "Use tabs.\n", "Use tabs.\n\n- New.\n"],
  ["a list", "# Style\n\n- Use tabs.", "# Style\n\n- Use tabs.\n- New.\n"],
  ["lines of Windows", "Use tabs.\r\n", "Use tabs.\r\n\r\n- New.\r\n"],
  ["nothing", "", "- New.\n"],
])("leaves a file with %s as it was, and goes on behind it", async (_, before, after) => {
  const { scripted, ask } = await connect({ "AGENTAO.md": before });
  await using __ = scripted;
  await ask("/memory add New.");
  expect(await scripted.get("AGENTAO.md")).toBe(after);
});

test("adds to the nearest file, and to the one that a file stands for", async () => {
  const { scripted, ask } = await connect({ "AGENTAO.md": "Top.\n", "deep/AGENTAO.md": "@notes.md\n" });
  await using _ = scripted;
  expect(await ask("/memory add Near.")).toContain(`Written to \`${scripted.cwd}/deep/notes.md\``);
  expect(await scripted.get("deep/AGENTAO.md")).toBe("@notes.md\n");
  expect(await scripted.get("deep/notes.md")).toBe("- Near.\n");
  expect(await scripted.get("AGENTAO.md")).toBe("Top.\n");
});

test("says when it is there already, and when its end is not read", async () => {
  const { scripted, ask } = await connect({ "AGENTAO.md": `- Old.\n${"x".repeat(99)}\n`.repeat(350) });
  await using _ = scripted;
  expect(await ask("/memory add Old.")).toBe(`\`${scripted.cwd}/AGENTAO.md\` says so already.`);
  expect(await ask("/memory add New.")).toContain("But its end is not read, because it is too long: shorten it.");
});

test("writes through no link that leads out of the project", async () => {
  const { scripted, home, ask } = await connect();
  await using _ = scripted;
  symlinkSync(join(home, "secret.md"), join(scripted.cwd, "AGENTAO.md"));
  for (const state of ["not there", "there"]) {
    if (state === "there") writeFileSync(join(home, "secret.md"), "mine");
    expect(await ask("/memory add New.")).toContain("so it is not read. Put a file in its place.");
  }
  expect(readFileSync(join(home, "secret.md"), "utf8")).toBe("mine");
});

test("writes into no folder that is a link out of the project, nor into what is not read as instructions", async () => {
  const { scripted, home, ask } = await connect({ "AGENTAO.md": "@docs/new.md\n" });
  await using _ = scripted;
  symlinkSync(home, join(scripted.cwd, "docs"));
  expect(await ask("/memory add New.")).toContain("so it is not read. Put a file in its place.");
  writeFileSync(join(scripted.cwd, "AGENTAO.md"), "@docs/deep/new.md\n");
  expect(await ask("/memory add New.")).toContain("so it is not read. Put a file in its place.");
  expect(readdirSync(home)).toEqual([]);
  writeFileSync(join(scripted.cwd, "AGENTAO.md"), "@.git/hooks/pre-commit\n");
  await ask("/memory add New.");
  expect(await scripted.get("AGENTAO.md")).toBe("@.git/hooks/pre-commit\n\n- New.\n");
});

test.each([
  ["/memory forget it", `There is no \`/memory forget\`. ${USAGE}`],
  ["/memory add", `What is to be remembered? ${USAGE}`],
  ["/memory add --user ", `What is to be remembered? ${USAGE}`],
])("answers %s with what there is", async (prompt, answer) => {
  const { scripted, ask } = await connect();
  await using _ = scripted;
  expect(await ask(prompt)).toBe(answer);
});

test("says so where the instructions are an embedder's own", async () => {
  await using scripted = await connectScripted();
  const { text: answer } = await scripted.prompt(await scripted.open(), "/memory");
  expect(answer).toBe("The instructions of this session do not come from files.");
});
