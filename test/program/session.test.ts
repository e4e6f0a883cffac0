// Sessions of one program and of several: many at once, many in store, one held by another process, and a disk that is
// full.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { cleanUp, temporaryFolder } from "../process/clean-up.ts";
import { leftOf } from "../process/process-mark.ts";
import { ensureBuilt } from "./built.ts";
import type { RpcFailure } from "./frame.ts";
import { type Program, startReady, toPrompt } from "./program.ts";

beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

const report = (line: string): void => {
  if (process.env.AGENTAO_TIMINGS !== undefined) process.stdout.write(`${line}\n`);
};

const failure = (cause: unknown) => {
  const { message, code, data } = cause as RpcFailure;
  return { message, code, data };
};

describe("a session that another process has open", () => {
  test("is refused with a sentence that says where it is, and goes on there", async () => {
    const cwd = temporaryFolder();
    const holder = await startReady();
    const sessionId = await holder.open(cwd);
    await holder.prompt(sessionId, "create notes.txt with hello");
    const other = await startReady({ home: holder.home });

    for (const method of ["session/load", "session/resume"]) {
      expect(await other.request(method, { sessionId, cwd, mcpServers: [] }).catch(failure)).toEqual({
        code: -32603,
        message: `Session ${sessionId} is in use by another agentao (process ${holder.pid}). Close it there first.`,
        data: { kind: "journal", retryable: false },
      });
    }
    expect(await other.request("session/delete", { sessionId }).catch(failure)).toMatchObject({
      message: expect.stringContaining("in use by another agentao"),
    });
    expect(other.updates(sessionId)).toEqual([]);
    expect((await other.request("session/list", { cwd })).sessions).toMatchObject([{ sessionId }]);
    expect(await holder.prompt(sessionId, "read notes.txt")).toMatchObject({ stopReason: "end_turn" });
  });

  test.each(["session/close", "the end of its input", "SIGKILL"])("can be loaded after %s", async (how) => {
    const cwd = temporaryFolder();
    const holder = await startReady();
    const sessionId = await holder.open(cwd);
    await holder.prompt(sessionId, "create notes.txt with hello");
    if (how === "session/close") await holder.request("session/close", { sessionId });
    else await (how === "SIGKILL" ? holder.kill() : holder.end());

    const other = await startReady({ home: holder.home });
    await other.request("session/load", { sessionId, cwd, mcpServers: [] });
    expect(other.textOf(sessionId)).toBe(holder.textOf(sessionId));
  });
});

describe("a disk that is full", () => {
  const tinyDisk = (): string | undefined => {
    const folder = temporaryFolder();
    try {
      execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
      return folder;
    } catch {
      return undefined;
    }
  };

  const isJournalFault = (told: string) => ({
    code: -32603,
    message: expect.stringMatching(told),
    data: { kind: "journal", retryable: false },
  });

  test("ends the turn with an error a person understands; another session works, and so does this one later", async ({
    skip,
  }) => {
    const home = tinyDisk();
    if (home === undefined) return skip("mount is not permitted here");
    try {
      const cwd = temporaryFolder();
      const program = await startReady({ home });
      const sessionId = await program.open(cwd);
      const other = await program.open(temporaryFolder());
      await program.prompt(sessionId, "list files");
      const filler = join(home, "filler");
      fillUp(filler);

      const failed = await fillSession(program, sessionId);
      expect(failed).toEqual(isJournalFault("^The disk is full"));
      expect(await program.open(cwd).catch(failure)).toEqual(isJournalFault("^The disk is full"));
      expect((await program.request("session/list", {})).sessions).toHaveLength(1);

      execFileSync("rm", [filler]);
      expect(await program.prompt(sessionId, "list files")).toMatchObject({ stopReason: "end_turn" });
      expect(await program.prompt(other, "list files")).toMatchObject({ stopReason: "end_turn" });
      await program.end();

      const next = await startReady({ home });
      await next.request("session/load", { sessionId, cwd, mcpServers: [] });
      expect(next.textOf(sessionId)).not.toBe("");
      await next.end();
    } finally {
      execFileSync("/bin/umount", ["-l", home], { stdio: "ignore" });
    }
  });

  const limited = { through: ["/bin/bash", "-c", 'ulimit -f 8; exec "$@"', "sh"] };

  test("a file that may not grow ends the turn in the same way; other sessions work", async () => {
    const cwd = temporaryFolder();
    const program = await startReady(limited);
    const sessionId = await program.open(cwd);
    const failed = await fillSession(program, sessionId);
    expect(failed).toEqual(isJournalFault("as large as a file may be here"));
    const text = program.textOf(sessionId);
    expect(text).toMatch(/Error: .*as large as a file may be here/);

    const other = await program.open(cwd);
    expect(await program.prompt(other, "list files")).toMatchObject({ stopReason: "end_turn" });
    expect(program.stderr).toBe("");
  });

  test("a setting that cannot be written down is refused with the same error", async () => {
    const program = await startReady(limited);
    const sessionId = await program.open(temporaryFolder());
    await fillSession(program, sessionId);
    const refused = await setModes(program, sessionId).catch(failure);
    expect(refused).toEqual(isJournalFault("as large as a file may be here"));
  });

  /** Prompts until one fails. */
  async function fillSession(program: Program, sessionId: string) {
    for (let at = 0; at < 40; at++) {
      const failed = await program
        .prompt(sessionId, `say something ${"x".repeat(1_000)}`)
        .then(() => undefined, failure);
      if (failed !== undefined) return failed;
    }
    return undefined;
  }

  /** A short entry may still fit where a long one did not. */
  async function setModes(program: Program, sessionId: string): Promise<void> {
    for (let at = 0; at < 60; at++) {
      for (const modeId of ["plan", "read-only"]) await program.request("session/set_mode", { sessionId, modeId });
    }
  }

  function fillUp(path: string): void {
    try {
      writeFileSync(path, Buffer.alloc(1024 * 1024));
    } catch {
      // As was wanted.
    }
  }
});

