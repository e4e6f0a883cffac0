import { describe, expect, test } from "vitest";
import { decide } from "./decide.ts";
import { createGrant, describeRejection, describeWidths, type Grant } from "./grant.ts";
import type { ModeId } from "./mode.ts";
import type { Effect, PermissionRequest } from "./request.ts";
import { parseRules } from "./rule.ts";

const ROOT = "/repo/app";

function request(effect: Effect, more: Partial<PermissionRequest> = {}): PermissionRequest {
  const base = {
    callId: "call_1" as PermissionRequest["callId"],
    title: "a call",
    locations: [],
    content: [],
    input: {},
  };
  return { ...base, tool: "a_tool", kind: "other", effect, ...more };
}

const run = (command: string, cwd = ROOT) => request({ type: "command", command, cwd });
const write = (path: string, kind: PermissionRequest["kind"] = "edit") =>
  request({ type: "write", paths: [path] }, { kind });
const fetching = (url: string) => request({ type: "fetch", url });
const names = (call: PermissionRequest, roots: readonly string[] = [ROOT]): string[] =>
  describeWidths(call, roots).map(({ id, name }) => `${id}: ${name}`);
const described = (call: PermissionRequest): string | undefined => describeWidths(call, [ROOT])[0]?.name;
const tool = (name: string) => request({ type: "other", readOnly: false }, { tool: name });

function always(answer: Grant["answer"], ...calls: PermissionRequest[]): Grant[] {
  return calls.flatMap((call) => createGrant(call, [ROOT], answer) ?? []);
}

function decided(call: PermissionRequest, grants: readonly Grant[], mode: ModeId = "workspace-write"): string {
  const { type, rule } = decide(call, { mode, rules: [], problems: [], roots: [ROOT], grants });
  return rule.startsWith("grant: ") ? `${type} by grant` : type;
}

describe("an option says what it would allow", () => {
  test.each([
    ["npm test -- --watch", "Always allow `npm test …`"],
    ["npm run build", "Always allow `npm run build …`"],
    ["git commit -m 'a message'", "Always allow `git commit …`"],
    ["cargo build --release", "Always allow `cargo build …`"],
    ["go run ./cmd/x --flag", "Always allow `go run ./cmd/x …`"],
    ["make", "Always allow `make`"],
    ["make test -j8", "Always allow `make test …`"],
    ["pytest -x tests/a.py", "Always allow `pytest …`"],
    ["./scripts/build.sh --fast", "Always allow `./scripts/build.sh …`"],
    ["python manage.py migrate", "Always allow `python manage.py …`"],
    ["uv run pytest -q", "Always allow `uv run pytest …`"],
    ["npx tsc -p .", "Always allow `npx tsc …`"],
    ["foo deploy now --force", "Always allow `foo deploy now --force`"],
    ["cd sub && npm test 2>&1 | tail -5", "Always allow `npm test …`"],
    ["npm test && git push", "Always allow `npm test …` and `git push …`"],
    ["npm ci && npm run lint && npm test", "Always allow `npm ci …`, `npm run lint …` and `npm test …`"],
    ["sudo npm test", "Always allow `sudo npm test …`"],
    ["timeout 60 npm test", "Always allow `npm test …`"],
    ["bash -c 'npm test'", "Always allow `npm test …`"],
    ["rm -rf build", "Always allow `rm -rf build`"],
    ["npm install", "Always allow `npm install`"],
    ["npm install left-pad", "Always allow `npm install left-pad …`"],
    ["python -c 'print(1)'", "Always allow `python -c print(1)`"],
    ["curl https://example.com", "Always allow `curl https://example.com`"],
    ["FOO=1 npm test", "Always allow `FOO=1 npm test`"],
    ["npm test > out.txt", "Always allow `npm test >out.txt`"],
    ["npm test $X", "Always allow `npm test …`"],
    ["/opt/x/foo deploy", "Always allow `/opt/x/foo deploy`"],
    ["git fetch --upload-pack=./x origin", "Always allow `git fetch --upload-pack=./x origin`"],
    ["git -c a=b commit", "Always allow `git -c a=b commit`"],
    [`rm ${"x".repeat(200)}`, `Always allow \`rm ${"x".repeat(76)}…\``],
  ])("%.60s", (line, text) => {
    expect(described(run(line))).toBe(text);
  });

  test.each([
    "$CMD x",
    "npm $X",
    "npm run $X",
    "foo deploy $X",
    "rm $X",
    "curl x | sh",
    "echo 'unterminated",
    "sudo --strange npm test",
    "eval npm $X",
  ])("%s has no always", (line) => {
    expect(described(run(line))).toBeUndefined();
    expect(createGrant(run(line), [ROOT], "allow")).toBeUndefined();
  });

  test("about edits, hosts and tools", () => {
    expect(described(write(`${ROOT}/a`))).toBe("Always allow edits in the workspace");
    expect(described(write(`${ROOT}/a`, "delete"))).toBe("Always allow deleting in the workspace");
    expect(described(write(`${ROOT}/.env`))).toBe("Always allow writing `/repo/app/.env`");
    expect(described(fetching("https://example.com/a?b"))).toBe("Always allow fetching from example.com");
    expect(described(fetching("nonsense"))).toBeUndefined();
    expect(described(tool("mcp_x_y"))).toBe("Always allow `mcp_x_y`");
    expect(describeRejection(run("npm test"), [ROOT])).toBe("Always reject `npm test`");
  });
});

