// What a driven agent is answered when nobody is there to be asked. Every question gets an answer, and is remembered.

import {
  type ClientHandlers,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  RpcError,
} from "@agentao/acp";
import { fieldOf } from "../json/fields.ts";
import type { PolicyMode } from "./server-config.ts";

/** What was asked, for whoever reads why a turn did not do its work. */
export interface Interaction {
  readonly method: string;
  readonly about: string;
  readonly accepted: boolean;
}

export interface Policy {
  readonly handlers: ClientHandlers;
  /** Since the last call. */
  take(): readonly Interaction[];
  /** For the turns from now on. */
  setMode(mode: PolicyMode): void;
}

/** "There is nobody to ask", as agents of this family know it. */
const NOBODY = -32001;

export function createPolicy(first: PolicyMode): Policy {
  let mode = first;
  let interactions: Interaction[] = [];
  return {
    handlers: {
      requestPermission: (params) => {
        const response = choose(params, mode);
        const about = params.toolCall.title ?? params.toolCall.toolCallId;
        interactions.push({ method: "session/request_permission", about, accepted: isAllowed(params, response) });
        return response;
      },
      extRequests: {
        "_agentao.cn/ask_user": (params) => {
          const question = fieldOf(params, "question");
          const about = typeof question === "string" ? question : "a question";
          interactions.push({ method: "_agentao.cn/ask_user", about, accepted: false });
          throw new RpcError(NOBODY, "Nobody is there to be asked: this turn runs without a person");
        },
      },
    },
    take: () => {
      const taken = interactions;
      interactions = [];
      return taken;
    },
    setMode: (next) => {
      mode = next;
    },
  };
}

/** By kind and never by place: the first option is not always the harmless one. Once rather than always. */
export function choose({ options }: RequestPermissionRequest, mode: PolicyMode): RequestPermissionResponse {
  const kinds = mode === "accept_all" ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  for (const kind of kinds) {
    const option = options.find((one) => one.kind === kind);
    if (option !== undefined) return { outcome: { outcome: "selected", optionId: option.optionId } };
  }
  return { outcome: { outcome: "cancelled" } };
}

function isAllowed({ options }: RequestPermissionRequest, { outcome }: RequestPermissionResponse): boolean {
  if (outcome.outcome !== "selected" || !("optionId" in outcome)) return false;
  const { optionId } = outcome;
  return options.some((one) => one.optionId === optionId && one.kind.startsWith("allow"));
}
