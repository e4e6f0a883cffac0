// Commands that change what can be chosen in a session: the model, the mode.

import type { SessionConfigOption } from "@agentao/acp";
import type { Choice } from "../question/form-step.ts";
import { type CommandRoom, type Reply, tell, warn } from "./command.ts";

type Category = "model" | "mode";
type SelectOption = Extract<SessionConfigOption, { type: "select" }>;

/** A picker over one of the agent's options; with an argument, that value. */
export function chooseBy(category: Category) {
  return async (argument: string, room: CommandRoom): Promise<Reply> => {
    const option = findOption(room.conversation.configOptions, category);
    if (option === undefined) return warn(`This agent does not let its ${category} be chosen.`);
    const choices = flatChoices(option).map((choice) =>
      choice.id === option.currentValue ? { ...choice, detail: "(now)" } : choice,
    );
    const value = argument === "" ? await room.choose(option.name, choices) : argument;
    if (value !== undefined && value !== option.currentValue) await setOption(room, option.id, value);
    return undefined;
  };
}

export async function setOption(
  { client, conversation }: Pick<CommandRoom, "client" | "conversation">,
  id: string,
  value: string,
): Promise<void> {
  const { configOptions } = await client.setConfigOption(conversation.sessionId, id, value);
  conversation.setConfigOptions(configOptions);
}

export function findOption(options: readonly SessionConfigOption[], category: Category): SelectOption | undefined {
  const found = options.find((option) => option.category === category || option.id === category);
  return found?.type === "select" ? found : undefined;
}

export function flatChoices({ options }: SelectOption): Choice[] {
  return options
    .flatMap((one) => ("group" in one ? one.options : [one]))
    .map(({ value, name }) => ({ id: value, label: name }));
}

/** Plan mode on, and off again to the mode it came from. */
export function createPlanToggle() {
  const before = new Map<string, string>();
  return async (_: string, room: CommandRoom): Promise<Reply> => {
    const { conversation } = room;
    const option = findOption(conversation.configOptions, "mode");
    const ids = option === undefined ? [] : flatChoices(option).map(({ id }) => id);
    if (option === undefined || !ids.includes("plan")) return warn("This agent has no plan mode.");
    if (option.currentValue !== "plan") {
      before.set(conversation.sessionId, option.currentValue);
      await setOption(room, option.id, "plan");
      return tell("Plan mode is on: the agent looks and plans, and changes nothing. /plan ends it.");
    }
    const back = before.get(conversation.sessionId) ?? ids.find((id) => id !== "plan") ?? "plan";
    await setOption(room, option.id, back);
    return tell(`Plan mode is off; the mode is ${back}.`);
  };
}
