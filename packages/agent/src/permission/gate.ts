// Who says yes to a call. Decides by policy, asks the person where policy asks, and remembers what they always want.
// Everything that acts passes here, sub-agents too.

import type { Decision, Policy } from "./decision.ts";
import type { Grant } from "./grant.ts";
import { defaultMode, isMode, type ModeId } from "./mode.ts";
import type { PermissionRequest, Verdict } from "./request.ts";
import { describeRequest } from "./request-text.ts";
import type { Rule, RuleProblem } from "./rule.ts";

type AnswerKind = "allow_once" | "allow_always" | "reject_once" | "reject_always";

export interface AnswerOption {
  /** The kind itself, but for further widths of "always": `allow_always_exact`. */
  readonly id: string;
  readonly kind: AnswerKind;
  /** For people: "Always allow `npm test …`". */
  readonly name: string;
}

/** Asks the person, and answers with the id of an option. Nothing, a throw or an abort: nobody allowed it. */
export type Asker = (
  request: PermissionRequest,
  options: readonly AnswerOption[],
  signal: AbortSignal,
) => Promise<string | undefined>;

export interface GateOptions {
  /** Without one, the default. One that does not exist is read as read-only: nobody meant to allow more. */
  readonly mode?: string | undefined;
  readonly rules?: readonly Rule[] | undefined;
  /** What was wrong with the files the rules come from. */
  readonly problems?: readonly RuleProblem[] | undefined;
  /** Absolute. */
  readonly roots: readonly string[];
  readonly ask: Asker;
}

export interface Gate {
  readonly mode: ModeId;
  /** What decides now. */
  readonly policy: Policy;
  /** Questions that wait are decided anew. */
  setMode(mode: ModeId): void;
  /** Never throws. */
  ask(request: PermissionRequest, signal: AbortSignal): Promise<Verdict>;
  /** Everything that waits and everything to come is denied; what was always allowed is forgotten. */
  close(): void;
}

/** Loaded with the first call: the parser of commands is not needed to start. */
type Judge = typeof import("./judge.ts");

export function createGate(options: GateOptions): Gate {
  const { rules = [], problems = [], roots, ask } = options;
  let mode = startMode(options.mode);
  let grants: readonly Grant[] = [];
  let isClosed = false;
  let loaded: Judge | undefined;
  const waiting = new Set<Waiting>();
  const policy = (): Policy => ({ mode, rules, problems, roots, grants });

  const gate: Gate = {
    get mode() {
      return mode;
    },
    get policy() {
      return policy();
    },
    setMode(next) {
      mode = next;
      reconsider();
    },
    async ask(request, signal) {
      loaded ??= await import("./judge.ts");
      const judge = loaded;
      if (isClosed) return denied(request, CLOSED);
      if (signal.aborted) return denied(request, { by: "person", because: NOBODY });
      const decision = judge.decide(request, policy());
      return decision.type === "ask" ? question(judge, request, decision, signal) : toVerdict(request, decision);
    },
    close() {
      isClosed = true;
      grants = [];
      for (const one of [...waiting]) one.settle(denied(one.request, CLOSED));
    },
  };
  return gate;

  /** Settled by the first of: the answer, a grant or mode that decides it meanwhile, the signal, the end. */
  function question(
    judge: Judge,
    request: PermissionRequest,
    decision: Decision,
    signal: AbortSignal,
  ): Promise<Verdict> {
    return new Promise((resolve) => {
      const withdrawn = new AbortController();
      const end = (verdict: Verdict): void => {
        waiting.delete(one);
        signal.removeEventListener("abort", onAbort);
        resolve(verdict);
      };
      const settle = (verdict: Verdict): void => {
        end(verdict);
        withdrawn.abort();
      };
      const onAbort = (): void => settle(denied(request, { by: "person", because: NOBODY, rule: decision.rule }));
      const one: Waiting = { judge, request, settle };
      waiting.add(one);
      signal.addEventListener("abort", onAbort, { once: true });
      const options = optionsFor(judge, request, roots);
      const answer = (id: string | undefined): void => {
        if (!waiting.has(one)) return;
        const chosen = chosenFrom(options, id);
        remember(judge, request, chosen);
        end(toAnswer(request, decision, chosen));
        reconsider();
      };
      asked(ask, request, options, withdrawn.signal).then(answer, () => answer(undefined));
    });
  }

  function remember({ createGrant }: Judge, request: PermissionRequest, chosen: Chosen | undefined): void {
    if (chosen?.kind !== "allow_always" && chosen?.kind !== "reject_always") return;
    const grant = createGrant(request, roots, chosen.kind === "allow_always" ? "allow" : "reject", chosen.id);
    if (grant !== undefined) grants = [...grants, grant];
  }

  function reconsider(): void {
    for (const { judge, request, settle } of [...waiting]) {
      const decision = judge.decide(request, policy());
      if (decision.type !== "ask") settle(toVerdict(request, decision));
    }
  }
}

