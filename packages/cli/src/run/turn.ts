// The one turn of a run: the prompt, what comes of it, and why it may have to end before it is over.

import {
  type ClientHandlers,
  emptyTranscript,
  foldTranscript,
  type PromptResponse,
  type SessionUpdate,
  type Transcript,
} from "@agentao/acp";
import type { Front } from "../front/front.ts";
import { createPolicy } from "../front/permission-policy.ts";
import type { PermissionRule } from "../front/permission-rule.ts";
import type { ProgressLine } from "../front/progress-line.ts";
import type { Io } from "../io/io.ts";
import { fieldOf } from "../json/fields.ts";
import { findDenial } from "./denial.ts";
import type { Stop } from "./ending.ts";
import type { Job } from "./job.ts";
import { Meter } from "./meter.ts";
import type { Output } from "./output.ts";
import { ruleReason, toRefusedCall, toRule } from "./refusal.ts";
import type { TokenUsage, TurnEnd } from "./run-facts.ts";

/** What a run acts on. */
export interface Stage {
  readonly io: Io;
  readonly output: Output;
  readonly progress: ProgressLine;
  readonly stop: Stop;
  /** Tells the person something beside the answer; `severity` as in a notice of the protocol. */
  notice(text: string, severity: string): void;
}

/** An agent that was told to stop and does not is left behind after this. */
const CANCEL_MS = 3_000;

const UNPRICED = "--max-cost has no effect: nobody tells what this model costs.";

export class Turn {
  readonly meter = new Meter();
  readonly #job: Job;
  readonly #stage: Stage;
  #transcript: Transcript = emptyTranscript;
  #unfolded: SessionUpdate[] = [];
  #isRunning = false;
  #isUnpricedTold = false;

  constructor(job: Job, stage: Stage) {
    this.#job = job;
    this.#stage = stage;
  }

  /** Folded when somebody looks: a long answer is many updates. */
  get transcript(): Transcript {
    if (this.#unfolded.length > 0) this.#transcript = foldTranscript(this.#transcript, this.#unfolded);
    this.#unfolded = [];
    return this.#transcript;
  }

  /** Nobody is here: what is not allowed by a rule is refused, and a refusal ends the run. */
  handlers(): ClientHandlers {
    const { rules, cwd, agent } = this.#job;
    const refuse = createPolicy({
      // Our own runtime has looked at the rules before it asks; but it reads commands part by part, and keeps files that
      // run code or hold keys for a person. Where somebody wrote the very words that it asks about, that is an answer.
      rules: agent === undefined ? rules.flatMap(toLiteralRule) : rules,
      cwd,
      onRefusal: (toolCall, rule) => {
        const call = toRefusedCall({ ...this.#known(toolCall.toolCallId), ...toolCall }, cwd);
        const isRuled = rules.some(({ name }) => name === `--allow ${toRule(call)}`);
        this.#stage.stop.end({
          type: "refused",
          refusal:
            rule === undefined
              ? { type: "permission-required", call, isRuled }
              : { type: "permission-denied", call, because: ruleReason(rule), rule: rule.name },
        });
      },
    });
    return {
      requestPermission: (request) => refuse(request),
      update: ({ update }) => {
        if (!this.#isRunning) this.#hearBefore(update);
      },
      extRequests: {
        "_agentao.cn/ask_user": (params) => {
          const question = fieldOf(params, "question");
          const refusal = { type: "interaction-required", question: String(question ?? "") } as const;
          this.#stage.stop.end({ type: "refused", refusal });
          return { outcome: "cancelled" };
        },
      },
    };
  }

  /** What is told of a session as it opens: what it has used, and what the person should know. Not its past. */
  #hearBefore(update: SessionUpdate): void {
    if (update.sessionUpdate === "usage_update") this.meter.add(update);
    if (update.sessionUpdate !== "notice") return;
    this.#unfolded.push(update);
    this.#stage.notice(update.title, update.severity);
  }

  #known(toolCallId: string): { readonly name?: string | undefined } {
    const item = this.transcript.items.find((one) => one.type === "tool-call" && one.toolCallId === toolCallId);
    return item?.type === "tool-call" ? { name: item.name } : {};
  }

