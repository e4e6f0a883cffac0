// What was typed before, kept over sessions: one JSON string per line, readable by its owner only. Never a reason to fail.

import { appendFile, chmod, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "@agentao/agent/program";

/** So many are offered. */
const MAX_OFFERED = 100;
/** A file with more lines than this is cut to what is offered, when it is read. */
const MAX_LINES = 2_000;
/** Nobody looks for a paste of this size by pressing the up key. */
const MAX_CHARS = 20_000;

export interface PromptHistory {
  /** Oldest first. */
  readonly prompts: readonly string[];
  add(prompt: string): Promise<void>;
}

/** Without a path it remembers nothing. */
export async function openPromptHistory(path: string | undefined): Promise<PromptHistory> {
  const prompts = path === undefined ? [] : await readPrompts(path);
  let last = prompts.at(-1);
  let writing: Promise<void> = Promise.resolve();
  return {
    prompts,
    add(prompt) {
      if (path === undefined || prompt === last || prompt.length > MAX_CHARS || isSecret(prompt)) return writing;
      last = prompt;
      writing = writing.then(() => append(path, prompt)).catch(() => {});
      return writing;
    },
  };
}

/** As in a shell: what begins with a space is not remembered. */
function isSecret(prompt: string): boolean {
  return prompt.startsWith(" ") || prompt.trim() === "";
}

async function readPrompts(path: string): Promise<string[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  const lines = text.split("\n").filter((line) => line !== "");
  const prompts = lines.slice(-MAX_OFFERED).flatMap(parseLine);
  if (lines.length > MAX_LINES) {
    const kept = prompts.map((prompt) => `${JSON.stringify(prompt)}\n`).join("");
    await writeFile(`${path}.new`, kept, { mode: 0o600 })
      .then(() => rename(`${path}.new`, path))
      .catch(() => {});
  }
  return prompts;
}

function parseLine(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" ? [value] : [];
  } catch {
    return [];
  }
}

async function append(path: string, prompt: string): Promise<void> {
  await makeFolder(dirname(path), 0o700);
  await appendFile(path, `${JSON.stringify(prompt)}\n`, { mode: 0o600 });
  await chmod(path, 0o600);
}
