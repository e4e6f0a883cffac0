// A client in memory, in front of the whole agent with a scripted model in a temporary folder. Everything a scenario
// needs, and nothing else of the machine it runs on.

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type ContentBlock,
  emptyTranscript,
  foldTranscript,
  memoryPair,
  type SessionUpdate,
  type StopReason,
  type Transcript,
} from "@agentao/acp";
import { AcpClient, type V1Unstable } from "@agentao/acp/unstable";
import {
  type CallId,
  createCatalogue,
  createRuntime,
  type Ids,
  localMachine,
  type MessageId,
  memoryStore,
  type Runtime,
  type RuntimeOptions,
  type ServeOptions,
  type SessionId,
  type Store,
  scriptedModel,
  serveAcp,
  type TurnId,
} from "@agentao/agent";
import type { Script } from "../../packages/agent/src/model/script.ts";
import type { ScriptedModel, ScriptedOptions } from "../../packages/agent/src/model/scripted.ts";
import { textOf } from "./seen.ts";
import { type Passed, WireWatch } from "./wire-watch.ts";

type Handlers = NonNullable<ConstructorParameters<typeof AcpClient>[1]>;
type Options = NonNullable<ConstructorParameters<typeof AcpClient>[2]>;
type Permission = V1Unstable["clientRequests"]["requestPermission"]["params"];

export interface ScriptedSetup {
  readonly script?: Script | undefined;
  readonly scripted?: ScriptedOptions | undefined;
  /** Instead of a script: the first is the default. */
  readonly models?: readonly ScriptedModel[] | undefined;
  readonly handlers?: Handlers | undefined;
  readonly capabilities?: Options["capabilities"];
  /** How each permission question is answered, by option id; without it, questions are rejected. */
  readonly answer?: string | undefined;
  readonly store?: Store | undefined;
  readonly ids?: Ids | undefined;
  readonly runtime?: Partial<RuntimeOptions> | undefined;
  readonly serve?: Partial<ServeOptions> | undefined;
  /** False: the scenario shakes hands itself. */
  readonly initialize?: boolean | undefined;
}

export interface TurnSeen {
  readonly stopReason: StopReason;
  readonly updates: readonly SessionUpdate[];
  /** Folded from the updates. */
  readonly transcript: Transcript;
  readonly text: string;
}

export class Scripted implements AsyncDisposable {
  readonly client: AcpClient;
  readonly model: ScriptedModel;
  readonly runtime: Runtime;
  readonly store: Store;
  readonly cwd: string;
  /** Every update so far. */
  readonly heard: { readonly sessionId: string; readonly update: SessionUpdate }[] = [];
  /** Every permission question so far. */
  readonly asked: Permission[] = [];
  readonly #watch = new WireWatch(() => this.#look());
  readonly #base: string;
  readonly #signals: { resolve: () => void; test: () => boolean }[] = [];

