import { expect, test } from "vitest";
import { childEnv } from "./child-env.ts";

test("takes what every program needs, and what was configured", () => {
  const ours = { PATH: "/bin", HOME: "/me", XDG_CACHE_HOME: "/c", LC_ALL: "C", OPENAI_API_KEY: "k", EMPTY: undefined };

  expect(childEnv(ours, { TOKEN: "t", HOME: "/other" })).toEqual({
    PATH: "/bin",
    HOME: "/other",
    XDG_CACHE_HOME: "/c",
    LC_ALL: "C",
    TOKEN: "t",
  });
});
