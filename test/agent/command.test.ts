// `/tools`, `/permissions` and `/mcp`: what a session can do, and what it may.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "@agentao/agent";
import { expect, test } from "vitest";
import { call, text } from "../../packages/agent/src/model/script.ts";
import { connectScripted } from "./connect-scripted.ts";

test("tells which tools the model is given", async () => {
  await using scripted = await connectScripted({ script: [[text("yes")]] });
  const sessionId = await scripted.open();
  const { text: said } = await scripted.prompt(sessionId, "/tools");
  await scripted.prompt(sessionId, "go");
  const names = scripted.model.asked[0]?.tools.map(({ name }) => name) ?? [];
  expect(said.split("\n").map((line) => /^- `(\w+)`: \S.*\.$/.exec(line)?.[1])).toEqual(names);
  expect(said).toContain("- `glob`: Finds files by a pattern of their paths.");
});

test("tells where MCP servers are changed, since /mcp only shows them", async () => {
  await using scripted = await connectScripted();
  const { text: said } = await scripted.prompt(await scripted.open(), "/mcp add files");
  expect(said).toBe("`/mcp` only shows them. `agentao mcp add` and `agentao mcp remove` in a shell change them.");
});

test("tells what may be done, and by whose word", async () => {
  await using scripted = await connectScripted({
    script: [[call("run_shell_command", { command: "npm test --silent" })], [text("done")]],
    answer: "allow_always",
    runtime: { config: (cwd) => loadConfig({ cwd, env: {}, home: join(cwd, "../home"), discover: async () => [] }) },
  });
  const home = await scripted.folder("home");
  const sessionId = await scripted.open();
  const before = await scripted.prompt(sessionId, "/permissions");
  expect(before.text).toBe(
    "Mode `workspace-write`: Writes + safe shell; asks for web. `/mode` changes it.\n\nThere are no rules, and nothing was always allowed yet.",
  );
  await scripted.prompt(sessionId, "test it");
  const after = await scripted.prompt(sessionId, "/permissions");
  expect(after.text).toContain("You said, for this session:\n\n- always allow `npm test …`");

  const rules = [
    { tool: "run_shell_command", args: { command: "^rm" }, action: "deny" },
    { tool: "web_fetch", domain: { allowlist: ["example.org"], blocklist: [".evil.test"] }, action: "allow" },
    { tool: "glob", action: "maybe" },
  ];
  writeFileSync(join(home, "permissions.json"), JSON.stringify({ rules }));
  const { text: ruled } = await scripted.prompt(await scripted.open(), "/permissions");
  const path = join(home, "permissions.json");
  expect(ruled).toContain(
    [
      "Rules:",
      "",
      `- deny \`run_shell_command\` with command like \`^rm\` (${path}#1)`,
      `- allow \`web_fetch\` by its host: only example.org; not .evil.test (${path}#2)`,
    ].join("\n"),
  );
  expect(ruled).toContain(`To be mended; until then more is asked:\n\n- ${path}`);
});
