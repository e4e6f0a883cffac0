// Which content a prompt may hold: text and links always, the rest only as far as the agent advertised it.

import { RpcError } from "../error/rpc-error.ts";
import type { ContentBlock, PromptCapabilities } from "../v1/generated/type.ts";

/** Throws the error to answer with when a block was not advertised. */
export function checkPrompt(prompt: readonly ContentBlock[], capabilities: PromptCapabilities | undefined): void {
  for (const [position, block] of prompt.entries()) {
    const needed = neededCapability(block);
    if (needed === undefined || capabilities?.[needed] === true) continue;
    throw RpcError.invalidParams(
      `Invalid params: /prompt/${position}: this agent did not advertise promptCapabilities.${needed}`,
    );
  }
}

function neededCapability(block: ContentBlock): "image" | "audio" | "embeddedContext" | undefined {
  switch (block.type) {
    case "text":
    case "resource_link":
      return undefined;
    case "image":
    case "audio":
      return block.type;
    case "resource":
      return "embeddedContext";
    default:
      throw RpcError.invalidParams("Invalid params: /prompt: a content block of a type this agent does not know");
  }
}
