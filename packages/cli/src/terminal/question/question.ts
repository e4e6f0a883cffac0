// What the agent asks the person, waiting for an answer. One at a time is shown, in the order in which they came.

import type { ClientHandlers, RequestPermissionRequest, ToolCallItem } from "@agentao/acp";
import { type FormStep, type FormValue, parseAskUser, toAskSteps, toFormSteps } from "./form-step.ts";

export type Question =
  | {
      readonly type: "permission";
      readonly request: RequestPermissionRequest;
      /** Nothing means: cancelled. */
      settle(optionId: string | undefined): void;
    }
  | {
      readonly type: "form";
      readonly message: string;
      readonly steps: readonly FormStep[];
      /** Nothing means: declined. */
      settle(values: Readonly<Record<string, FormValue>> | undefined): void;
    };

/** Who asks. */
export interface Asker {
  /** How it is called, where there is more than one. */
  readonly mark?: string | undefined;
  /** What was told of a call before. */
  findCall(toolCallId: string): ToolCallItem | undefined;
}

export class Questions {
  readonly #waiting: Question[] = [];
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get first(): Question | undefined {
    return this.#waiting[0];
  }

  /** What a client does for its agent: the three ways of asking the person. */
  handlers({ mark: name, findCall }: Asker): ClientHandlers {
    const mark = name === undefined ? "" : `${name} `;
    return {
      requestPermission: async (asked, { signal }) => {
        const told = asked.toolCall;
        const title = told.title == null ? undefined : `${mark}${told.title}`;
        const toolCall = withKnown({ ...told, title }, findCall(told.toolCallId));
        const request = { ...asked, toolCall: { ...toolCall, title: toolCall.title ?? `${mark}${told.toolCallId}` } };
        const optionId = await this.#ask<string>(signal, (settle) => ({ type: "permission", request, settle }));
        if (optionId === undefined) return { outcome: { outcome: "cancelled" } };
        return { outcome: { outcome: "selected", optionId } };
      },
      createElicitation: async (request, { signal }) => {
        if (request.mode !== "form") return { action: "decline" };
        const form = request as Extract<typeof request, { mode: "form" }>;
        const content = await this.#askForm(signal, `${mark}${form.message}`, toFormSteps(form));
        return content === undefined ? { action: "decline" } : { action: "accept", content };
      },
      extRequests: {
        "_agentao.cn/ask_user": async (params, { signal }) => {
          const asked = parseAskUser(params);
          const values = await this.#askForm(signal, `${mark}${asked.question}`, toAskSteps(asked));
          if (values === undefined) return { outcome: "cancelled" };
          const text = [values.answer, values.other].flat().filter((part) => typeof part === "string" && part !== "");
          return { outcome: "answered", text: text.join(", ") };
        },
      },
    };
  }

  #askForm(signal: AbortSignal, message: string, steps: readonly FormStep[]) {
    return this.#ask<Record<string, FormValue>>(signal, (settle) => ({ type: "form", message, steps, settle }));
  }

  #ask<Answer>(
    signal: AbortSignal,
    toQuestion: (settle: (answer: Answer | undefined) => void) => Question,
  ): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      const settle = (answer: Answer | undefined): void => {
        signal.removeEventListener("abort", abort);
        const at = this.#waiting.indexOf(question);
        if (at >= 0) this.#waiting.splice(at, 1);
        resolve(answer);
        this.#onChange();
      };
      const abort = (): void => settle(undefined);
      const question = toQuestion(settle);
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.push(question);
      if (signal.aborted) abort();
      else this.#onChange();
    });
  }
}

type AskedCall = RequestPermissionRequest["toolCall"];

/** Some agents tell of a call first, and then ask by its id alone. */
function withKnown(asked: AskedCall, known: ToolCallItem | undefined): AskedCall {
  if (known === undefined) return asked;
  return {
    ...asked,
    title: asked.title ?? known.title,
    rawInput: asked.rawInput ?? known.rawInput,
    content: asked.content?.length ? asked.content : [...known.content],
  };
}
