// Runs one job to its result: connects, opens the session, chooses model and mode, and has the turn run.

import { errorCodes, RpcError } from "@agentao/acp";
import { connectOther, connectOwn } from "../front/connect.ts";
import { type Front, NoSession } from "../front/front.ts";
import { toRuntimeRules } from "../front/runtime-rule.ts";
import type { Io } from "../io/io.ts";
import { UsageError } from "../manual/usage-error.ts";
import type { Overlay } from "../runtime/create-program.ts";
import { toPlain } from "../text/plain.ts";
import type { Job } from "./job.ts";
import { type RunResult, toResult } from "./result.ts";
import type { TurnEnd } from "./run-facts.ts";
import { type Stage, Turn } from "./turn.ts";

/** Throws `UsageError` where what was asked for cannot be had; everything else is a result. */
export async function runJob(job: Job, stage: Stage): Promise<RunResult> {
  const { stop } = stage;
  const turn = new Turn(job, stage);
  let front: Front | undefined;
  let configOptions: Front["configOptions"] = [];
  let end: TurnEnd;
  try {
    front = await connect(job, stage, turn);
    configOptions = front.configOptions;
    refuseStandIn(front, job, stage.io.env);
    configOptions = await choose(front, job, stop.signal);
    await stage.output.begin({ session_id: front.sessionId, cwd: front.cwd });
    end = await turn.run(front);
  } catch (cause) {
    if (stop.ending === undefined && cause instanceof NoSession) throw problem(cause.message);
    if (stop.ending === undefined && cause instanceof UsageError) throw cause;
    end = { type: "failed", cause };
  } finally {
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

function connect(job: Job, { io, stop }: Stage, turn: Turn): Promise<Front> {
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
async function choose(front: Front, { model, mode }: Job, signal: AbortSignal): Promise<Front["configOptions"]> {
  const chosen = model === undefined ? front.configOptions : await chooseModel(front, model, signal);
  if (mode === undefined) return chosen;
  const { client, sessionId, modeIds } = front;
  if (!modeIds.includes(mode)) {
    const known = modeIds.length === 0 ? "this agent has none" : `choose from ${modeIds.join(", ")}`;
    throw problem(`there is no mode "${mode}"; ${known}`);
  }
  await client.setMode(sessionId, mode, { signal });
  return chosen;
}

async function chooseModel({ client, sessionId, configOptions, isOwn }: Front, model: string, signal: AbortSignal) {
  const option = configOptions.find(isModel);
  if (option === undefined) throw problem("this agent has no models to choose from; leave --model out");
  try {
    return (await client.setConfigOption(sessionId, option.id, model, { signal })).configOptions;
  } catch (cause) {
    if (!(cause instanceof RpcError) || cause.code !== errorCodes.invalidParams) throw cause;
    const told = cause.message.replace(/^Invalid params: /, "");
    throw problem(isOwn ? `${told}; agentao models lists what can be chosen here` : told);
  }
}

const DEMO = "scripted/demo";

/** Whoever names a model in the environment of a script does not want the demo's answer for it. */
function refuseStandIn({ isOwn, configOptions }: Front, { model, session }: Job, env: Io["env"]): void {
  const variable = env.AGENTAO_MODEL ? "AGENTAO_MODEL" : "LLM_PROVIDER";
  const isWished = env[variable] && env[variable] !== DEMO;
  if (!isOwn || !isWished || model !== undefined || session.type !== "new") return;
  if (configOptions.find(isModel)?.currentValue !== DEMO) return;
  throw problem(`${variable} names "${env[variable]}", which cannot be had here; agentao doctor says why`);
}

function isModel({ id, category }: Front["configOptions"][number]): boolean {
  return category === "model" || id === "model";
}

/** One that no help says more about. */
function problem(message: string): UsageError {
  return new UsageError(toPlain(message), { isInHelp: false });
}

function modelOf(options: Front["configOptions"], { model }: Job): string | undefined {
  const option = options.find(isModel);
  return option === undefined ? undefined : typeof option.currentValue === "string" ? option.currentValue : model;
}