interface Waiting {
  readonly judge: Judge;
  readonly request: PermissionRequest;
  settle(verdict: Verdict): void;
}

type Chosen = Pick<AnswerOption, "id" | "kind">;

const NOBODY = "nobody allowed it";
const CLOSED = { by: "rule", because: "the session is closed", rule: "closed" } as const;
const KINDS: readonly string[] = ["allow_once", "allow_always", "reject_once", "reject_always"] satisfies AnswerKind[];
const MAX_TITLE_CHARS = 200;

function startMode(mode: string | undefined): ModeId {
  if (mode === undefined) return defaultMode;
  return isMode(mode) ? mode : "read-only";
}

/** An asker that throws at once is one that rejects. */
async function asked(
  ask: Asker,
  request: PermissionRequest,
  options: readonly AnswerOption[],
  signal: AbortSignal,
): Promise<string | undefined> {
  return ask(request, options, signal);
}

/** "Always" is offered only where it has a meaning that can be said. */
function optionsFor(
  { describeWidths, describeRejection }: Judge,
  request: PermissionRequest,
  roots: readonly string[],
): readonly AnswerOption[] {
  return [
    { id: "allow_once", kind: "allow_once", name: "Allow once" },
    ...describeWidths(request, roots).map(({ id, name }) => ({ id, kind: "allow_always" as const, name })),
    { id: "reject_once", kind: "reject_once", name: "Reject once" },
    { id: "reject_always", kind: "reject_always", name: describeRejection(request, roots) },
  ];
}

/** A plain kind says what is meant even where it was not offered; "always" is then for once. */
function chosenFrom(options: readonly AnswerOption[], id: string | undefined): Chosen | undefined {
  const offered = options.find((option) => option.id === id);
  if (offered !== undefined || id === undefined) return offered;
  return KINDS.includes(id) ? { id, kind: id as AnswerKind } : undefined;
}

function toVerdict(request: PermissionRequest, { type, by, because, rule }: Decision): Verdict {
  return type === "allow" ? allowed(request, { by, because, rule }) : denied(request, { by, because, rule });
}

function toAnswer(request: PermissionRequest, { because, rule }: Decision, chosen: Chosen | undefined): Verdict {
  const answer = chosen?.id;
  switch (chosen?.kind) {
    case "allow_once":
    case "allow_always":
      return allowed(request, { by: "person", because: `the person allowed it (${because})`, rule, answer });
    case "reject_once":
    case "reject_always":
      return denied(request, { by: "person", because: "the person rejected it", rule, answer });
    case undefined:
      return denied(request, { by: "person", because: NOBODY, rule });
  }
}

type Reason = Pick<Verdict, "by" | "because" | "rule" | "answer">;

function allowed(request: PermissionRequest, reason: Reason): Verdict {
  return { type: "allowed", ...reason, tool: request.tool, request: describeRequest(request) };
}

/** What, why, and what not to do now: models try again in other words otherwise. */
function denied(request: PermissionRequest, reason: Reason): Verdict {
  const { tool, title } = request;
  const what = title.length <= MAX_TITLE_CHARS ? title : `${title.slice(0, MAX_TITLE_CHARS - 1)}…`;
  const told = `Denied: ${tool} (${what}) was not run, because ${reason.because}. Do not try it again, reword it or reach the same end another way. Go on without it, or tell the user what you would need.`;
  return { type: "denied", ...reason, told, tool, request: describeRequest(request) };
}
