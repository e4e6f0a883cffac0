import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "@agentao/agent";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { scriptedIo } from "../io/scripted-io.ts";
import { UsageError } from "../manual/usage-error.ts";
import { BEGAN, prompt, said, storeSession, wholeTurn } from "../sessions/stored-session.ts";
import { toClock } from "../text/when.ts";
import { sessions } from "./sessions.ts";

let home = "";
let store: Store;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "agentao-sessions-"));
  store = openStore({ folder: join(home, "sessions") });
  await storeSession(store, { entries: wholeTurn });
  await storeSession(store, { id: "sess_aabb2222", at: BEGAN + 60_000, entries: [prompt("Second")] });
  await storeSession(store, { id: "sess_cccc3333", cwd: "/other", at: BEGAN + 120_000, entries: [prompt("Third")] });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function run(
  line: string | readonly string[],
  { cwd = "/project", typed }: { cwd?: string; typed?: string } = {},
) {
  const io = scriptedIo({ env: { AGENTAO_HOME: home }, cwd, ...(typed !== undefined && { typed }) });
  const code = await sessions.run(typeof line === "string" ? line.split(" ") : line, io);
  return { code, said: io.said, complained: io.complained };
}
const ids = async () => (await run("list --all --ids")).said.trim().split("\n");

describe("list", () => {
  test("shows those of this folder, newest first, or of all", async () => {
    const { said: own } = await run("list");
    expect(own.split("\n").map((line) => line.replace(/\d+d ago|just now/, "AGE"))).toEqual([
      expect.stringMatching(/^sess_aabb2222 {2}AGE.* {2}Second$/),
      expect.stringMatching(/^sess_aaaa1111 {2}AGE.* {2}Fix the <login> test$/),
      "",
    ]);
    expect(await ids()).toEqual(["sess_cccc3333", "sess_aabb2222", "sess_aaaa1111"]);
    expect((await run("list --cwd /other --ids")).said).toBe("sess_cccc3333\n");
  });

  test("tells programs with times they can read", async () => {
    const { said } = await run("list --json", { cwd: "/other" });
    expect(JSON.parse(said)).toEqual({
      sessions: [
        {
          id: "sess_cccc3333",
          cwd: "/other",
          title: "Third",
          createdAt: "2024-11-01T12:02:00.000Z",
          updatedAt: "2024-11-01T12:02:01.000Z",
        },
      ],
    });
  });

  test("says where to look when there are none", async () => {
    expect(await run("list", { cwd: "/empty" })).toEqual({
      code: 0,
      said: "",
      complained: "There are no sessions of /empty. Try --all.\n",
    });
  });
});

describe("show", () => {
  test("finds a session by the beginning of its id, with or without sess_", async () => {
    for (const id of ["sess_aaaa1111", "sess_aaaa", "aaaa"]) {
      const { code, said } = await run(["show", id]);
      expect(code).toBe(0);
      expect(said).toContain("allowed by rule permissions.json#2: tests may run");
      expect(said).not.toContain("abcdef123456");
    }
  });

  test("refuses what is no id, what is nobody's and what is of several", async () => {
    expect(await run("show aa")).toEqual({
      code: 1,
      said: "",
      complained:
        "agentao: 2 sessions begin with aa. Write more of it:\n  sess_aabb2222  Second\n  sess_aaaa1111  Fix the <login> test\n",
    });
    expect((await run("show zz")).complained).toContain("There is no session zz.");
    expect((await run("show ../../etc/passwd")).complained).toContain('There is no session "../../etc/passwd".');
    expect((await run(["show", ""])).complained).toContain('There is no session "".');
  });

  test("finds a session by words of its title that no other has", async () => {
    expect((await run(["show", "fix the <LOGIN>"])).said).toContain("Session     sess_aaaa1111\n");
    expect((await run("show d")).complained).toBe(
      'agentao: 2 sessions have "d" in their titles. Write more of it:\n  sess_cccc3333  Third\n  sess_aabb2222  Second\n',
    );
  });

  test("shows the newest of this folder where none is named", async () => {
    expect((await run("show")).said).toContain("Session     sess_aabb2222\n");
    expect((await run("export --format json", { cwd: "/other" })).said).toContain('"id": "sess_cccc3333"');
    expect(await run("show", { cwd: "/empty" })).toEqual({
      code: 1,
      said: "",
      complained: "agentao: There are no sessions of /empty. Name one of another folder.\n",
    });
  });

  test("reads one that is open elsewhere, and leaves it so", async () => {
    const opened = await storeSession(store, { id: "sess_dddd4444", entries: [prompt("Live"), said("…")], open: true });
    expect((await run("show dddd")).said).toContain("Live");
    opened.journal.append(said("more"));
    opened.journal.close();
  });
});

