// What happens in the pictures: a small shop, what a person asks for, and what the scripted model does about it.

export const PROMPT = "Orders from 50 € ship free, but ours still pay at 50. Fix it, and test before every commit.";

export const BRANCH = "free-shipping";

/** By path in the project. */
export const FILES: Readonly<Record<string, string>> = {
  ".git/HEAD": `ref: refs/heads/${BRANCH}\n`,
  "src/shipping.ts": `// What it costs to send an order.

const FREE_FROM = 50;

export function shipping(total: number): number {
  return total > FREE_FROM ? 0 : 4.9;
}
`,
  ".husky/pre-commit": `# What has to hold before a commit.
npm run lint
npm run types
`,
};

const ANSWER = `## Orders of exactly 50 € ship free now

| total | before | now |
|---|---|---|
| 49.99 € | 4.90 € | 4.90 € |
| **50.00 €** | 4.90 € | **free** |

- \`shipping()\` left out the limit itself: \`>\` is \`>=\` now
- the tests run before every commit, after linter and types

There is **no test** for the limit yet. Shall I write one?`;

/** One reply per request. */
export const REPLIES = [
  [
    { reasoning: "The limit itself is probably left out: a comparison to look for." },
    { text: "I look for where shipping is priced." },
    plan("in_progress", "pending", "pending"),
    { call: { name: "search_file_content", input: { pattern: "FREE_FROM", directory: "src" } } },
    usage(21_400, 0.011),
  ],
  [
    { text: "The comparison leaves out the limit itself. I fix that, then the hook." },
    replace("src/shipping.ts", "total > FREE_FROM", "total >= FREE_FROM"),
    replace(".husky/pre-commit", "npm run types\n", "npm run types && npm test\n"),
    usage(22_100, 0.012),
  ],
  [plan("completed", "completed", "pending"), usage(22_600, 0.004)],
  [{ text: ANSWER }, usage(23_000, 0.009)],
];

function plan(...statuses: readonly string[]): object {
  const tasks = ["Find where shipping is priced", "Fix the limit, and test before every commit", "Test the limit"];
  const todos = tasks.map((content, at) => ({ content, status: statuses[at] }));
  return { call: { name: "todo_write", input: { todos } } };
}

function replace(file_path: string, old_string: string, new_string: string): object {
  return { call: { name: "replace", input: { file_path, old_string, new_string } } };
}

function usage(inputTokens: number, cost: number): object {
  return { usage: { inputTokens, outputTokens: 240, cost } };
}
