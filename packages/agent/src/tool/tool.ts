// What a tool is. Adding one is one file in `builtin/` and one line in its list; embedders hand in their own.

import type { CallContent, CallKind, Location, PlanEntry } from "../event/event.ts";
import type { BackgroundCommands } from "../machine/background.ts";
import type { Machine } from "../machine/machine.ts";
import type { SessionSandbox } from "../machine/sandbox-policy.ts";
import type { ImagePart, TextPart } from "../message/message.ts";
import type { Effect } from "../permission/request.ts";

/** What a tool may use while it runs. Everything else it was not given. */
export interface ToolRoom {
  readonly machine: Machine;
  /** The session's folder; relative paths start here. */
  readonly cwd: string;
  readonly roots: readonly string[];
  /** For commands: the session's environment, without our keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Commands that go on after their call; ended with the session. */
  readonly background: BackgroundCommands;
  /** Nothing where nobody wants commands to be confined. */
  readonly sandbox?: SessionSandbox | undefined;
  /** Shows progress; what is shown replaces what was shown before. Coalesced by the caller. */
  show(content: readonly CallContent[]): void;
  setPlan(entries: readonly PlanEntry[]): void;
  askPerson(question: Question, signal: AbortSignal): Promise<PersonAnswer>;
  /** Files as they were last read or written in this session, by real path: modification is noticed. */
  readonly seen: SeenFiles;
}

export interface Question {
  readonly question: string;
  readonly header?: string | undefined;
  readonly options?: readonly string[] | undefined;
  readonly multiple?: boolean | undefined;
  readonly allowCustom?: boolean | undefined;
}

export type PersonAnswer =
  /** `parts` are the answers one by one, where several were chosen. */
  | { readonly type: "answered"; readonly text: string; readonly parts: readonly string[] }
  | { readonly type: "declined" }
  /** There is nobody who could answer. */
  | { readonly type: "unavailable" };

/** Remembers what the model has seen of a file, by a fingerprint of its text. */
export interface SeenFiles {
  note(path: string, text: string): void;
  /** Nothing when the file was never seen whole. */
  fingerprint(path: string): string | undefined;
}

export interface CallPlan {
  readonly title: string;
  readonly kind: CallKind;
  readonly locations: readonly Location[];
  readonly effect: Effect;
}

export interface ToolOutcome {
  readonly failed?: boolean | undefined;
  /** What the model is told; bounded by the caller. */
  readonly told: readonly (TextPart | ImagePart)[];
  /** What the person sees, where that differs. */
  readonly content?: readonly CallContent[] | undefined;
  readonly locations?: readonly Location[] | undefined;
}

export interface Tool<Input = never> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input object, as the model sees it. */
  readonly inputSchema: object;
  /** Reads an input object; a string says what is wrong with it, for the model. */
  parse(input: Readonly<Record<string, unknown>>): { readonly input: Input } | { readonly problem: string };
  /** What the call would do, told without doing anything. Must not throw. */
  plan(input: Input, room: ToolRoom): CallPlan;
  /** What the person is shown before it runs: the diff of an edit. May look, must not touch. May throw. */
  preview?(input: Input, room: ToolRoom, signal: AbortSignal): Promise<readonly CallContent[]>;
  /** Does it. A thrown error is told to the model as a failure. */
  run(input: Input, room: ToolRoom, signal: AbortSignal): Promise<ToolOutcome>;
}

/** A tool whose input type is its own business. */
export type AnyTool = Tool<never>;

/** For type inference: the tool as it is. */
export function defineTool<Input>(tool: Tool<Input>): AnyTool {
  return tool as unknown as AnyTool;
}
