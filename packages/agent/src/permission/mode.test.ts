import { expect, test } from "vitest";
import { defaultMode, isMode, modes } from "./mode.ts";

test("modes are what clients know", () => {
  expect(modes).toEqual([
    { id: "read-only", name: "Read-only", description: "No writes or shell." },
    { id: "workspace-write", name: "Workspace write", description: "Writes + safe shell; asks for web." },
    { id: "full-access", name: "Full access", description: "All tools, no prompts." },
    { id: "plan", name: "Plan", description: "Plans only; does not execute." },
  ]);
  expect(defaultMode).toBe("workspace-write");
  expect(modes.map(({ id }) => isMode(id))).toEqual([true, true, true, true]);
  expect(isMode("readonly")).toBe(false);
});
