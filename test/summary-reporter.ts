// Ends a test run with one plain line that scripts can read: "tests: 12 passed, 0 failed, 1 skipped".

import type { Reporter, TestModule } from "vitest/node";

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) counts.failed++;
      for (const test of module.children.allTests()) counts[test.result().state]++;
    }
    const skipped = counts.skipped + counts.pending;
    process.stdout.write(`tests: ${counts.passed} passed, ${counts.failed} failed, ${skipped} skipped\n`);
  }
}
