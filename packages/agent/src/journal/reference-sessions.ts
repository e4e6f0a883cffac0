// The sessions that the reference system left in a folder. What reads them is loaded when somebody asks.

import type { SessionId } from "../id/id.ts";
import type { ReferenceFolder } from "./reference-folder.ts";

export function referenceSessions(cwd: string): Pick<ReferenceFolder, "list" | "find"> {
  let loading: Promise<ReferenceFolder> | undefined;
  const folder = (): Promise<ReferenceFolder> => {
    loading ??= import("./reference-folder.ts").then(({ ReferenceFolder }) => new ReferenceFolder(cwd));
    return loading;
  };
  return {
    list: async () => (await folder()).list(),
    find: async (id: SessionId) => (await folder()).find(id),
  };
}
