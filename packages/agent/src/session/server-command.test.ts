import { expect, test } from "vitest";
import type { ServerPrompt } from "../mcp/offer.ts";
import { findPrompt, isServerCommand, toCommand } from "./server-command.ts";

const prompt = (name: string, ...names: readonly string[]): ServerPrompt => ({
  server: "git",
  name,
  arguments: names.map((one) => ({ name: one, required: one === "file" })),
});

test("is listed by the server's name and its own, with what it takes", () => {
  expect(toCommand({ ...prompt("review", "file", "tone"), description: "Looks at a file" })).toEqual({
    name: "mcp__git__review",
    description: "Looks at a file",
    hint: "file [tone]",
  });
  expect(toCommand(prompt("review"))).toEqual({ name: "mcp__git__review", description: "A prompt of git" });
});

test("is found by its whole name, also where one begins another", () => {
  const prompts = [prompt("re"), prompt("review", "file", "tone")];

  expect(isServerCommand("/mcp__git__review a.ts")).toBe(true);
  expect(isServerCommand("/model x")).toBe(false);
  expect(findPrompt("/mcp__git__re", prompts)?.prompt.name).toBe("re");
  expect(findPrompt("/mcp__git__rev", prompts)).toBeUndefined();
  expect(findPrompt("/mcp__git__review a.ts please tone=kind", prompts)).toEqual({
    prompt: prompts[1],
    arguments: { file: "a.ts please", tone: "kind" },
  });
});