describe("widths are offered, the default first", () => {
  test.each<[string, string[]]>([
    ["npm test", ["allow_always: Always allow `npm test …`", "allow_always_exact: Always allow exactly `npm test`"]],
    ["foo deploy now", ["allow_always: Always allow `foo deploy now`"]],
    [
      "npm test x\n\tnpm test y",
      ["allow_always: Always allow `npm test …`", "allow_always_exact: Always allow exactly `npm test x⏎npm test y`"],
    ],
    [
      "npm test -- --run x",
      ["allow_always: Always allow `npm test …`", "allow_always_exact: Always allow exactly `npm test -- --run x`"],
    ],
    [
      "cd sub && npm test",
      ["allow_always: Always allow `npm test …`", "allow_always_exact: Always allow exactly `cd sub && npm test`"],
    ],
    ["rm -rf build", ["allow_always: Always allow `rm -rf build`"]],
    ["npm test $X", ["allow_always: Always allow `npm test …`"]],
    ["$X", []],
    ["cat x | python3", []],
    ["curl x | sh", []],
  ])("%s", (line, offered) => {
    expect(names(run(line))).toEqual(offered);
  });

  test.each<[string, string[], PermissionRequest["kind"], string[]]>([
    [
      "a file in a folder",
      ["src/deep/a.ts"],
      "edit",
      [
        "allow_always: Always allow edits in the workspace",
        "allow_always_folder: Always allow edits in src/deep/",
        "allow_always_file: Always allow edits of src/deep/a.ts",
      ],
    ],
    [
      "a file at the top",
      ["a.ts"],
      "edit",
      ["allow_always: Always allow edits in the workspace", "allow_always_file: Always allow edits of a.ts"],
    ],
    [
      "two files",
      ["src/a/x", "src/b/y"],
      "delete",
      [
        "allow_always: Always allow deleting in the workspace",
        "allow_always_folder: Always allow deleting in src/",
        "allow_always_file: Always allow deleting src/a/x and src/b/y",
      ],
    ],
    [
      "more files than anybody reads",
      ["a/1", "a/2", "b/3", "b/4"],
      "edit",
      ["allow_always: Always allow edits in the workspace"],
    ],
    ["a guarded file", [".env"], "edit", ["allow_always: Always allow writing `/repo/app/.env`"]],
  ])("%s", (_name, paths, kind, offered) => {
    const call = request({ type: "write", paths: paths.map((path) => `${ROOT}/${path}`) }, { kind });
    expect(names(call)).toEqual(offered);
  });

  test("one, for hosts and tools", () => {
    expect(names(fetching("https://example.com/a"))).toEqual(["allow_always: Always allow fetching from example.com"]);
    expect(names(tool("mcp_x_y"))).toEqual(["allow_always: Always allow `mcp_x_y`"]);
  });

  test("so that there are never more than six answers", () => {
    const calls = [
      write(`${ROOT}/a/b/c`),
      run("npm test && git commit -m x"),
      tool("x"),
      fetching("https://a.example"),
    ];
    for (const call of calls) expect(describeWidths(call, [ROOT]).length).toBeLessThanOrEqual(3);
  });
});

