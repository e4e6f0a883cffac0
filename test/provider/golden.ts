// The second request of a turn with two calls, whole, as each provider gets it. Read by a person when they change.

import { expect } from "vitest";
import type { Protocol } from "../../packages/agent/src/provider/provider.ts";
import { LOOK_UP_SCHEMA } from "./connect-provider.ts";

/** What the turn in question says and asks for. */
export const PROMPT = "What are these?";

const SYSTEM = expect.stringMatching(/^You are agentao/);
/** Facts of the day stand behind what the person said. */
const SAID = expect.stringMatching(/^What are these\?\n\n<context>\nDate: 2026-01-02\n[\s\S]*<\/context>$/);
const LOOK_UP = { name: "look_up", description: "Looks a word up." };
const EPHEMERAL = { cache_control: { type: "ephemeral" } };

const chat = {
  model: "text",
  messages: [
    { role: "system", content: SYSTEM },
    { role: "user", content: SAID },
    {
      role: "assistant",
      content: "I look.",
      reasoning_content: "Hm.",
      tool_calls: [
        { id: "call_a", type: "function", function: { name: "look_up", arguments: '{"word":"one"}' } },
        { id: "call_b", type: "function", function: { name: "look_up", arguments: '{"word":"two"}' } },
      ],
    },
    { role: "tool", tool_call_id: "call_a", content: "one is a word" },
    { role: "tool", tool_call_id: "call_b", content: "two is a word" },
  ],
  tools: expect.arrayContaining([{ type: "function", function: { ...LOOK_UP, parameters: LOOK_UP_SCHEMA } }]),
  tool_choice: "auto",
  stream: true,
  stream_options: { include_usage: true },
};

const responses = {
  model: "gpt-5",
  input: [
    { role: "developer", content: SYSTEM },
    { role: "user", content: [{ type: "input_text", text: SAID }] },
    { type: "reasoning", id: "rs_0", encrypted_content: "seal", summary: [{ type: "summary_text", text: "Hm." }] },
    { role: "assistant", content: [{ type: "output_text", text: "I look." }] },
    { type: "function_call", call_id: "call_a", name: "look_up", arguments: '{"word":"one"}' },
    { type: "function_call", call_id: "call_b", name: "look_up", arguments: '{"word":"two"}' },
    { type: "function_call_output", call_id: "call_a", output: "one is a word" },
    { type: "function_call_output", call_id: "call_b", output: "two is a word" },
  ],
  store: false,
  include: ["reasoning.encrypted_content"],
  prompt_cache_key: "sess_1",
  reasoning: { summary: "auto" },
  tools: expect.arrayContaining([{ type: "function", ...LOOK_UP, parameters: LOOK_UP_SCHEMA }]),
  tool_choice: "auto",
  stream: true,
};

const messages = {
  model: "claude-sonnet-4-5",
  max_tokens: 32_000,
  system: [{ type: "text", text: SYSTEM, ...EPHEMERAL }],
  messages: [
    { role: "user", content: [{ type: "text", text: SAID, ...EPHEMERAL }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "seal" },
        { type: "text", text: "I look." },
        { type: "tool_use", id: "call_a", name: "look_up", input: { word: "one" } },
        { type: "tool_use", id: "call_b", name: "look_up", input: { word: "two" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "call_a", content: "one is a word" },
        { type: "tool_result", tool_use_id: "call_b", content: "two is a word", ...EPHEMERAL },
      ],
    },
  ],
  tools: expect.arrayContaining([
    { ...LOOK_UP, input_schema: LOOK_UP_SCHEMA, ...EPHEMERAL, eager_input_streaming: true },
  ]),
  tool_choice: { type: "auto" },
  stream: true,
};

const gemini = {
  generationConfig: { thinkingConfig: { includeThoughts: true } },
  systemInstruction: { parts: [{ text: SYSTEM }] },
  contents: [
    { role: "user", parts: [{ text: SAID }] },
    {
      role: "model",
      parts: [
        { text: "Hm.", thought: true },
        { text: "I look." },
        { functionCall: { id: "call_a", name: "look_up", args: { word: "one" } }, thoughtSignature: "sig" },
        { functionCall: { id: "call_b", name: "look_up", args: { word: "two" } } },
      ],
    },
    {
      role: "user",
      parts: [
        {
          functionResponse: {
            id: "call_a",
            name: "look_up",
            response: { name: "look_up", content: "one is a word" },
          },
        },
        {
          functionResponse: {
            id: "call_b",
            name: "look_up",
            response: { name: "look_up", content: "two is a word" },
          },
        },
      ],
    },
  ],
  tools: [{ functionDeclarations: expect.arrayContaining([{ ...LOOK_UP, parameters: LOOK_UP_SCHEMA }]) }],
  toolConfig: { functionCallingConfig: { mode: "AUTO" } },
};

export const goldens: Readonly<Record<Protocol, object>> = { chat, responses, messages, gemini };
