import { describe, expect, test } from "vitest";
import { bubblewrapArguments } from "./bubblewrap.ts";
import type { SandboxPlaces } from "./sandbox-place.ts";
import { troubleOf } from "./sandbox-trouble.ts";
import { seatbeltProfile } from "./seatbelt.ts";

const places: SandboxPlaces = {
  cwd: "/p/sub",
  network: false,
  readable: ["/p"],
  writable: ["/p", "/c"],
  pinned: ["/p/.git"],
  guarded: ["/p/.git/hooks"],
  hidden: [
    { path: "/h/.ssh", type: "folder" },
    { path: "/h/.netrc", type: "file" },
  ],
  visible: ["/h/.agentao/skills"],
  temporary: "/s/own/tmp",
  emptyFile: "/s/own/empty",
  spill: "/s",
};

const MOUNTS = /--(?:ro-bind|bind|tmpfs|dev|proc|ro-bind-try) \S+(?: \/\S*)?/g;

describe("bubblewrap", () => {
  test("mounts in an order in which what is stricter lies on top", () => {
    expect(bubblewrapArguments(places, { isRoot: false }).join(" ").match(MOUNTS)).toEqual([
      "--ro-bind / /",
      "--dev /dev",
      "--proc /proc",
      "--ro-bind-try /proc/sys /proc/sys",
      "--ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger",
      "--tmpfs /run",
      "--ro-bind-try /run/current-system /run/current-system",
      "--ro-bind-try /run/systemd/resolve /run/systemd/resolve",
      "--bind /s/own/tmp /tmp",
      "--ro-bind /s /s",
      "--ro-bind /p /p",
      "--bind /p /p",
      "--bind /c /c",
      "--bind /p/.git /p/.git",
      "--ro-bind /p/.git/hooks /p/.git/hooks",
      "--tmpfs /h/.ssh",
      "--ro-bind /s/own/empty /h/.netrc",
      "--ro-bind /h/.agentao/skills /h/.agentao/skills",
    ]);
  });

  test("hides what is around a root before it shows the root", () => {
    const inside = { ...places, writable: ["/h/.ssh/p"], hidden: [{ path: "/h/.ssh", type: "folder" as const }] };
    const words = bubblewrapArguments(inside, { isRoot: false }).join(" ");

    expect(words.indexOf("--tmpfs /h/.ssh")).toBeLessThan(words.indexOf("--bind /h/.ssh/p"));
  });

  test.each([
    { name: "no network", change: {}, isRoot: false, has: ["--unshare-net"], lacks: ["--cap-drop"] },
    { name: "the network", change: { network: true }, isRoot: false, has: ["--unshare-pid"], lacks: ["--unshare-net"] },
    {
      name: "less power for root",
      change: {},
      isRoot: true,
      has: ["--cap-drop ALL"],
      lacks: ["SYS_ADMIN", "READ_SEARCH"],
    },
    {
      name: "everything",
      change: { writable: ["/"] },
      isRoot: false,
      has: ["--bind / / --dev"],
      lacks: ["--ro-bind / /"],
    },
  ])("gives $name", ({ change, isRoot, has, lacks }) => {
    const words = bubblewrapArguments({ ...places, ...change }, { isRoot }).join(" ");

    for (const part of ["--die-with-parent", "--new-session", "--chdir /p/sub", ...has]) expect(words).toContain(part);
    for (const part of lacks) expect(words).not.toContain(part);
  });
});

test("the profile of macOS says the same, the later rule on top", () => {
  expect(seatbeltProfile({ ...places, writable: ['/p "q"'] }).split("\n")).toEqual([
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    '(allow file-write* (regex #"^/dev/(null|zero|tty|stdout|stderr|dtracehelper|fd/[0-9]+)$"))',
    '(allow file-write* (subpath "/p \\"q\\"") (subpath "/s/own/tmp"))',
    '(deny file-write* (subpath "/p/.git/hooks"))',
    '(deny file-write-unlink (literal "/p/.git"))',
    '(deny file-read* file-write* (subpath "/h/.ssh") (subpath "/h/.netrc"))',
    '(allow file-read* (subpath "/h/.agentao/skills"))',
    "(deny network*)",
  ]);
  const open = seatbeltProfile({ ...places, guarded: [], hidden: [], visible: [], network: true });
  expect(open).not.toContain("network");
  // Rules without a place would be about every one.
  expect(open.match(/\*\)$/gm)).toEqual(["*)"]);
});

test.each([
  { output: "touch: cannot touch '/x': Read-only file system", trouble: "files" },
  { output: "Error: EROFS: read-only file system, open '/x'", trouble: "files" },
  { output: "bash: /etc/x: Permission denied", trouble: "files" },
  { output: "error: could not write config file .git/config: Device or resource busy", trouble: "files" },
  { output: "bwrap: Can't mount proc", trouble: "files" },
  { output: "curl: (6) Could not resolve host: example.org", trouble: "network" },
  { output: "npm error code EAI_AGAIN", trouble: "network" },
  { output: "connect: Network is unreachable", trouble: "network" },
  { output: "curl: (7) Failed to connect to localhost port 3000", trouble: "network" },
  { output: "1 test failed", trouble: undefined },
  { output: `Permission denied\n${"x".repeat(5000)}`, trouble: undefined },
])("trouble is guessed from what is said last: $output", ({ output, trouble }) => {
  const failed = { output, exitCode: 1, signal: null, ended: "by-itself" } as const;

  expect(troubleOf(failed)).toBe(trouble);
  expect(troubleOf({ ...failed, exitCode: 0 })).toBeUndefined();
  expect(troubleOf({ ...failed, ended: "aborted" })).toBeUndefined();
});