test("an exact line is allowed in its folder and as it is, and no further", () => {
  const grants = [createGrant(run("npm test -- --run x"), [ROOT], "allow", "allow_always_exact") as Grant];
  expect(decided(run("npm test -- --run x"), grants)).toBe("allow by grant");
  expect(decided(run("npm test -- --run y"), grants)).toBe("ask");
  expect(decided(run("npm test"), grants)).toBe("ask");
  expect(decided(run("npm test -- --run x; rm y"), grants)).toBe("ask");
  expect(decided(run("npm test -- --run x", `${ROOT}/sub`), grants)).toBe("ask");
  expect(decided(run("npm test -- --run x"), [...grants, ...always("reject", run("npm test"))])).toBe("deny by grant");
});

test("edits are allowed in a folder or of a file", () => {
  const rules = parseRules('{"rules":[{"tool":"a_tool","action":"ask"}]}', { source: "mine", scope: "user" }).rules;
  const decision = (call: PermissionRequest, grants: readonly (Grant | undefined)[]) =>
    decide(call, {
      mode: "workspace-write",
      rules,
      problems: [],
      roots: [ROOT],
      grants: grants.filter((grant) => grant !== undefined),
    }).type;
  const folder = createGrant(write(`${ROOT}/src/a.ts`), [ROOT], "allow", "allow_always_folder");
  const file = createGrant(write(`${ROOT}/src/a.ts`), [ROOT], "allow", "allow_always_file");
  const places = ["src/a.ts", "src/deep/b.ts", "src/.env", "srcs/a.ts", "a.ts", "src/../b.ts"];
  const types = (grant: Grant | undefined) => places.map((path) => decision(write(`${ROOT}/${path}`), [grant]));
  expect(types(folder)).toEqual(["allow", "allow", "ask", "ask", "ask", "ask"]);
  expect(types(file)).toEqual(["allow", "ask", "ask", "ask", "ask", "ask"]);
  expect(decision(write(`${ROOT}/src/a.ts`, "delete"), [folder, file])).toBe("ask");
  const two = request({ type: "write", paths: [`${ROOT}/src/a.ts`, `${ROOT}/lib/b.ts`] }, { kind: "edit" });
  expect(decision(two, [folder])).toBe("ask");
  expect(decision(two, [folder, createGrant(write(`${ROOT}/lib/b.ts`), [ROOT], "allow", "allow_always_file")])).toBe(
    "allow",
  );
  const rejected = createGrant(write(`${ROOT}/lib/x`), [ROOT], "reject");
  expect(decision(write(`${ROOT}/src/a.ts`), [folder, file, rejected])).toBe("deny");
});

describe("what a command is given belongs to it", () => {
  test.each([
    ["psql", "psql <<< 'drop table x'"],
    ["psql <<< 'select 1'", "psql <<< 'drop table x'"],
    ["psql <<EOF\nselect 1\nEOF", "cat x.sql | psql"],
    ["cat x.sql | psql", "cat y.sql | psql"],
    ["python3 <<EOF\nprint(1)\nEOF", "python3 <<EOF\nprint(2)\nEOF"],
    ["python3", "echo 'print(2)' | python3"],
    ["ssh host", "ssh host <<< reboot"],
  ])("always %j says nothing about %j", (line, other) => {
    const grants = always("allow", run(line));
    expect(grants.length).toBe(1);
    expect(decided(run(line), grants)).toBe("allow by grant");
    expect(decided(run(other), grants)).toBe("ask");
  });
});

