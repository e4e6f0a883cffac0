// What the program says of sessions that it kept itself, also while they are open.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { cleanUp, temporaryFolder } from "../process/clean-up.ts";
import { ensureBuilt } from "../program/built.ts";
import { startReady } from "../program/program.ts";
import { runProgram } from "../program/run-program.ts";

beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

test("lists, shows, searches, exports and deletes a session, and leaves it while it is open", async () => {
  const [home, cwd] = [temporaryFolder(), temporaryFolder()];
  const program = await startReady({ home });
  const id = await program.open(cwd, { modeId: "full-access" });
  await program.prompt(id, "create notes.txt with password=hunter22xyz");
  const run = (...args: string[]) => runProgram(["sessions", ...args], { home, cwd });

  const listed = await run("list", "--json");
  expect({ ...listed, stdout: JSON.parse(listed.stdout) }).toEqual({
    code: 0,
    stdout: { sessions: [expect.objectContaining({ id, cwd })] },
    stderr: "",
  });
  const shown = await run("show", id.slice(0, 12));
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(shown.stdout).toContain(`Session     ${id}\n`);
  expect(shown.stdout).toContain("(write_file)\n  allowed by ");
  expect(shown.stdout).not.toContain("hunter22xyz");
  expect(await run("search", "NOTES.TXT")).toMatchObject({ code: 0, stdout: expect.stringContaining(id.slice(0, 13)) });

  const page = join(cwd, "page.html");
  expect(await run("export", id, "--format", "html", "--output", "page.html")).toMatchObject({ code: 0, stdout: "" });
  expect(readFileSync(page, "utf8")).toContain("<!DOCTYPE html>");
  expect(readFileSync(page, "utf8")).not.toContain("hunter22xyz");

  expect(await run("delete", id, "--yes")).toEqual({
    code: 1,
    stdout: "0 sessions deleted.\n",
    stderr: expect.stringMatching(/is in use by another agentao \(process \d+\)\. Close it there first\.\n$/),
  });
  expect(await run("delete", id)).toEqual({
    code: 2,
    stdout: "",
    stderr: 'agentao: there is nobody to ask; add --yes to delete\nTry "agentao sessions delete --help".\n',
  });
  await program.end();
  expect(existsSync(join(home, "sessions", `${id}.jsonl`))).toBe(true);
  expect(await run("prune", "--older-than", "0m", "--yes")).toMatchObject({ code: 0, stdout: "1 session deleted.\n" });
  expect(readdirSync(join(home, "sessions")).filter((name) => name.startsWith("sess_"))).toEqual([]);
});
