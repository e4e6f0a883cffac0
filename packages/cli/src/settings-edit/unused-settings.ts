// What a project's settings say and nobody heeds: they can only be stricter than the person's.

import { loadConfig } from "@agentao/agent";
import type { ConfigPlace } from "./config-file.ts";

/** In sentences, of the file at `path`. */
export async function unusedSettings(place: ConfigPlace, path: string): Promise<readonly string[]> {
  const { notices = [] } = await loadConfig({ ...place, discover: async () => [] });
  return notices.filter((notice) => notice.startsWith(`${path}: `) && notice.includes(" is not used: "));
}
