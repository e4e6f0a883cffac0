// Clients that never answer a method they do not know. Waits for the agent's patience to end, so these run together.

import { describe, expect, test } from "vitest";
import { call, text } from "../../packages/agent/src/model/script.ts";
import { terminalHandlers } from "./client-terminal.ts";
import { connectScripted } from "./connect-scripted.ts";

const never = (): Promise<never> => new Promise(() => {});

describe.concurrent("silence of the client", () => {
  test("to a read: the file is read locally, and the next read at once", async () => {
    await using scripted = await connectScripted({
      script: [
        [call("read_file", { file_path: "a.txt" })],
        [call("read_file", { file_path: "a.txt", offset: 1 })],
        [text("ok")],
      ],
      handlers: { readTextFile: never },
    });
    await scripted.put("a.txt", "local\n");

    await scripted.prompt(await scripted.open(), "go");

    expect(JSON.stringify(scripted.model.asked[1]?.messages.at(-1))).toContain("local");
    expect(scripted.calls.filter((method) => method === "fs/read_text_file")).toHaveLength(1);
  });

  test("to a write: the file is written locally", async () => {
    await using scripted = await connectScripted({
      script: [[call("write_file", { file_path: "a.txt", content: "new\n" })], [text("ok")]],
      handlers: { writeTextFile: never },
    });

    await scripted.prompt(await scripted.open(), "go");

    expect(await scripted.get("a.txt")).toBe("new\n");
  });

  test("to a terminal: the command runs locally", async () => {
    await using scripted = await connectScripted({
      script: [[call("run_shell_command", { command: "touch x; echo local" })], [text("ok")]],
      answer: "allow_once",
      handlers: terminalHandlers({}, { createTerminal: never }),
    });

    await scripted.prompt(await scripted.open(), "go");

    expect(JSON.stringify(scripted.model.asked[1]?.messages.at(-1))).toContain("local");
  });
});
