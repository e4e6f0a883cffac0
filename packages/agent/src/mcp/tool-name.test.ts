import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_NAME_CHARS, nameTools, serverSlugs } from "./tool-name.ts";

const name = (server: string, tool: string) =>
  nameTools([{ server, slug: serverSlugs([server])[0] as string, tool }])[0];

test.each([
  { server: "github", tool: "create_issue", want: "mcp_github_create_issue" },
  { server: "my server", tool: "a.b/c", want: "mcp_my_server_a_b_c" },
  { server: "größe", tool: "日本", want: "mcp_gr__e___" },
])("names $tool of $server", ({ server, tool, want }) => {
  expect(name(server, tool)).toBe(want);
});

test("cuts a name that is too long, and tells it from others that are cut", () => {
  const cut = name("x".repeat(40), "y".repeat(40));

  expect(cut).toHaveLength(MAX_NAME_CHARS);
  expect(cut?.slice(0, 56)).toBe(`mcp_${"x".repeat(40)}_${"y".repeat(10)}_`);
  expect(cut).not.toBe(name("x".repeat(40), "y".repeat(41)));
});

test("keeps two servers apart whose names look the same", () => {
  const [first, second] = serverSlugs(["my server", "my.server"]);

  expect(first).toBe("my_server");
  expect(second).toMatch(/^my_server_[0-9a-f]{4}$/);
});

test("gives the plain name to the first of those that look the same", () => {
  const named = [
    { server: "a", slug: "a", tool: "b_c" },
    { server: "a_b", slug: "a_b", tool: "c" },
    { server: "a", slug: "a", tool: "b.c" },
  ];

  const [first, second, third] = nameTools(named);

  expect(first).toBe("mcp_a_b_c");
  expect(second).toMatch(/^mcp_a_b_c_[0-9a-f]{8}$/);
  expect(third).toMatch(/^mcp_a_b_c_[0-9a-f]{8}$/);
  expect(second).not.toBe(third);
  expect(nameTools(named)).toEqual([first, second, third]);
});

test("names are always unique, and such as providers take", () => {
  const pair = fc.record({
    server: fc.constantFrom("a", "a_b", "a.b", "x".repeat(70)),
    tool: fc.string({ maxLength: 80 }),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(pair, { selector: ({ server, tool }) => `${server}\0${tool}`, maxLength: 30 }),
      (pairs) => {
        const servers = [...new Set(pairs.map(({ server }) => server))];
        const slugs = serverSlugs(servers);
        const names = nameTools(
          pairs.map(({ server, tool }) => ({ server, slug: slugs[servers.indexOf(server)] as string, tool })),
        );
        expect(new Set(names).size).toBe(pairs.length);
        for (const one of names) expect(one).toMatch(/^mcp_[A-Za-z0-9_-]{1,60}$/);
      },
    ),
  );
});
