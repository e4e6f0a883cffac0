// A command that runs in the client's terminal, seen from the agent.

import type { RequestOptions } from "../rpc/pending-request.ts";
import type { TerminalOutputResponse, WaitForTerminalExitResponse } from "../v1/generated/type.ts";

/** How the handle reaches the client; the agent provides it. */
export interface TerminalCalls {
  output(at: TerminalAddress, options?: RequestOptions): Promise<TerminalOutputResponse>;
  waitForExit(at: TerminalAddress, options?: RequestOptions): Promise<WaitForTerminalExitResponse>;
  kill(at: TerminalAddress, options?: RequestOptions): Promise<unknown>;
  release(at: TerminalAddress, options?: RequestOptions): Promise<unknown>;
}

export interface TerminalAddress {
  readonly sessionId: string;
  readonly terminalId: string;
}

/** Whoever holds it releases it, also after a kill or a failure; `await using` does. */
export class Terminal {
  readonly id: string;
  readonly #at: TerminalAddress;
  readonly #calls: TerminalCalls;
  #released: Promise<void> | undefined;

  constructor(sessionId: string, terminalId: string, calls: TerminalCalls) {
    this.id = terminalId;
    this.#at = { sessionId, terminalId };
    this.#calls = calls;
  }

  /** What the command has written so far. */
  output(options?: RequestOptions): Promise<TerminalOutputResponse> {
    return this.#calls.output(this.#at, options);
  }

  waitForExit(options?: RequestOptions): Promise<WaitForTerminalExitResponse> {
    return this.#calls.waitForExit(this.#at, options);
  }

  /** Ends the command; output and exit status can still be read. */
  async kill(options?: RequestOptions): Promise<void> {
    await this.#calls.kill(this.#at, options);
  }

  /** Ends the command if it still runs, and frees the terminal. A second call is the first one. */
  release(options?: RequestOptions): Promise<void> {
    this.#released ??= this.#calls.release(this.#at, options).then(() => {});
    return this.#released;
  }

  /** A client that is gone has released its terminals itself. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.release().catch(() => {});
  }
}