describe("a hundred sessions at once", () => {
  test("all stream, and requests are answered meanwhile", async () => {
    const program = await startReady();
    const cwd = temporaryFolder();
    const ids = await Promise.all(Array.from({ length: 100 }, () => program.open(cwd)));
    const idle = await program.open(cwd);
    const turns = ids.map((sessionId) => program.prompt(sessionId, "count to 60"));
    await Promise.all(ids.map((id) => program.update(id, ({ content }) => content?.text?.startsWith("2"))));

    const [cancelled = ""] = ids;
    const answers = {
      list: await timed(() => program.request("session/list", { cwd })),
      mode: await timed(() => program.request("session/set_mode", { sessionId: idle, modeId: "plan" })),
      busyMode: await timed(() => program.request("session/set_mode", { sessionId: ids[1], modeId: "plan" })),
      cancel: await timed(async () => {
        program.write({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: cancelled } });
        expect(await turns[0]).toMatchObject({ stopReason: "cancelled" });
      }),
    };
    const rssKb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${program.pid}/status`, "utf8"))?.[1]);
    report(`100 sessions stream: ${JSON.stringify(answers)} ms, RSS ${Math.round(rssKb / 1024)} MB`);
    for (const tookMs of Object.values(answers)) expect(tookMs).toBeLessThan(5_000);

    expect((await Promise.all(turns.slice(1))).map(({ stopReason }) => stopReason)).toEqual(
      ids.slice(1).map(() => "end_turn"),
    );
    for (const id of ids.slice(1)) expect(program.textOf(id)).toMatch(/1 2 3 .* 59 60$/);
    expect((await program.end()).code).toBe(0);
  });

  test("thirty commands run side by side, and the end takes all of them", async () => {
    const program = await startReady();
    const cwd = temporaryFolder();
    const ids = await Promise.all(Array.from({ length: 30 }, () => program.open(cwd, { modeId: "full-access" })));
    for (const id of ids) program.send("session/prompt", toPrompt(id, "run echo begun; sleep 300"));
    await Promise.all(
      ids.map((id) => program.update(id, ({ content }) => JSON.stringify(content ?? "").includes("begun\\n"))),
    );
    const sleeping = () => program.descendants().filter(({ command }) => command.startsWith("sleep 300"));
    // A shell prints before it starts the next command.
    await vi.waitFor(() => expect(sleeping()).toHaveLength(30), { timeout: 10_000 });
    const commands = program.descendants();
    const { code, tookMs } = await program.end();
    report(`30 commands run: EOF to exit ${Math.round(tookMs)} ms`);
    expect(code).toBe(0);
    expect(await leftOf(commands, 5_000)).toEqual([]);
  });
});

describe("a store of 500 sessions", () => {
  test("is listed quickly, twice a turn, and paged", async () => {
    const cwd = temporaryFolder();
    const first = await startReady();
    const sessionId = await first.open(cwd);
    await first.prompt(sessionId, "list files");
    await first.end();
    multiply(join(first.home, "sessions"), sessionId, 500);

    const program = await startReady({ home: first.home });
    const coldMs = await timed(() => program.request("session/list", { cwd }));
    const current = await program.open(cwd);
    const warmMs: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      await program.prompt(current, "list files");
      for (let time = 0; time < 2; time++) warmMs.push(await timed(() => program.request("session/list", { cwd })));
    }
    report(`500 sessions: first list ${coldMs} ms, then ${warmMs.join(", ")} ms`);
    expect(coldMs).toBeLessThan(5_000);
    expect(Math.min(...warmMs)).toBeLessThan(500);

    const seen = new Set<string>();
    for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page++) {
      const { sessions, nextCursor } = await program.request("session/list", { cwd, ...(cursor && { cursor }) });
      for (const session of sessions) seen.add(session.sessionId);
      cursor = nextCursor;
    }
    expect(seen.size).toBe(501);
  });

  /** The same session, under other ids. */
  function multiply(folder: string, id: string, count: number): void {
    const text = readFileSync(join(folder, `${id}.jsonl`), "utf8");
    for (let at = 1; at < count; at++) {
      const other = `sess_${at.toString(16).padStart(32, "0")}`;
      writeFileSync(join(folder, `${other}.jsonl`), text.replaceAll(id, other));
    }
  }
});

describe("sessions of the reference system", () => {
  const stored = {
    session_id: "0b2c7a52-5d0e-4a51-9d34-1f5d6b7f0a11",
    title: "Say hello",
    created_at: "2025-05-01T10:00:00",
    updated_at: "2025-05-01T10:05:00",
    timestamp: "2025-05-01T10:05:00",
    model: "gpt-4o",
    messages: [
      { role: "user", content: "Say hello" },
      { role: "assistant", content: "Hello there." },
    ],
  };

  const withReference = async (): Promise<{ cwd: string; program: Program }> => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, ".agentao/sessions"), { recursive: true });
    writeFileSync(join(cwd, ".agentao/sessions/20250501_100500_000000_0b2c7a52.json"), JSON.stringify(stored));
    return { cwd, program: await startReady() };
  };

  test("are listed with their folder", async () => {
    const { cwd, program } = await withReference();
    const { sessions } = await program.request("session/list", { cwd });
    expect(sessions).toMatchObject([{ cwd, title: "Say hello" }]);
  });

  test("are loaded, and go on", async () => {
    const { cwd, program } = await withReference();
    await program.request("session/load", { sessionId: stored.session_id, cwd, mcpServers: [] });
    expect(program.textOf(stored.session_id)).toBe("Hello there.");
    expect(await program.prompt(stored.session_id, "list files")).toMatchObject({ stopReason: "end_turn" });
  });
});

describe("a scenario file", () => {
  const scenario = (cwd: string): string => {
    const path = join(cwd, "hello.json");
    writeFileSync(path, JSON.stringify({ replies: [[{ text: "Hello from a file." }]] }));
    return `scripted/${path}`;
  };

  test("can be chosen as the model of a session", async () => {
    const cwd = temporaryFolder();
    const program = await startReady();
    const sessionId = await program.open(cwd);
    const choice = { sessionId, configId: "model", value: scenario(cwd) };
    await program.request("session/set_config_option", choice);
    await program.prompt(sessionId, "hi");
    expect(program.textOf(sessionId)).toBe("Hello from a file.");
  });

  test("is the model of every session when AGENTAO_MODEL names it", async () => {
    const cwd = temporaryFolder();
    const program = await startReady({ env: { AGENTAO_MODEL: scenario(cwd) } });
    const sessionId = await program.open(cwd);
    await program.prompt(sessionId, "hi");
    expect(program.textOf(sessionId)).toBe("Hello from a file.");
  });
});

async function timed(act: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await act();
  return Math.round(performance.now() - begun);
}
