// What happens in the golden screens: the files of a small project, and what the scripted model does with them.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TmuxTerminal } from "./tmux.ts";

/** Beside the project, so that no tool finds it. */
export const STORY_MODEL = "scripted/../story.json";

export function stageStory({ cwd }: TmuxTerminal): void {
  mkdirSync(join(cwd, "src"), { recursive: true });
  writeFileSync(join(cwd, "src", "price.ts"), PRICE);
  writeFileSync(join(cwd, "..", "story.json"), JSON.stringify({ chunk: "whole", replies: REPLIES }));
}

const PRICE = `// What an order costs.

export function price(net: number): number {
  const tax = net * 0.16;
  return net + tax;
}
`;

const USAGE = { usage: { inputTokens: 24_000, outputTokens: 310, cost: 0.0125 } };

const TOUR = `## What I found

The tax is **old**, and \`price\` has *no* test. See [the table](https://example.org/tax).

- the rate stands in the code
- names are 日本語 in places 🎉
  - as agreed

1. change it
2. test it

| country | rate | 税 |
|---|--:|---|
| Germany | 19 % | 標準 |
| Japan 🗾 | 10 % | 軽減 |

\`\`\`ts
const tax = net * 0.19; // 税率
\`\`\`

> Rates change; code should not.
`;

const PLAN = [
  { content: "Find where the tax is", status: "completed" },
  { content: "Change it, 税率 too", status: "in_progress" },
  { content: "Test it" },
];

const REPLIES = [
  {
    when: { lastUserText: "raise the tax" },
    steps: [
      { reasoning: "The rate must be somewhere in src.\nI look for it first, then I change it. 消費税 is the word." },
      { text: "I look for the rate." },
      { call: { name: "todo_write", input: { todos: PLAN } } },
      { call: { name: "search_file_content", input: { pattern: "0.16" } } },
      {
        call: {
          name: "replace",
          input: { file_path: "src/price.ts", old_string: "net * 0.16;", new_string: "net * 0.19; // 税率 🎉" },
        },
      },
      { call: { name: "read_file", input: { file_path: "src/missing.ts" } } },
      USAGE,
    ],
  },
  { when: { lastUserText: "raise the tax", lastResult: "" }, steps: [{ text: TOUR }, USAGE] },
  {
    when: { lastUserText: "publish" },
    steps: [
      { text: "I publish it." },
      { call: { name: "run_shell_command", input: { command: "npm test && npm publish" } } },
      USAGE,
    ],
  },
  { when: { lastUserText: "publish", lastResult: "" }, steps: [{ text: "Then I leave it." }, USAGE] },
  {
    when: { lastUserText: "fail" },
    steps: [{ text: "I try." }, { fault: { kind: "auth", message: "The key was not accepted (401)." } }],
  },
  { when: { lastUserText: "wait" }, steps: [{ reasoning: "This takes long." }, { stall: true }] },
];
