// Runs one job to its result: connects, opens the session, prompts, and follows the turn to its end or to ours.

import {
  type ClientHandlers,
  emptyTranscript,
  errorCodes,
  foldTranscript,
  type PromptResponse,
  RpcError,
  type SessionUpdate,
  type Transcript,
} from "@agentao/acp";
import { type Io, UsageError } from "../command/command.ts";
import { connectOther, connectOwn } from "../front/connect.ts";
import { type Front, NoSession } from "../front/front.ts";
import { createPolicy } from "../front/permission-policy.ts";
import type { ProgressLine } from "../front/progress-line.ts";
import { toRuntimeRules } from "../front/runtime-rule.ts";
import { findDenial } from "./denial.ts";
import { createStop, type Stop } from "./ending.ts";
import type { Job } from "./job.ts";
import { Meter } from "./meter.ts";
import type { Output } from "./output.ts";
import { ruleReason, toRefusedCall } from "./refusal.ts";
import { type RunResult, type TokenUsage, type TurnEnd, toResult } from "./result.ts";

export interface Stage {
  readonly io: Io;
  readonly output: Output;
  readonly progress: ProgressLine;
  /** Tells the person something beside the answer. */
  notice(text: string): void;
}

/** An agent that was told to stop and does not is left behind after this. */
const CANCEL_MS = 3_000;

/** Throws `UsageError` where what was asked for cannot be had; everything else is a result. */
export async function runJob(job: Job, stage: Stage): Promise<RunResult> {
  const stop = createStop();
  const release = watchOutside(job, stage.io, stop);
  const turn = new Turn(job, stage, stop);
  let front: Front | undefined;
  let end: TurnEnd;
  try {
    front = await connect(job, stage, stop, turn);
    await choose(front, job, stop.signal);
    end = await turn.run(front);
  } catch (cause) {
    if (stop.ending === undefined) throwIfUsage(cause);
    end = { type: "failed", cause };
  } finally {
    release();
    stage.progress.close();
    await front?.close();
  }
  const { transcript, meter } = turn;
  return toResult({
    sessionId: front?.sessionId,
    cwd: front?.cwd ?? job.cwd,
    model: front && modelOf(transcript.configOptions.length > 0 ? transcript.configOptions : front.configOptions, job),
    transcript,
    usage: meter.usage,
    ending: stop.ending,
    end,
    maxSteps: job.maxSteps,
  });
}

/** The person, the clock, and whoever reads our output. */
function watchOutside({ timeoutMs }: Job, { signal, stdout }: Io, stop: Stop): () => void {
  const interrupt = (): void => stop.end({ type: "interrupted" });
  const timer =
    timeoutMs === undefined ? undefined : setTimeout(() => stop.end({ type: "too-long", timeoutMs }), timeoutMs);
  if (signal.aborted) interrupt();
  signal.addEventListener("abort", interrupt, { once: true });
  stdout.on("error", interrupt);
  return () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", interrupt);
  };
}

function connect(job: Job, { io }: Stage, stop: Stop, turn: Turn): Promise<Front> {
  const { cwd, isCwdGiven, session, agent, rules, instructions, maxSteps } = job;
  const { signal } = stop;
  const options = {
    env: withBaseUrl(io.env, job.baseUrl),
    cwd,
    isCwdGiven,
    session,
    signal,
    handlers: turn.handlers(),
  };
  if (agent !== undefined) return connectOther(agent, options);
  const ours = toRuntimeRules(rules, cwd);
  return connectOwn(options, {
    maxSteps,
    config: (config) => ({
      ...config,
      rules: [...(config.rules ?? []), ...ours],
      ...(instructions !== undefined && { instructions: async () => instructions }),
    }),
  });
}

function withBaseUrl(env: Io["env"], baseUrl: string | undefined): Io["env"] {
  if (baseUrl === undefined) return env;
  return { ...env, [`${(env.LLM_PROVIDER || "OPENAI").toUpperCase()}_BASE_URL`]: baseUrl };
}