describe("sessions of the reference system", () => {
  const reference = {
    session_id: "0b9f3c3e-1111-2222-3333-444455556666",
    title: "Written in Python",
    created_at: "2024-01-01T12:00:00+00:00",
    updated_at: "2024-01-01T12:05:00+00:00",
    model: "gpt-5.4",
    messages: [
      { role: "user", content: "hello from afar" },
      { role: "assistant", content: "good day" },
    ],
  };
  let cwd = "";
  beforeEach(() => {
    cwd = join(home, "project");
    mkdirSync(join(cwd, ".agentao", "sessions"), { recursive: true });
    writeFileSync(join(cwd, ".agentao", "sessions", "20240101_120000_000001.json"), JSON.stringify(reference));
  });

  test("are listed, shown, searched and exported with ours", async () => {
    expect((await run("list --ids", { cwd })).said).toBe(`${reference.session_id}\n`);
    expect((await run(["list", "--ids", "--cwd", cwd])).said).toBe(`${reference.session_id}\n`);
    expect((await run("list --all --ids", { cwd })).said.split("\n")).toHaveLength(5);
    const { said } = await run("show 0b9f", { cwd });
    for (const part of ["Written in Python\n", "Model       gpt-5.4\n", "Worked      1 turn\n", "  good day\n"]) {
      expect(said).toContain(part);
    }
    expect((await run(["search", "from afar"], { cwd })).said).toContain("you      hello from afar");
    expect((await run("export 0b9f --format markdown", { cwd })).said).toContain("# Written in Python");
  });

  test("stay, whoever wants to delete them", async () => {
    expect(await run("delete 0b9f --yes", { cwd })).toEqual({
      code: 1,
      said: "",
      complained: `agentao: Session ${reference.session_id} is a file of agentao in Python. Delete it in .agentao/sessions of its folder.\n`,
    });
    await run("prune --older-than 1m --yes", { cwd });
    expect((await run("list --all --ids", { cwd })).said).toBe(`${reference.session_id}\n`);
  });
});

test("search says which session, when, who, and what", async () => {
  const { code, said } = await run(["search", "RUN IT"]);
  expect(code).toBe(0);
  expect(said).toBe(`sess_aaaa1111  ${toClock(BEGAN + 6000)}  agent    I will run it.\n`);
  expect(await run("search absent")).toEqual({ code: 1, said: "", complained: "Nothing was found.\n" });
  const all = await run("search e --limit 2");
  expect({ lines: all.said.trim().split("\n").length, complained: all.complained }).toEqual({
    lines: 2,
    complained: "There is more; --limit 4 shows more.\n",
  });
  expect(JSON.parse((await run("search Third --json")).said)).toMatchObject({ id: "sess_cccc3333", who: "you" });
});

test("a search ends when nobody reads it any more, or when the person wants that", async () => {
  const io = scriptedIo({ env: { AGENTAO_HOME: home }, cwd: "/project" });
  io.stdout.once("data", () => io.stdout.emit("error", new Error("EPIPE")));
  expect(await sessions.run(["search", "e", "--limit", "1"], io)).toBe(0);
  expect(io.complained).toBe("");
  const stopped = { ...scriptedIo({ env: { AGENTAO_HOME: home } }), signal: AbortSignal.abort() };
  expect(await sessions.run(["search", "e"], stopped)).toBe(130);
});