  constructor(base: string, setup: ScriptedSetup) {
    this.#base = base;
    this.cwd = join(base, "work");
    const models = setup.models ?? [scriptedModel(setup.script ?? [], setup.scripted)];
    this.model = models[0] as ScriptedModel;
    this.store = setup.store ?? memoryStore({ now: () => NOON });
    this.runtime = createRuntime({
      store: this.store,
      catalogue: createCatalogue(models),
      machine: (roots) => localMachine({ roots, spillFolder: join(base, "spill") }),
      config: async () => ({ env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: base } }),
      ids: setup.ids ?? countingIds(),
      now: () => NOON,
      retry: { attempts: 1, baseMs: 1, maxMs: 1, budgetMs: 1 },
      ...setup.runtime,
    });
    const [ours, theirs] = memoryPair();
    serveAcp(this.runtime, this.#watch.around(theirs), { info: INFO, ...setup.serve });
    this.client = new AcpClient(ours, this.#handlers(setup), { capabilities: setup.capabilities });
  }

  /** Both directions of the wire, in order. */
  get wire(): readonly Passed[] {
    return this.#watch.passed;
  }

  /** Names of the requests and notifications that the agent sent, without updates. */
  get calls(): readonly string[] {
    return this.wire.flatMap(({ from, frame }) =>
      from === "agent" && "method" in frame && frame.method !== "session/update" ? [frame.method] : [],
    );
  }

  async open(params: { cwd?: string; additionalDirectories?: readonly string[] } = {}): Promise<string> {
    const { sessionId } = await this.client.newSession({ cwd: this.cwd, ...params });
    await this.until(() => this.heardOf(sessionId).some(({ sessionUpdate }) => sessionUpdate === "usage_update"));
    return sessionId;
  }

  async prompt(sessionId: string, prompt: string | readonly ContentBlock[]): Promise<TurnSeen> {
    const turn = this.client.prompt(sessionId, prompt);
    const updates: SessionUpdate[] = [];
    for await (const update of turn) updates.push(update as SessionUpdate);
    const { stopReason } = await turn.result;
    const transcript = foldTranscript(emptyTranscript, updates);
    return { stopReason, updates, transcript, text: textOf(updates) };
  }

  heardOf(sessionId: string): readonly SessionUpdate[] {
    return this.heard.filter((one) => one.sessionId === sessionId).map(({ update }) => update);
  }

  /** Resolves as soon as the condition holds; it is looked at whenever a frame has passed. */
  until(test: () => boolean): Promise<void> {
    if (test()) return Promise.resolve();
    return new Promise((resolve) => this.#signals.push({ resolve, test }));
  }

  /** Writes a file below the working directory, and answers its path. */
  async put(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.cwd, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  }

  get(name: string): Promise<string> {
    return readFile(join(this.cwd, name), "utf8");
  }

  /** A further folder beside the working directory. */
  async folder(name: string): Promise<string> {
    const path = join(this.#base, name);
    await mkdir(path, { recursive: true });
    return path;
  }

  /** Fails the scenario when the agent broke a promise of the wire on the way. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.runtime.close();
    await rm(this.#base, { recursive: true, force: true, maxRetries: 5 });
    const broken = this.#watch.finish();
    if (broken.length > 0) throw new Error(`broken on the wire:\n${broken.join("\n")}`);
  }

  #handlers({ handlers, answer }: ScriptedSetup): Handlers {
    const ask: Handlers["requestPermission"] =
      handlers?.requestPermission ?? (() => ({ outcome: { outcome: "selected", optionId: answer ?? "reject_once" } }));
    return {
      ...handlers,
      update: (params) => {
        this.heard.push(params as (typeof this.heard)[number]);
        this.#look();
        return handlers?.update?.(params);
      },
      requestPermission: (params, context) => {
        this.asked.push(params);
        this.#look();
        return ask(params, context);
      },
    };
  }

  #look(): void {
    for (const signal of this.#signals.filter(({ test }) => test())) {
      this.#signals.splice(this.#signals.indexOf(signal), 1);
      signal.resolve();
    }
  }
}

export const INFO = { name: "agentao", title: "Agentao", version: "0.0.0" };

/** The clock stands still. */
export const NOON = Date.UTC(2026, 0, 2, 12);

export async function connectScripted(setup: ScriptedSetup = {}): Promise<Scripted> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "agentao-scripted-")));
  await mkdir(join(base, "work"));
  const scripted = new Scripted(base, setup);
  if (setup.initialize !== false) await scripted.client.initialize();
  return scripted;
}

/** `sess_1`, `turn_1`, …; two agents on one store need two prefixes. */
export function countingIds(prefix = ""): Ids {
  const counts = { sess: 0, turn: 0, msg: 0, ours: 0 };
  const next = (name: keyof typeof counts): string => `${name}_${prefix}${++counts[name]}`;
  return {
    session: () => next("sess") as SessionId,
    turn: () => next("turn") as TurnId,
    message: () => next("msg") as MessageId,
    call: () => next("ours") as CallId,
  };
}
