// That our own agent did not run a call because somebody, or a rule, said no: what it says of that beside the protocol.

export interface Denial {
  readonly by: string;
  /** A sentence without its full stop. */
  readonly because: string;
  /** A rule that somebody wrote; not the mode, and not what nobody can allow. */
  readonly rule?: string | undefined;
}

const DENIAL = "_agentao.cn/denial";

/** Nothing where the call was run, or failed in another way. */
export function denialIn(meta: Readonly<Record<string, unknown>> | null | undefined): Denial | undefined {
  const said = meta?.[DENIAL];
  if (typeof said !== "object" || said === null) return undefined;
  const { by, because, rule } = said as Record<string, unknown>;
  if (typeof by !== "string" || typeof because !== "string") return undefined;
  const isWritten = typeof rule === "string" && because.startsWith(`a rule (${rule})`);
  return { by, because, ...(isWritten && { rule }) };
}
