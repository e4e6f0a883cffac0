// What a client can choose in a session: mode, model, how much thought, whether prompts queue.

import type { SessionConfigOption, SessionModeState } from "@agentao/acp";
import type { ModelInfo } from "../model/model.ts";
import { modes } from "../permission/mode.ts";
import type { Session } from "../session/session.ts";
import { unknownModel } from "./unknown-model.ts";

export function toModeState(session: Session): SessionModeState {
  return {
    currentModeId: session.modeId,
    availableModes: modes.map(({ id, name, description }) => ({ id, name, description })),
  };
}

export function toConfigOptions(session: Session, { booleans }: { readonly booleans: boolean }): SessionConfigOption[] {
  const { model, models, modeId, thoughtLevel, queues } = session;
  const { thoughtLevels } = model.info;
  const options: SessionConfigOption[] = [
    {
      id: "mode",
      name: "Mode",
      description: "What agentao may do without asking",
      category: "mode",
      type: "select",
      currentValue: modeId,
      options: modes.map(({ id, name, description }) => ({ value: id, name, description })),
    },
    {
      id: "model",
      name: "Model",
      category: "model",
      type: "select",
      currentValue: model.info.id,
      options: withCurrent(models, model.info).map(({ id, name }) => ({ value: id, name })),
    },
  ];
  if (thoughtLevels.length > 0) {
    options.push({
      id: "thought_level",
      name: "Thought level",
      category: "thought_level",
      type: "select",
      currentValue: thoughtLevel ?? model.info.defaultThoughtLevel ?? thoughtLevels[0] ?? "",
      options: thoughtLevels.map((level) => ({ value: level, name: level })),
    });
  }
  if (booleans) {
    options.push({
      id: "queue_prompts",
      name: "Queue prompts",
      description: "A prompt sent while another runs waits for its turn instead of being refused",
      type: "boolean",
      currentValue: queues,
    });
  }
  return options;
}

/** Sets one option; a string says why that is not possible. */
export function setConfigOption(session: Session, configId: string, value: string | boolean): string | undefined {
  switch (configId) {
    case "mode":
      return typeof value === "string" && session.setMode(value) ? undefined : `there is no mode "${value}"`;
    case "model":
      return typeof value === "string" && session.setModel(value) ? undefined : unknownModel(String(value));
    case "thought_level":
      return typeof value === "string" && session.setThoughtLevel(value)
        ? undefined
        : `${session.model.info.id} has no thought level "${value}"`;
    case "queue_prompts":
      if (typeof value !== "boolean") return "queue_prompts is true or false";
      session.setQueues(value);
      return undefined;
    default:
      return `there is no option "${configId}"; choose from mode, model, thought_level, queue_prompts`;
  }
}

function withCurrent(models: readonly ModelInfo[], current: ModelInfo): readonly ModelInfo[] {
  return models.some(({ id }) => id === current.id) ? models : [current, ...models];
}
