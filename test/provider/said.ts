// What a request says, wherever its format keeps it.

import type { Recorded } from "./fake-provider.ts";

/** One message of a request: fields of all four formats, as far as tests read them. */
export interface Said {
  readonly role?: string;
  readonly type?: string;
  readonly content?: string | readonly Part[];
  readonly parts?: readonly Part[];
  /** Of a call by itself. */
  readonly arguments?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[];
  readonly tool_call_id?: string;
}

interface Part {
  readonly type?: string;
  readonly input?: unknown;
}

/** The conversation, without the marks that move forward with it. */
export function saidIn(request: Recorded | undefined): readonly Said[] {
  const { messages, input, contents } = request?.body ?? {};
  const said = messages ?? input ?? contents ?? [];
  return JSON.parse(JSON.stringify(said, (name, value) => (name === "cache_control" ? undefined : value)));
}

export function lastSaid(request: Recorded | undefined): Said {
  return saidIn(request).at(-1) ?? {};
}

/** What a provider takes for the arguments of earlier calls; Gemini's are objects anyway. */
export function inputsIn(request: Recorded | undefined): unknown[] {
  return saidIn(request).flatMap((said) => [
    ...(said.tool_calls ?? []).map((call) => JSON.parse(call.function.arguments)),
    ...(said.type === "function_call" ? [JSON.parse(said.arguments ?? "")] : []),
    ...(Array.isArray(said.content) ? said.content : [])
      .filter(({ type }: Part) => type === "tool_use")
      .map(({ input }: Part) => input),
  ]);
}
