import { expect, test } from "vitest";
import { toTarget } from "./server-view.ts";

test.each<[unknown, string]>([
  [{ command: "npx", args: ["-p", "--token", "abc", "-k", "x"] }, "npx -p --token [redacted] -k x"],
  [{ url: "https://u:p@h.example/a/b?x=1" }, "https://h.example/a/b"],
  [{ url: "https://$HOST/mcp" }, "https://$HOST/mcp"],
  [{ command: 3 }, ""],
  [undefined, ""],
  [{ command: "sh", args: ["-c", "evil\rnpx nice"] }, "sh -c evil\\u{d}npx nice"],
])("the target of %j is %s", (entry, target) => {
  expect(toTarget(entry)).toBe(target);
});
