// Ready-made handlers for `terminal/*`: commands run in the background, each in a process group of its own. Whatever an
// agent forgets, `releaseSession` and `close` clear away. The environment is the one given; none is discovered.

import { RpcError } from "../error/rpc-error.ts";
import type {
  CreateTerminalRequest,
  CreateTerminalResponse,
  KillTerminalRequest,
  KillTerminalResponse,
  ReleaseTerminalRequest,
  ReleaseTerminalResponse,
  TerminalOutputRequest,
  TerminalOutputResponse,
  WaitForTerminalExitRequest,
  WaitForTerminalExitResponse,
} from "../v1/generated/type.ts";
import { type HandlerContext, throwIfCancelled, unlessCancelled } from "./handler-context.ts";
import type { Roots } from "./roots.ts";
import { startCommand } from "./start-command.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

export type TerminalOptions = {
  /** What every command inherits; the request's own variables are laid over it. Most hosts pass `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** When given, a command must start in a folder inside of them. What it does from there is not confined. */
  readonly roots?: Roots | undefined;
  /** Where a command without a cwd starts. Default: the first root. */
  readonly defaultCwd?: string | ((sessionId: string) => string | undefined) | undefined;
  /** How much output is kept where the request does not say. Default 1 MiB. */
  readonly defaultOutputBytes?: number | undefined;
  /** The most output that is kept whatever the request says, since it travels in one frame. Default 16 MiB. */
  readonly maxOutputBytes?: number | undefined;
  /** How many terminals may be unreleased at a time. Default 64. */
  readonly maxTerminals?: number | undefined;
  /** How long a command may take to end after SIGTERM, before SIGKILL. Default 2 seconds. */
  readonly graceMs?: number | undefined;
};

/** All reject with an `RpcError` only. */
export type TerminalHandlers = {
  /** Resolves as soon as the command has started. */
  createTerminal(params: CreateTerminalRequest, context?: HandlerContext): Promise<CreateTerminalResponse>;
  terminalOutput(params: TerminalOutputRequest, context?: HandlerContext): Promise<TerminalOutputResponse>;
  /** A cancelled request ends this wait only. */
  waitForTerminalExit(
    params: WaitForTerminalExitRequest,
    context?: HandlerContext,
  ): Promise<WaitForTerminalExitResponse>;
  /** Resolves once the signal is sent; `waitForTerminalExit` tells when it took effect. */
  killTerminal(params: KillTerminalRequest, context?: HandlerContext): Promise<KillTerminalResponse>;
  /** The id is void at once; resolves when the whole process group is gone. */
  releaseTerminal(params: ReleaseTerminalRequest, context?: HandlerContext): Promise<ReleaseTerminalResponse>;
  /** Releases all terminals of a session, also those just being created. Resolves when their processes are gone. */
  releaseSession(sessionId: string): Promise<void>;
  /** Releases every terminal and refuses new ones. Resolves when no process is left. May be called again. */
  close(): Promise<void>;
};

const DEFAULT_OUTPUT_BYTES = 1024 * 1024;
const DEFAULT_MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const DEFAULT_MAX_TERMINALS = 64;
const DEFAULT_GRACE_MS = 2_000;

/** One `terminal/create`, from its arrival to its release. Without a terminal it is still being started. */
type Slot = {
  readonly id: string;
  readonly sessionId: string;
  terminal: Terminal | undefined;
  released: Promise<void> | undefined;
};

export function createTerminalHandlers(options: TerminalOptions): TerminalHandlers {
  const maxTerminals = options.maxTerminals ?? DEFAULT_MAX_TERMINALS;
  const graceMs = options.graceMs ?? DEFAULT_GRACE_MS;
  const slots = new Map<string, Slot>();
  const leaving = new Set<Slot>();
  let isClosed = false;

  const reserve = (sessionId: string): Slot => {
    if (isClosed) throw RpcError.internal("No terminal can be created any more: the connection is closing.");
    if (slots.size >= maxTerminals) {
      throw RpcError.internal(
        `There are already ${maxTerminals} terminals. Release those that are no longer needed, then retry.`,
        { maxTerminals },
      );
    }
    const slot = { id: `term_${crypto.randomUUID()}`, sessionId, terminal: undefined, released: undefined };
    slots.set(slot.id, slot);
    return slot;
  };

  const find = (params: { sessionId: string; terminalId: string }): { slot: Slot; terminal: Terminal } => {
    const slot = slots.get(params.terminalId);
    if (slot?.terminal !== undefined && slot.sessionId === params.sessionId) return { slot, terminal: slot.terminal };
    const terminalId = params.terminalId;
    throw RpcError.resourceNotFound("There is no such terminal; it may have been released.", { terminalId });
  };

  const release = (slot: Slot): Promise<void> => {
    slots.delete(slot.id);
    if (slot.released === undefined) {
      leaving.add(slot);
      slot.released = (slot.terminal?.release() ?? Promise.resolve()).finally(() => leaving.delete(slot));
    }
    return slot.released;
  };

  const releaseWhere = async (isMeant: (slot: Slot) => boolean): Promise<void> => {
    await Promise.all([...slots.values(), ...leaving].filter(isMeant).map(release));
  };

  return {
    async createTerminal(params, context) {
      const slot = reserve(params.sessionId);
      try {
        const outputBytes = toOutputBytes(params.outputByteLimit, options);
        await startCommand(params, options, {
          beforeStart() {
            throwIfCancelled(context);
            if (slot.released !== undefined) throw RpcError.cancelled("The session or the connection is closing.");
          },
          onStart(child) {
            slot.terminal = createTerminal(child, { outputBytes, graceMs });
          },
        });
        return { terminalId: slot.id };
      } catch (error) {
        slots.delete(slot.id);
        throw error;
      }
    },

    async terminalOutput(params) {
      const { output, truncated, exit } = find(params).terminal.look();
      return exit === undefined ? { output, truncated } : { output, truncated, exitStatus: exit };
    },

    async waitForTerminalExit(params, context) {
      const { exitCode, signal } = await unlessCancelled(find(params).terminal.exited, context);
      return { exitCode, signal };
    },

    async killTerminal(params) {
      void find(params).terminal.end();
      return {};
    },

    async releaseTerminal(params) {
      await release(find(params).slot);
      return {};
    },

    async releaseSession(sessionId) {
      await releaseWhere((slot) => slot.sessionId === sessionId);
    },

    async close() {
      isClosed = true;
      await releaseWhere(() => true);
    },
  };
}

function toOutputBytes(asked: number | null | undefined, options: TerminalOptions): number {
  if (asked !== null && asked !== undefined && !(Number.isInteger(asked) && asked >= 0)) {
    throw RpcError.invalidParams("outputByteLimit must be a whole number, 0 or more.", { outputByteLimit: asked });
  }
  const wanted = asked ?? options.defaultOutputBytes ?? DEFAULT_OUTPUT_BYTES;
  return Math.min(wanted, options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES);
}