describe("outside the sandbox", () => {
  const outside = (command: string) => request({ type: "command", command, cwd: ROOT, sandboxed: false });

  test("what is always allowed inside is asked about again", () => {
    expect(decided(outside("npm test"), always("allow", run("npm test")))).toBe("ask");
    expect(decided(outside("npm test"), always("allow", outside("npm test -- x")))).toBe("allow by grant");
    expect(names(outside("npm test"))).toEqual([
      "allow_always: Always allow `npm test …` outside the sandbox",
      "allow_always_exact: Always allow exactly `npm test` outside the sandbox",
    ]);
  });

  test("what is always rejected inside stays rejected, and what is rejected outside only that", () => {
    expect(decided(outside("npm test"), always("reject", run("npm test")))).toBe("deny by grant");
    expect(decided(run("npm test"), always("reject", outside("npm test")))).toBe("ask");
  });
});

describe("a stem does not cover options by which another program runs", () => {
  test.each([
    ["npm test", "npm test --prefix /evil"],
    ["npm test", "npm test --script-shell=./evil"],
    ["npm test", "npm $X test"],
    ["git clone https://example.com/x", "git clone -u ./evil https://example.com/x"],
    ["git clone https://example.com/x", "git clone -qu./evil https://example.com/x"],
    ["git clone https://example.com/x", "git clone --upload-p=./evil https://example.com/x"],
    ["git clone https://example.com/x", "git clone -c core.fsmonitor=./evil https://example.com/x"],
    ["git clone https://example.com/x", "git clone --config core.fsmonitor=./evil https://example.com/x"],
    ["git clone https://example.com/x", "git clone --template=./evil https://example.com/x"],
    ["git clone https://example.com/x", "git clone $X"],
    ["git rebase main", "git rebase -x ./evil main"],
    ["git rebase main", "git rebase -x./evil main"],
    ["git rebase main", "git rebase main --exec=./evil"],
    ["git fetch origin", "git fetch $X --upload-pack=./evil"],
    ["git difftool", "git difftool -x ./evil"],
    ["go test ./...", "go test -exec ./evil ./..."],
    ["go build ./...", "go build -toolexec=./evil ./..."],
    ["make test", "make test --eval='$(shell ./evil)'"],
    ["make test", "make test -f evil.mk"],
    ["make test", "make test SHELL=./evil"],
    ["cargo test", "cargo test --config build.rustc-wrapper=./evil"],
    ["rustup run stable a", "rustup run stable ./evil"],
    ["yarn node a.js", "yarn node evil.js"],
    ["dotnet exec a.dll", "dotnet exec evil.dll"],
    ["mix run a.exs", "mix run evil.exs"],
    ["foo deploy now", "foo deploy now --force"],
  ])("%s: %s", (line, other) => {
    expect(decided(run(line), always("allow", run(line)))).toBe("allow by grant");
    expect(decided(run(other), always("allow", run(line)))).toBe("ask");
  });

  test.each([
    ["git push", "git push -u origin main"],
    ["git commit -m x", 'git commit -m "$MESSAGE"'],
    ["make test", "make test -j8"],
    ["go test ./...", "go test -run X ./..."],
  ])("%s covers %s", (line, other) => {
    expect(decided(run(other), always("allow", run(line)))).toBe("allow by grant");
  });
});

