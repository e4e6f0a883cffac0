// Puts a session together, from what an embedder handed in and what belongs to its folder.

import type { Config } from "../config/config.ts";
import { toSandboxPolicy } from "../config/sandbox.ts";
import { type Fault, fault } from "../fault/fault.ts";
import type { Ids, SessionId } from "../id/id.ts";
import type { EntryBody } from "../journal/entry.ts";
import { History } from "../journal/fold.ts";
import type { Journal } from "../journal/journal.ts";
import { noMachine } from "../machine/no-machine.ts";
import type { SessionSandbox } from "../machine/sandbox-policy.ts";
import type { ServerConfig } from "../mcp/server.ts";
import type { Model, ModelCatalogue } from "../model/model.ts";
import { createGate } from "../permission/gate.ts";
import { RETRY_POLICY } from "../turn/back-off.ts";
import type { Door } from "./door.ts";
import { inChunks, type Opened } from "./opened.ts";
import type { Place, RuntimeOptions } from "./runtime-options.ts";
import { Session } from "./session.ts";

export interface SessionStart {
  readonly id: SessionId;
  readonly place: Place;
  readonly door: Door;
  /** Asked last, so that nothing is written about a session that cannot be. */
  openJournal(): Promise<
    { readonly type: "opened"; readonly journal: Journal } | { readonly type: "failed"; readonly fault: Fault }
  >;
  /** What happened in it before. */
  readonly entries: readonly EntryBody[];
}

export interface StartRoom {
  readonly options: RuntimeOptions;
  readonly catalogue: ModelCatalogue;
  readonly ids: Ids;
}

const MAX_STEPS = 100;
/** The share of the window that is used before older turns are summed up. */
const COMPACT_AT = 0.8;

export async function startSession(start: SessionStart, { options, catalogue: own, ids }: StartRoom): Promise<Opened> {
  const { id, door, entries } = start;
  const { cwd, additionalRoots = [], servers = [] } = start.place;
  const { now = Date.now, maxSteps = MAX_STEPS, retry = RETRY_POLICY, platform = "" } = options;
  const history = new History();
  for (const entry of entries) history.add(entry);
  const [config = { env: {} } as Config, configured] = await Promise.all([
    options.config?.(cwd, additionalRoots),
    options.servers?.(cwd),
  ]);
  const catalogue = config.catalogue ?? own;
  const model = modelOf([history.modelId, config.model, options.model], catalogue);
  if (model === undefined) return { type: "failed", fault: fault("auth", "There is no model to talk to.") };
  const roots = [cwd, ...additionalRoots];
  const sandbox = await sandboxFor(config, roots);
  const made = await start.openJournal();
  if (made.type !== "opened") return made;

  const local = options.machine?.(roots) ?? noMachine();
  const session = new Session({
    id,
    cwd,
    additionalRoots,
    env: config.env,
    platform,
    instructions: config.instructions,
    instructionFiles: config.instructionFiles,
    branch: config.branch,
    news: config.news ?? [],
    notices: [
      ...(options.notices ?? []),
      ...(config.notices ?? []),
      ...(configured?.notices ?? []),
      ...missed(history.modelId, model),
      ...unconfined(sandbox),
    ],
    journal: made.journal,
    history,
    door,
    machine: door.machine?.(local) ?? local,
    ...(sandbox && { sandbox }),
    ...(config.search && { search: config.search }),
    gate: createGate({
      mode: history.modeId ?? config.mode,
      rules: config.rules,
      problems: config.problems,
      roots,
      ask: door.askPermission,
    }),
    servers: mergeServers(servers, configured?.servers ?? []),
    ...(options.signIn && { signIn: options.signIn }),
    log: options.log ?? (() => {}),
    tools: options.tools ?? [],
    builtinTools: options.builtinTools ?? (options.machine === undefined ? [] : undefined),
    system: options.system,
    catalogue,
    model,
    ids,
    now,
    maxSteps,
    retry,
    compactAt: config.compactAt ?? COMPACT_AT,
  });
  return { type: "opened", session, replay: () => inChunks(entries) };
}

/** The first wish that can be had, else the first there is. */
function modelOf(wishes: readonly (string | undefined)[], catalogue: ModelCatalogue): Model | undefined {
  for (const wish of [...wishes, catalogue.list()[0]?.id]) {
    const found = wish === undefined ? undefined : catalogue.find(wish);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A session goes on with another model when its own cannot be had any more. */
function missed(wished: string | undefined, { info }: Model): string[] {
  if (wished === undefined || wished === info.id) return [];
  return [`This session's model ${wished} is not available here; it goes on with ${info.id}.`];
}

/** What commands are confined by; looked for only where somebody wants it. */
async function sandboxFor({ sandbox, env }: Config, roots: readonly string[]): Promise<SessionSandbox | undefined> {
  if (sandbox === undefined) return undefined;
  const { probeSandbox } = await import("../machine/sandbox-probe.ts");
  const probe = await probeSandbox();
  if (!probe.available) return { type: "unavailable", why: probe.why };
  return { type: "active", isAsked: sandbox.isAsked, policy: toSandboxPolicy(sandbox, roots, { home: env.HOME }) };
}

function unconfined(sandbox: SessionSandbox | undefined): string[] {
  if (sandbox?.type !== "unavailable") return [];
  return [
    `Commands are not sandboxed, though the settings ask for it: ${sandbox.why}. Each one is asked about as without a sandbox.`,
  ];
}

/** What the client brings counts more than what is configured. */
function mergeServers(own: readonly ServerConfig[], others: readonly ServerConfig[]): ServerConfig[] {
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...others.filter(({ name }) => !names.has(name))];
}
