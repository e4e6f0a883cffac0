import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(`./packages/${path}`, import.meta.url));

// Longest name first: an alias also matches what only begins with it.
const alias = [
  { find: "@agentao/acp/node", replacement: source("acp/src/node.ts") },
  { find: "@agentao/acp/unstable", replacement: source("acp/src/unstable.ts") },
  { find: /^@agentao\/acp$/, replacement: source("acp/src/index.ts") },
];

export default defineConfig({
  resolve: { alias },
  test: {
    reporters: [process.env.CI ? "default" : "dot", "./test/summary-reporter.ts"],
    testTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "test/layers.test.ts", "test/docs.test.ts"],
          pool: "threads",
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "process",
          include: ["test/**/*.test.ts"],
          exclude: ["test/layers.test.ts", "test/docs.test.ts"],
          pool: "forks",
        },
      },
    ],
  },
});
