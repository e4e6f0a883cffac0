// Tools that no agent ships, for scenarios that need one.

import { type AnyTool, defineTool, type Effect } from "@agentao/agent";

/** Calls that end when they are released, in the order in which they began, and not before: not even by the signal. */
export class StubbornTool {
  readonly tool: AnyTool = testTool("stubborn", { type: "other", readOnly: true }, () => this.#call());
  readonly #calls: (() => void)[] = [];
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  /** How many calls have begun. */
  get begun(): number {
    return this.#calls.length;
  }

  /** Resolves when so many calls have begun. */
  async hasBegun(count: number): Promise<void> {
    if (this.begun < count) await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
  }

  release(at = 0): void {
    this.#calls[at]?.();
  }

  #call(): Promise<string> {
    return new Promise((resolve) => {
      this.#calls.push(() => resolve("released"));
      for (const { count, resolve: go } of this.#waiting) if (this.begun >= count) go();
    });
  }
}

/** Fetches nothing from a host that has to be asked for; calls run side by side. */
export function fetchTool(): AnyTool {
  return defineTool<{ url: string }>({
    name: "fetch_page",
    description: "Fetches a page.",
    inputSchema: { type: "object" },
    parse: ({ url }) => (typeof url === "string" ? { input: { url } } : { problem: "url is required" }),
    plan: ({ url }) => ({ title: `Fetch ${url}`, kind: "fetch", locations: [], effect: { type: "fetch", url } }),
    run: async ({ url }) => ({ told: [{ type: "text", text: `fetched ${url}` }] }),
  });
}

/** A tool without input. */
export function testTool(name: string, effect: Effect, run: () => Promise<string>): AnyTool {
  return defineTool<object>({
    name,
    description: "For a test.",
    inputSchema: { type: "object" },
    parse: (input) => ({ input }),
    plan: () => ({ title: name, kind: "other", locations: [], effect }),
    run: async () => ({ told: [{ type: "text", text: await run() }] }),
  });
}
