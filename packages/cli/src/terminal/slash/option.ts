// What can be chosen in a session: the model, the mode. Agents say so as options or, older ones, as a list of modes; from
// here on there is no difference.

import { type AcpClient, errorCodes, RpcError, type SessionConfigOption } from "@agentao/acp";
import type { Conversation } from "../conversation.ts";
import type { Choice } from "../question/form-step.ts";
import { type CommandRoom, type Reply, tell, warn } from "./command.ts";

export type Category = "model" | "mode";

export interface Selectable {
  readonly name: string;
  readonly current: string | undefined;
  readonly choices: readonly Choice[];
  /** Rejects with what the agent says against it. */
  set(value: string): Promise<void>;
}

type OptionRoom = Pick<CommandRoom, "client" | "conversation">;

export function findSelectable({ client, conversation }: OptionRoom, category: Category): Selectable | undefined {
  const option = findOption(conversation.configOptions, category);
  if (option !== undefined) return fromOption(option, client, conversation);
  const { modeIds } = conversation;
  if (category !== "mode" || modeIds.length === 0) return undefined;
  return {
    name: "Mode",
    current: conversation.modeId,
    choices: modeIds.map((id) => ({ id, label: id })),
    set: async (value) => {
      await client.setMode(conversation.sessionId, value);
      conversation.hear(conversation.sessionId, { sessionUpdate: "current_mode_update", currentModeId: value });
    },
  };
}

/** A picker; with an argument, that value. */
export function chooseBy(category: Category) {
  return async (argument: string, room: CommandRoom): Promise<Reply> => {
    const found = findSelectable(room, category);
    if (found === undefined) return warn(`This agent does not let its ${category} be chosen.`);
    const choices = found.choices.map((one) => (one.id === found.current ? { ...one, detail: "(now)" } : one));
    if (argument !== "") return setByName(argument, category, found);
    const value = await room.choose(found.name, choices);
    if (value !== undefined && value !== found.current) await found.set(value);
    return undefined;
  };
}

/** Also what is not listed: agents know models by more than one name. */
async function setByName(value: string, category: Category, found: Selectable): Promise<Reply> {
  try {
    await found.set(value);
    return tell(`The ${category} is ${value}.`);
  } catch (cause) {
    if (!(cause instanceof RpcError) || cause.code !== errorCodes.invalidParams) throw cause;
    return warn(`There is no ${category} "${value}"; choose from ${found.choices.map(({ id }) => id).join(", ")}.`);
  }
}

/** Plan mode on, and off again to the mode it came from; with words, on for them. */
export async function togglePlan(argument: string, room: CommandRoom): Promise<Reply> {
  const modes = findSelectable(room, "mode");
  if (modes === undefined || !modes.choices.some(({ id }) => id === "plan"))
    return warn("This agent has no plan mode.");
  if (argument !== "") {
    if (modes.current !== "plan") await modes.set("plan");
    await room.prompt(argument);
    return undefined;
  }
  if (modes.current !== "plan") {
    await modes.set("plan");
    return tell("Plan mode is on: the agent looks and plans, and changes nothing. /plan ends it.");
  }
  const back = room.conversation.modeBeforePlan ?? modes.choices.find(({ id }) => id !== "plan")?.id ?? "plan";
  await modes.set(back);
  return tell(`Plan mode is off; the mode is ${back}.`);
}

type SelectOption = Extract<SessionConfigOption, { type: "select" }>;

export function findOption(options: readonly SessionConfigOption[], category: Category): SelectOption | undefined {
  const found = options.find((option) => option.category === category || option.id === category);
  return found?.type === "select" ? found : undefined;
}

function fromOption(option: SelectOption, client: AcpClient, conversation: Conversation): Selectable {
  const values = option.options.flatMap((one) => ("group" in one ? one.options : [one]));
  return {
    name: option.name,
    current: option.currentValue,
    choices: values.map(({ value, name }) => ({ id: value, label: name })),
    set: async (value) => {
      const { configOptions } = await client.setConfigOption(conversation.sessionId, option.id, value);
      conversation.setConfigOptions(configOptions);
    },
  };
}