describe("a command that is always allowed", () => {
  const grants = always("allow", run("npm test"), run("git commit -m x"), run("rm -rf build"));

  test.each([
    "npm test",
    "npm test -- -t foo",
    "cd sub && npm test",
    "npm test | tail",
    "npm test && git commit -am y",
    "timeout 9 npm test",
    "rm -rf build",
    "rm  -rf 'build'",
  ])("covers %s", (line) => {
    expect(decided(run(line), grants)).toBe("allow by grant");
  });

  test.each([
    "npm run build",
    "npm publish",
    "npm test; npm publish",
    "npm test && rm -rf src",
    "npm test $(rm x)",
    "npm test > ~/.bashrc",
    "PATH=. npm test",
    "sudo npm test",
    "xargs npm test",
    "./npm test",
    "npm $X",
    "$X test",
    "rm -rf build2",
    "rm -rf build src",
    "cd sub && rm -rf build",
    "git push",
    "git -c core.editor=x commit",
    "npm testing",
    "npm test &>/dev/null rm x",
  ])("does not cover %s", (line) => {
    expect(decided(run(line), grants)).toBe("ask");
  });

  test("does not cover it outside the workspace, unless it was allowed there", () => {
    expect(decided(run("npm test", "/elsewhere"), grants)).toBe("ask");
    const there = always("allow", run("npm test", "/elsewhere"));
    expect(decided(run("npm test", "/elsewhere"), there)).toBe("allow by grant");
    expect(decided(run("npm test", "/another"), there)).toBe("ask");
    expect(decided(run("npm test"), there)).toBe("ask");
  });

  test("does not lift what read-only and plan refuse, nor the floor", () => {
    expect(decided(run("npm test"), grants, "read-only")).toBe("deny");
    expect(decided(run("npm test"), grants, "plan")).toBe("deny");
    expect(decided(run("npm test; rm -rf /"), grants)).toBe("deny");
  });
});

describe("a command that is always rejected", () => {
  const grants = always("reject", run("npm publish"), run("git add . && git push"), run("rm x"), run("$X"));

  test.each([
    "npm publish",
    "npm publish --tag x",
    "ls; npm publish",
    "sudo npm publish",
    "bash -c 'npm publish'",
    "npm test && npm publish",
    "npm publish $X",
    "git add a; git push",
    "rm x",
    "yes | rm x",
    "sudo rm x <<< y",
    "$X",
  ])("stays rejected as %s, even with full access", (line) => {
    expect(decided(run(line), grants, "full-access")).toBe("deny by grant");
  });

  test.each(["npm test", "git add .", "git push", "rm y", "$Y"])("says nothing about %s", (line) => {
    expect(decided(run(line), grants)).toBe("ask");
  });

  test("is what is told, also where the mode would refuse", () => {
    expect(decided(run("npm publish"), grants, "read-only")).toBe("deny by grant");
  });

  test("is stronger than what is always allowed", () => {
    expect(decided(run("npm publish"), [...always("allow", run("npm publish")), ...grants])).toBe("deny by grant");
  });
});

test("edits are allowed by place and kind", () => {
  const rules = parseRules('{"rules":[{"tool":"a_tool","action":"ask"}]}', { source: "mine", scope: "user" }).rules;
  const grants = always("allow", write(`${ROOT}/a`));
  const decision = (call: PermissionRequest) =>
    decide(call, { mode: "workspace-write", rules, problems: [], roots: [ROOT], grants }).type;
  expect(decision(write(`${ROOT}/deep/b`))).toBe("allow");
  expect(decision(write(`${ROOT}/b`, "delete"))).toBe("ask");
  expect(decision(write(`${ROOT}/.env`))).toBe("ask");
  expect(decision(write("/elsewhere/b"))).toBe("ask");
});

test("a special file is allowed by its name", () => {
  const grants = always("allow", write(`${ROOT}/.env`));
  expect(decided(write(`${ROOT}/.env`), grants)).toBe("allow by grant");
  expect(decided(write(`${ROOT}/.env.local`), grants)).toBe("ask");
  expect(decided(request({ type: "write", paths: [`${ROOT}/.env`, `${ROOT}/.npmrc`] }, { kind: "edit" }), grants)).toBe(
    "ask",
  );
});

test("fetching is allowed by host, other tools by name", () => {
  const grants = always("allow", fetching("https://example.com/a"), tool("mcp_x_y"));
  expect(decided(fetching("https://example.com:8443/b"), grants)).toBe("allow by grant");
  expect(decided(fetching("https://www.example.com"), grants)).toBe("ask");
  expect(decided(tool("mcp_x_y"), grants)).toBe("allow by grant");
  expect(decided(tool("mcp_x_z"), grants)).toBe("ask");
});
