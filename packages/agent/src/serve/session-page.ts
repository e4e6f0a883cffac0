// A page of stored sessions, as a client sees it. It must fit a line; where folders have very long names, it holds fewer.

import { RpcError } from "@agentao/acp";
import type { SessionPage } from "../journal/store.ts";
import type { Runtime } from "../session/runtime.ts";
import { fits } from "./frame-budget.ts";
import { toRpcError } from "./to-rpc-error.ts";

const MAX_SESSIONS = 50;

export async function listSessions(
  runtime: Runtime,
  wanted: { cwd?: string | undefined; cursor?: string | undefined },
) {
  for (let limit = MAX_SESSIONS; ; limit = Math.floor(limit / 4)) {
    const page = await runtime.list({ cwd: wanted.cwd, cursor: wanted.cursor, limit });
    if (page.type === "failed") throw toRpcError(page.fault);
    if (page.type !== "page") throw RpcError.invalidParams("Invalid params: /cursor: this is no cursor of ours");
    const answer = toAnswer(page);
    if (limit <= 1 || fits(answer)) return answer;
  }
}

function toAnswer(page: Extract<SessionPage, { type: "page" }>) {
  const sessions = page.sessions.map(({ id, cwd, title, updatedAt, additionalRoots }) => ({
    sessionId: id,
    cwd,
    ...(title !== undefined && { title }),
    updatedAt: new Date(updatedAt).toISOString(),
    ...(additionalRoots && { additionalDirectories: additionalRoots }),
  }));
  return { sessions, ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
}