/** Model and mode of the session, before anything is said in it. */
async function choose({ client, sessionId, configOptions, modeIds }: Front, job: Job, signal: AbortSignal) {
  if (job.model !== undefined) {
    const option = configOptions.find(({ id, category }) => category === "model" || id === "model");
    if (option === undefined) throw new UsageError("this agent has no models to choose from; leave --model out");
    await client.setConfigOption(sessionId, option.id, job.model, { signal });
  }
  if (job.mode !== undefined) {
    if (!modeIds.includes(job.mode)) {
      const known = modeIds.length === 0 ? "this agent has none" : `choose from ${modeIds.join(", ")}`;
      throw new UsageError(`there is no mode "${job.mode}"; ${known}`);
    }
    await client.setMode(sessionId, job.mode, { signal });
  }
}

function throwIfUsage(cause: unknown): void {
  if (cause instanceof UsageError) throw cause;
  if (cause instanceof NoSession) throw new UsageError(cause.message);
  if (cause instanceof RpcError && cause.code === errorCodes.invalidParams) {
    throw new UsageError(cause.message.replace(/^Invalid params: /, ""));
  }
}

function modelOf(options: Front["configOptions"], { model }: Job): string | undefined {
  const option = options.find(({ id, category }) => category === "model" || id === "model");
  return option === undefined ? undefined : typeof option.currentValue === "string" ? option.currentValue : model;
}

/** One prompt and what comes of it. */
class Turn {
  readonly meter = new Meter();
  readonly #job: Job;
  readonly #stage: Stage;
  readonly #stop: Stop;
  #transcript: Transcript = emptyTranscript;
  #unfolded: SessionUpdate[] = [];
  #isRunning = false;

  constructor(job: Job, stage: Stage, stop: Stop) {
    this.#job = job;
    this.#stage = stage;
    this.#stop = stop;
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
      // Our own runtime has looked at the rules before it asks.
      rules: agent === undefined ? [] : rules,
      cwd,
      onRefusal: (toolCall, rule) => {
        const call = toRefusedCall({ ...this.#known(toolCall.toolCallId), ...toolCall });
        this.#stop.end({
          type: "refused",
          refusal:
            rule === undefined
              ? { type: "permission-required", call }
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
          const { question } = (params ?? {}) as { question?: unknown };
          const refusal = { type: "interaction-required", question: String(question ?? "") } as const;
          this.#stop.end({ type: "refused", refusal });
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
    this.#stage.notice(update.title);
  }

  #known(toolCallId: string): { readonly name?: string | undefined } {
    const item = this.transcript.items.find((one) => one.type === "tool-call" && one.toolCallId === toolCallId);
    return item?.type === "tool-call" ? { name: item.name } : {};
  }

  async run(front: Front): Promise<TurnEnd> {
    const { signal } = this.#stop;
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
    const { output, progress } = this.#stage;
    this.#showProgress();
    for await (const update of updates) {
      this.#unfolded.push(update);
      this.meter.add(update);
      if (update.sessionUpdate === "notice") {
        progress.hold();
        this.#stage.notice(update.title);
        progress.release();
      }
      await output.update(update);
      if (update.sessionUpdate !== "agent_message_chunk") this.#showProgress();
      this.#checkLimits(update, front);
    }
  }

  #showProgress(): void {
    const { steps, title, usage } = this.meter;
    this.#stage.progress.show({ step: steps, title, tokens: usage.tokens });
  }

  #checkLimits(update: SessionUpdate, { isOwn }: Front): void {
    const { maxCost, maxSteps } = this.#job;
    const { cost } = this.meter.usage;
    if (maxCost !== undefined && cost !== undefined && cost > maxCost) {
      this.#stop.end({ type: "too-expensive", maxCost, cost });
    }
    // Our own runtime counts its steps itself, before it takes one too many.
    if (!isOwn && maxSteps !== undefined && this.meter.steps > maxSteps) {
      this.#stop.end({ type: "too-many-steps", maxSteps });
    }
    const hasFailed = update.sessionUpdate === "tool_call_update" && update.status === "failed";
    const refusal = isOwn && hasFailed ? findDenial(update, this.transcript) : undefined;
    if (refusal !== undefined) this.#stop.end({ type: "refused", refusal });
  }
}

/** Some agents tell what the turn has used with its end; the protocol has not released the field. */
function toTurnEnd(response: PromptResponse): TurnEnd {
  const { usage } = response as { usage?: TokenUsage | null };
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
