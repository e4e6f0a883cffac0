import { expect, test } from "vitest";
import { unknownModel } from "./unknown-model.ts";

test.each([
  ["nothing", 'the model "nothing" is not known'],
  ["nowhere/x", 'the model "nowhere/x" is not known'],
  ["/x", 'the model "/x" is not known'],
  ["openai/gpt-x", 'the model "openai/gpt-x" needs a key of OpenAI: set OPENAI_API_KEY'],
  ["Anthropic/claude-x", 'the model "Anthropic/claude-x" needs a key of Anthropic: set ANTHROPIC_API_KEY'],
  ["ollama/llama", 'the model "ollama/llama" is not known'],
])("%s", (id, expected) => {
  expect(unknownModel(id)).toBe(expected);
});
