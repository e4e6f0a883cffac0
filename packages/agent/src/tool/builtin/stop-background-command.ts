// stop_background_command: ends a command in the background, and everything it started.

import { defineInput, type InputOf, string } from "../input.ts";
import { defineTool } from "../tool.ts";
import { toOutcome, unknownCommand } from "./check-background-command.ts";

const input = defineInput({
  id: string("Which one, as run_shell_command named it", { aliases: ["command_id"] }),
});

export const stopBackgroundCommand = defineTool<InputOf<typeof input>>({
  name: "stop_background_command",
  description: "Ends a command in the background and everything it started, and returns its last output.",
  inputSchema: input.schema,
  parse: input.parse,
  plan: ({ id }) => ({ title: `Stop ${id.trim()}`, kind: "execute", locations: [], effect: { type: "session" } }),
  async run({ id }, room) {
    const report = await room.background.stop(id.trim());
    return report === undefined ? unknownCommand(id, room) : toOutcome(report);
  },
});