  async run(front: Front): Promise<TurnEnd> {
    const { signal } = this.#stage.stop;
    this.#isRunning = true;
    const turn = front.client.prompt(front.sessionId, this.#prompt(front), { signal });
    const result = turn.result.then(toTurnEnd, (cause): TurnEnd => ({ type: "failed", cause }));
    const reading = this.#read(turn, front).then(
      () => result,
      () => result,
    );
    return Promise.race([reading, gaveUp(signal)]);
  }

  /** Another agent has no place for instructions of a run: they come before the prompt. */
  #prompt({ isOwn }: Front): string {
    const { prompt, instructions } = this.#job;
    return isOwn || instructions === undefined ? prompt : `${instructions}\n\n${prompt}`;
  }

  async #read(updates: AsyncIterable<SessionUpdate>, front: Front): Promise<void> {
    const { output } = this.#stage;
    this.#showProgress();
    for await (const update of updates) {
      this.#unfolded.push(update);
      this.meter.add(update);
      if (update.sessionUpdate === "notice") this.#notice(update);
      await output.update(update);
      if (update.sessionUpdate !== "agent_message_chunk") this.#showProgress();
      this.#checkLimits(update, front);
    }
    this.#tellUnpriced();
  }

  #notice({ title, severity }: { readonly title: string; readonly severity: string }): void {
    const { progress, notice } = this.#stage;
    progress.hold();
    notice(title, severity);
    progress.release();
  }

  /** A limit that cannot be kept is not passed over in silence. */
  #tellUnpriced(): void {
    const { maxCost } = this.#job;
    if (maxCost === undefined || this.meter.usage.cost !== undefined || this.#isUnpricedTold) return;
    this.#isUnpricedTold = true;
    const warning = { sessionUpdate: "notice", severity: "warning", title: UNPRICED } as const;
    this.#unfolded.push(warning);
    this.#notice(warning);
  }

  #showProgress(): void {
    const { steps, title, usage } = this.meter;
    this.#stage.progress.show({ step: steps, title, tokens: usage.tokens });
  }

  #checkLimits(update: SessionUpdate, { isOwn }: Front): void {
    const { maxCost, maxSteps } = this.#job;
    const { cost, tokens } = this.meter.usage;
    if (update.sessionUpdate === "usage_update" && tokens > 0) this.#tellUnpriced();
    if (maxCost !== undefined && cost !== undefined && cost > maxCost) {
      this.#stage.stop.end({ type: "too-expensive", maxCost, cost });
    }
    // Our own runtime counts its steps itself, before it takes one too many.
    if (!isOwn && maxSteps !== undefined && this.meter.steps > maxSteps) {
      this.#stage.stop.end({ type: "too-many-steps", maxSteps });
    }
    const hasFailed = update.sessionUpdate === "tool_call_update" && update.status === "failed";
    const refusal = isOwn && hasFailed ? findDenial(update, this.transcript, this.#job.cwd) : undefined;
    if (refusal !== undefined) this.#stage.stop.end({ type: "refused", refusal });
  }
}

/** Matches no text. */
const NOTHING = /(?!)/;

/** What a rule allows by its very words alone: whether something fits a pattern is for the runtime to say. */
function toLiteralRule(rule: PermissionRule): readonly PermissionRule[] {
  const { action, subject } = rule;
  const isLiteral = action === "allow" && (subject.type === "command" || subject.type === "path");
  return isLiteral ? [{ ...rule, subject: { ...subject, pattern: NOTHING } }] : [];
}

/** Some agents tell what the turn has used with its end; the protocol has not released the field. */
function toTurnEnd(response: PromptResponse): TurnEnd {
  const told = response as { usage?: TokenUsage | null; _meta?: { "_agentao.cn/usage"?: TokenUsage } | null };
  const usage = told.usage ?? told._meta?.["_agentao.cn/usage"];
  return { type: "answered", stopReason: response.stopReason, ...(usage && { usage }) };
}

function gaveUp(signal: AbortSignal): Promise<TurnEnd> {
  return new Promise((resolve) => {
    const wait = (): void => {
      const end = (): void => resolve({ type: "failed", cause: new Error("the agent does not stop") });
      setTimeout(end, CANCEL_MS).unref();
    };
    if (signal.aborted) wait();
    else signal.addEventListener("abort", wait, { once: true });
  });
}
