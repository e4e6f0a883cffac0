// The commands of the program, by name. Each is loaded when it is asked for.

import type { Command } from "./command.ts";

interface Entry {
  readonly summary: string;
  load(): Promise<Command>;
}

export const commands: Readonly<Record<string, Entry>> = {
  acp: {
    summary: "Drive other ACP agents; record, check and replay what passes between any client and any agent",
    load: async () => (await import("./acp-tools.ts")).acpTools,
  },
  doctor: {
    summary: "Tell what is wrong with this machine, this folder and its settings",
    load: async () => (await import("./doctor.ts")).doctor,
  },
};