describe("export", () => {
  test.each(["markdown", "html", "json"])("writes %s without secrets", async (format) => {
    const { code, said } = await run(`export aaaa --format ${format}`);
    expect(code).toBe(0);
    expect(said).toContain("[redacted]");
    expect(said).not.toContain("abcdef123456");
  });

  test("writes a file for the person alone, and never over another", async () => {
    const output = join(home, "out.html");
    expect(await run(["export", "aaaa", "--format", "html", "--output", output])).toMatchObject({ code: 0, said: "" });
    expect(statSync(output).mode & 0o777).toBe(0o600);
    const before = readFileSync(output, "utf8");
    expect(await run(["export", "aabb", "--format", "html", "--output", output])).toEqual({
      code: 1,
      said: "",
      complained: `agentao: ${output} is there already. Name a new file.\n`,
    });
    expect(readFileSync(output, "utf8")).toBe(before);
  });

  test("names the formats it knows", async () => {
    await expect(run("export aaaa --format pdf")).rejects.toThrow('--format is one of markdown, json, html, not "pdf"');
    await expect(run(["export", "aaaa", "--output", join(tmpdir(), "x.pdf")])).rejects.toThrow(
      "ends with .md, .json or .html",
    );
    expect((await run("export aaaa")).said).toMatch(/^# Fix the/);
  });
});

describe("delete", () => {
  test("asks in a terminal, and takes only yes for yes", async () => {
    expect(await run("delete aaaa", { typed: "\n" })).toMatchObject({ code: 1, said: "" });
    expect(await ids()).toContain("sess_aaaa1111");
    expect(await run("delete aaaa", { typed: "y\n" })).toMatchObject({ code: 0, said: "1 session deleted.\n" });
    expect(await ids()).toEqual(["sess_cccc3333", "sess_aabb2222"]);
  });

  test("needs --yes where there is nobody to ask", async () => {
    await expect(run("delete aaaa")).rejects.toThrow("there is nobody to ask; add --yes to delete");
    expect(await run("delete aaaa aabb --yes")).toMatchObject({ code: 0, said: "2 sessions deleted.\n" });
    expect(await ids()).toEqual(["sess_cccc3333"]);
  });

  test("deletes none when one of them is not there, and leaves what is open", async () => {
    expect(await run("delete aaaa zzzz --yes")).toMatchObject({ code: 1, said: "" });
    expect(await ids()).toContain("sess_aaaa1111");
    const opened = await storeSession(store, { id: "sess_dddd4444", entries: [prompt("Live")], open: true });
    expect(await run("delete dddd --yes")).toEqual({
      code: 1,
      said: "0 sessions deleted.\n",
      complained: expect.stringContaining("sess_dddd4444 is already open in this agentao"),
    });
    opened.journal.close();
  });
});

describe("prune", () => {
  beforeEach(async () => {
    await storeSession(store, { id: "sess_eeee5555", at: Date.now(), entries: [prompt("Today")] });
  });

  test("says first, and deletes then", async () => {
    const line = "prune --older-than 1h --keep 2";
    const { said, complained } = await run(`${line} --dry-run`);
    expect(said.match(/sess_\w+/g)).toEqual(["sess_aaaa1111", "sess_aabb2222"]);
    expect(complained).toBe("2 sessions would be deleted; those that are open elsewhere would stay.\n");
    expect(await ids()).toHaveLength(4);
    expect(await run(`${line} --yes`)).toMatchObject({ code: 0, said: "2 sessions deleted.\n" });
    expect(await ids()).toEqual(["sess_eeee5555", "sess_cccc3333"]);
  });

  test("never touches one that is open, and deletes the others all the same", async () => {
    const opened = await storeSession(store, { id: "sess_dddd4444", entries: [prompt("Live")], open: true });
    expect(await run("prune --older-than 1h --yes")).toMatchObject({ code: 0, said: "3 sessions deleted.\n" });
    expect(existsSync(opened.journal.path ?? "")).toBe(true);
    opened.journal.close();
  });

  test.each(["prune --yes", "prune --older-than soon --yes", "prune --older-than 30d"])("refuses %s", async (line) => {
    await expect(run(line)).rejects.toThrow(UsageError);
    expect(await ids()).toHaveLength(4);
  });
});

test("sessions alone lists", async () => {
  expect(await run([])).toEqual(await run("list"));
  expect(await run("--ids")).toEqual(await run("list --ids"));
});

test.each([
  ["lst", 'sessions has no "lst"; did you mean list?'],
  ["list --al", 'unknown option "--al"; did you mean --all?'],
  ["list --all --cwd /x", "--all and --cwd exclude each other"],
  ["list --json --ids", "--json and --ids exclude each other"],
  ["search x --limit 0", "--limit is 1 or more"],
  ["list x", 'unexpected argument "x"'],
  ["list --all=yes", "--all takes no value"],
  ["search", "the text to search for is missing"],
  ["prune --older-than --yes", "--older-than needs a value"],
])("refuses sessions %s", async (line, problem) => {
  await expect(run(line)).rejects.toThrow(problem);
});
