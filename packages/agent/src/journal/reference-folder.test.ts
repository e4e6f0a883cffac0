import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SessionId } from "../id/id.ts";
import { ReferenceFolder } from "./reference-folder.ts";

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "reference-"));
  await mkdir(join(cwd, ".agentao", "sessions"), { recursive: true });
});

afterEach(async () => {
  await rm(cwd, { recursive: true, force: true });
});

test("lists the newest file of each session, newest first", async () => {
  await put("20260301_100000_000000.json", session("a", "Old", 1));
  await put("20260302_100000_000000.json", session("b", "", 2));
  await put("20260303_100000_000000.json", session("a", "New", 3));
  await put("20260304_100000_000000.json", { ...session("empty", "Empty", 4), messages: [] });
  await put("20260305_100000_000000.json", "{ not JSON");
  await put("notes.txt", "hello");

  expect(await new ReferenceFolder(cwd).list()).toEqual([
    { id: "a", cwd, title: "New", createdAt: Date.UTC(2026, 0, 3), updatedAt: Date.UTC(2026, 0, 3) },
    { id: "b", cwd, title: "Do b", createdAt: Date.UTC(2026, 0, 2), updatedAt: Date.UTC(2026, 0, 2) },
  ]);
});

test("finds a session by its whole id", async () => {
  await put("20260301_100000_000000.json", session("abc", "Old", 1));
  await put("20260302_100000_000000.json", session("abc", "New", 2));
  const folder = new ReferenceFolder(cwd);

  expect(await folder.find("abc" as SessionId)).toMatchObject({
    id: "abc",
    title: "New",
    entries: [{ type: "title" }, {}, {}],
  });
  expect(await folder.find("ab" as SessionId)).toBeUndefined();
});

test("reads a file again only when it changed", async () => {
  const time = new Date(0);
  const name = "20260301_100000_000000.json";
  await put(name, session("a", "One", 1));
  await utimes(join(cwd, ".agentao", "sessions", name), time, time);
  const folder = new ReferenceFolder(cwd);
  await folder.list();
  await put(name, session("a", "Two", 1));
  await utimes(join(cwd, ".agentao", "sessions", name), time, time);

  expect(await titles(folder)).toEqual(["One"]);
  await put(name, session("a", "Three", 1));
  expect(await titles(folder)).toEqual(["Three"]);
});

test("lists nothing where there is nothing", async () => {
  expect(await new ReferenceFolder(join(cwd, "nowhere")).list()).toEqual([]);
});

function session(id: string, title: string, day: number): object {
  const time = `2026-01-0${day}T00:00:00+00:00`;
  const messages = [{ role: "user", content: `Do ${id}` }];
  return { session_id: id, title, created_at: time, updated_at: time, model: "m", active_skills: [], messages };
}

async function put(name: string, content: object | string): Promise<void> {
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
  await writeFile(join(cwd, ".agentao", "sessions", name), text);
}

async function titles(folder: ReferenceFolder): Promise<(string | undefined)[]> {
  return (await folder.list()).map(({ title }) => title);
}
