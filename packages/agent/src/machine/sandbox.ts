// A sandbox for commands: what they may write and reach. Which program confines them depends on the system; a command that
// should be confined and cannot be is not run.

import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../folder/make-folder.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { type CommandOptions, MachineError } from "./machine.ts";
import type { Confined } from "./sandbox-confined.ts";
import { findPlaces } from "./sandbox-place.ts";
import { watchPlanted } from "./sandbox-planted.ts";
import type { SandboxPolicy } from "./sandbox-policy.ts";
import { probeSandbox, type SandboxProbe } from "./sandbox-probe.ts";
import { seatbelt } from "./seatbelt.ts";

export interface Sandbox {
  /** Throws `MachineError` where nothing could confine the command. */
  confine(policy: SandboxPolicy, options: Pick<CommandOptions, "cwd" | "env">): Promise<Confined>;
}

/** `folder` is where its temporary files go, which all commands share and nobody else sees. */
export function createSandbox(folder: string, find: () => Promise<SandboxProbe> = probeSandbox): Sandbox {
  const own = join(folder, `sandbox-${randomBytes(6).toString("hex")}`);
  let made: Promise<unknown> | undefined;

  return {
    async confine(policy, { cwd, env }) {
      const found = await find();
      if (!found.available) throw new MachineError("failed", `The sandbox is not available: ${found.why}`);
      made ??= makeOwn(own);
      await made.catch((cause: unknown) => {
        made = undefined;
        throw new MachineError("failed", "The sandbox has no folder for temporary files", { cause });
      });
      const places = await findPlaces(policy, { cwd, home: env.HOME, own, spill: folder });
      const confined =
        found.type === "bubblewrap" ? bubblewrap(found.program, places, env) : seatbelt(found.program, places, env);
      return { ...confined, planted: watchPlanted(places.writable) };
    },
  };
}

async function makeOwn(own: string): Promise<void> {
  await makeFolder(join(own, "tmp"), 0o700);
  await writeFile(join(own, "empty"), "", { mode: 0o400 });
}
