// What the folder of sessions looks like: how many, how large, and what in it cannot be read.

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { openStore, parseSessionId } from "@agentao/agent";
import { type Finding, fine, warning } from "./finding.ts";

export interface SessionFacts {
  readonly folder: string;
  readonly count: number;
  readonly bytes: number;
  readonly damaged: readonly string[];
}

const LARGE_BYTES = 2 * 1024 ** 3;
const SHOWN = 3;

export async function examineSessions(
  home: string | undefined,
): Promise<{ readonly findings: readonly Finding[]; readonly facts?: SessionFacts }> {
  if (home === undefined) return { findings: [] };
  const folder = join(home, "sessions");
  const facts = await readFolder(folder);
  if (facts === undefined) return { findings: [fine("sessions", "There are no sessions yet.")] };
  const { count, bytes, damaged } = facts;
  const size = toSize(bytes);
  const some = `${damaged.slice(0, SHOWN).join(", ")}${damaged.length > SHOWN ? ", …" : ""}`;
  const findings = [
    bytes > LARGE_BYTES
      ? warning("sessions", `${count} sessions take ${size}. "agentao sessions prune --older-than 90d" makes room.`)
      : fine("sessions", `${count} ${count === 1 ? "session" : "sessions"}, ${size}.`),
    ...(damaged.length === 0
      ? []
      : [
          warning(
            "sessions",
            `${folder} has files that hold no session that can be opened: ${some}. If they are of no use, delete them.`,
            folder,
          ),
        ]),
  ];
  return { findings, facts };
}

function toSize(bytes: number): string {
  return bytes < 1024 ** 2 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

async function readFolder(folder: string): Promise<SessionFacts | undefined> {
  const names = await readdir(folder).catch(() => undefined);
  if (names === undefined) return undefined;
  const store = openStore({ folder });
  const damaged: string[] = [];
  let [count, bytes] = [0, 0];
  for (const name of names.filter((one) => one.endsWith(".jsonl"))) {
    const id = parseSessionId(name.slice(0, -".jsonl".length));
    if (id === undefined) continue;
    const { size } = await stat(join(folder, name)).catch(() => ({ size: 0 }));
    bytes += size;
    // An empty one is what a crash left before anybody knew of the session.
    if (await store.exists(id)) count++;
    else if (size > 0) damaged.push(name);
  }
  return { folder, count, bytes, damaged };
}
