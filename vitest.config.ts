import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Tests that start processes or look at what this process holds open; each file gets a process of its own.
const ownProcess = ["packages/*/src/{node,machine}/**/*.test.ts"];
const unitInTest = ["test/layers.test.ts", "test/docs.test.ts", "test/requirements.test.ts"];

const source = (path: string) => fileURLToPath(new URL(`./packages/${path}`, import.meta.url));

// Longest name first: an alias also matches what only begins with it.
const alias = [
  { find: "@agentao/acp/agent", replacement: source("acp/src/agent.ts") },
  { find: "@agentao/acp/node", replacement: source("acp/src/node.ts") },
  { find: "@agentao/acp/unstable", replacement: source("acp/src/unstable.ts") },
  { find: "@agentao/agent/mcp", replacement: source("agent/src/mcp.ts") },
  { find: "@agentao/agent/program", replacement: source("agent/src/program.ts") },
  { find: "@agentao/agent/serve", replacement: source("agent/src/serve.ts") },
  { find: "@agentao/agent", replacement: source("agent/src/index.ts") },
  { find: /^@agentao\/acp$/, replacement: source("acp/src/index.ts") },
];

export default defineConfig({
  resolve: { alias },
  test: {
    reporters: [process.env.CI ? "default" : "dot", "./test/summary-reporter.ts"],
    testTimeout: 30_000,
    // Most of what takes long waits for processes: two at a time are worth it even on a small machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", ...unitInTest],
          exclude: ownProcess,
          pool: "threads",
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "process",
          include: ["test/**/*.test.ts", ...ownProcess],
          exclude: unitInTest,
          pool: "forks",
        },
      },
    ],
  },
});
