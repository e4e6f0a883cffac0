// Runs one job to its result: connects, opens the session, chooses model and mode, and has the turn run.

import { errorCodes, RpcError } from "@agentao/acp";
import type { Overlay } from "../command/acp-runtime.ts";
import { type Io, UsageError } from "../command/command.ts";
import { connectOther, connectOwn } from "../front/connect.ts";
import { type Front, NoSession } from "../front/front.ts";
import { toRuntimeRules } from "../front/runtime-rule.ts";
import { createStop, type Stop } from "./ending.ts";
import type { Job } from "./job.ts";
import { type RunResult, toResult } from "./result.ts";
import type { TurnEnd } from "./run-facts.ts";
import { type Stage, Turn } from "./turn.ts";

/** Throws `UsageError` where what was asked for cannot be had; everything else is a result. */
export async function runJob(job: Job, stage: Stage): Promise<RunResult> {
  const stop = createStop();
  const release = watchOutside(job, stage.io, stop);
  const turn = new Turn(job, stage, stop);
  let front: Front | undefined;
  let configOptions: Front["configOptions"] = [];
  let end: TurnEnd;
  try {
    front = await connect(job, stage, stop, turn);
    configOptions = front.configOptions;
    configOptions = await choose(front, job, stop.signal);
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
    model: modelOf(transcript.configOptions.length > 0 ? transcript.configOptions : configOptions, job),
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
  const { cwd, isCwdGiven, session, agent, lends } = job;
  const { signal } = stop;
  const options = {
    env: withBaseUrl(io.env, job.baseUrl),
    cwd,
    isCwdGiven,
    session,
    signal,
    handlers: turn.handlers(),
    lends,
  };
  if (agent !== undefined) return connectOther(agent, options);
  return connectOwn(options, toOverlay(job));
}

/** A deny is looked at before everything else, wherever it stands; an allow comes after the person's own rules. */
function toOverlay({ rules, cwd, instructions, maxSteps }: Job): Overlay {
  const ours = toRuntimeRules(rules, cwd);
  return {
    maxSteps,
    config: (config) => ({
      ...config,
      rules: [...(config.rules ?? []), ...ours],
      ...(instructions !== undefined && { instructions: async () => instructions }),
    }),
  };
}

function withBaseUrl(env: Io["env"], baseUrl: string | undefined): Io["env"] {
  if (baseUrl === undefined) return env;
  return { ...env, [`${(env.LLM_PROVIDER || "OPENAI").toUpperCase()}_BASE_URL`]: baseUrl };
}

/** Model and mode of the session, before anything is said in it. Answers the options as they are then. */
async function choose(
  { client, sessionId, configOptions, modeIds }: Front,
  job: Job,
  signal: AbortSignal,
): Promise<Front["configOptions"]> {
  let chosen = configOptions;
  if (job.model !== undefined) {
    const option = configOptions.find(({ id, category }) => category === "model" || id === "model");
    if (option === undefined) throw new UsageError("this agent has no models to choose from; leave --model out");
    const answer = await client.setConfigOption(sessionId, option.id, job.model, { signal });
    chosen = answer.configOptions;
  }
  if (job.mode !== undefined) {
    if (!modeIds.includes(job.mode)) {
      const known = modeIds.length === 0 ? "this agent has none" : `choose from ${modeIds.join(", ")}`;
      throw new UsageError(`there is no mode "${job.mode}"; ${known}`);
    }
    await client.setMode(sessionId, job.mode, { signal });
  }
  return chosen;
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
