// Edits: what is shown before and after, what is refused, and what is on the disk in the end.

import { link, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, type Step, text } from "../../packages/agent/src/model/script.ts";
import { connectScripted, type Scripted } from "./connect-scripted.ts";
import { only, resultsOf, toldOf } from "./seen.ts";

const HOOK = ".git/hooks/pre-commit";

const read = (file_path: string) => call("read_file", { file_path });
const write = (file_path: string, content: string) => call("write_file", { file_path, content });
const replace = (file_path: string, old_text: string, new_text: string) =>
  call("replace", { file_path, old_text, new_text });

/** A call whose input is known only when it is made. */
function later(name: string, input: () => object): Step {
  return {
    type: "call",
    name,
    get input() {
      return JSON.stringify(input());
    },
  };
}

/** The last result, with the working directory taken out. */
function told(scripted: Scripted): string {
  return toldOf(scripted).replaceAll(`${scripted.cwd}/`, "");
}

test("text that was copied inexactly is found, and the question, the call and the result show the same diff", async () => {
  const old = "#!/bin/sh\nif true; then\n\techo one\n\techo two\nfi\n";
  const fresh = "#!/bin/sh\nif true; then\n\techo 1\n\techo two\nfi\n";
  await using scripted = await connectScripted({
    script: [
      [read(HOOK)],
      [replace(HOOK, "if true; then\n    echo one\n    echo two", "if true; then\n    echo 1\n    echo two")],
      [text("ok")],
    ],
    answer: "allow_once",
  });
  const path = await scripted.put(HOOK, old);

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  const diff = { type: "diff", path, oldText: old, newText: fresh };
  expect(scripted.asked.map(({ toolCall }) => toolCall.content)).toEqual([[diff]]);
  expect(only(updates, "tool_call").at(-1)).toMatchObject({ title: `Edit ${HOOK}`, kind: "edit", content: [diff] });
  expect(only(updates, "tool_call_update").at(-1)).toMatchObject({
    status: "completed",
    content: [diff],
    locations: [{ path, line: 2 }],
  });
  expect(told(scripted)).toBe(`Replaced 1 occurrence(s) in ${HOOK} (flexible whitespace match)`);
  expect(await scripted.get(HOOK)).toBe(fresh);
});

test.each([
  ["replace", replace("a.txt", "two", "2"), "Read it again, then edit"],
  ["write_file", write("a.txt", "mine\n"), "Read it again, then write"],
])(
  "%s leaves a file alone that changed since it was read, and goes on once it was read again",
  async (_, edit, advice) => {
    await using scripted = await connectScripted({
      script: [[read("a.txt")], [text("ok")], [edit], [read("a.txt")], [edit], [text("ok")]],
    });
    await scripted.put("a.txt", "one\ntwo\n");
    const sessionId = await scripted.open();
    await scripted.prompt(sessionId, "read");
    await scripted.put("a.txt", "one\ntwo\nthree, by somebody else\n");

    const { updates } = await scripted.prompt(sessionId, "edit");

    const [refused] = resultsOf(scripted.model.asked[3])?.slice(-1) ?? [];
    expect(refused).toMatchObject({
      failed: true,
      parts: [
        { type: "text", text: `Error: ${join(scripted.cwd, "a.txt")} changed since it was last read. ${advice}` },
      ],
    });
    expect(
      only(updates, "tool_call_update").flatMap(({ status }) => (status === "in_progress" ? [] : [status])),
    ).toEqual(["failed", "completed", "completed"]);
    expect(await scripted.get("a.txt")).toMatch(/^one\n2\nthree, by somebody else\n$|^mine\n$/);
  },
);

test("replace leaves a file alone that changes while the person is asked", async () => {
  await using scripted = await connectScripted({
    script: [[read(HOOK)], [replace(HOOK, "one", "1")], [text("ok")]],
    handlers: {
      requestPermission: async () => {
        await scripted.put(HOOK, "one, by somebody else\n");
        return { outcome: { outcome: "selected", optionId: "allow_once" } };
      },
    },
  });
  await scripted.put(HOOK, "one\n");

  await scripted.prompt(await scripted.open(), "go");

  expect(told(scripted)).toBe(`Error: ${HOOK} changed since it was last read. Read it again, then edit`);
  expect(await scripted.get(HOOK)).toBe("one, by somebody else\n");
});

// Defect: what is done may differ from the diff the person allowed. A file the model never read whole has no fingerprint,
// so nobody notices that it changed between the question and the answer, and what came in between is lost.
test("write_file leaves a file alone that changes while the person is asked, also one nobody read", async () => {
  await using scripted = await connectScripted({
    script: [[write(HOOK, "mine\n")], [text("ok")]],
    handlers: {
      requestPermission: async () => {
        await scripted.put(HOOK, "by somebody else\n");
        return { outcome: { outcome: "selected", optionId: "allow_once" } };
      },
    },
  });
  await scripted.put(HOOK, "old\n");

  await scripted.prompt(await scripted.open(), "go");

  expect(await scripted.get(HOOK)).toBe("by somebody else\n");
});

test("several edits in one call see each other, and are one diff", async () => {
  const edits = [
    { old_text: "one", new_text: "eins" },
    { old_text: "eins\ntwo", new_text: "eins\nzwei" },
    { old_text: "x", new_text: "y", replace_all: true },
  ];
  await using scripted = await connectScripted({
    script: [[call("replace", { file_path: "a.txt", edits })], [text("ok")]],
  });
  const path = await scripted.put("a.txt", "one\ntwo\nx\nx\n");

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  expect(only(updates, "tool_call_update").at(-1)).toMatchObject({
    content: [{ type: "diff", path, oldText: "one\ntwo\nx\nx\n", newText: "eins\nzwei\ny\ny\n" }],
  });
  expect(told(scripted)).toBe("Replaced 4 occurrence(s) in a.txt");
  expect(await scripted.get("a.txt")).toBe("eins\nzwei\ny\ny\n");
});

test("of several edits, one that cannot be done means none is", async () => {
  const edits = [
    { old_text: "one", new_text: "1" },
    { old_text: "absent", new_text: "2" },
  ];
  await using scripted = await connectScripted({
    script: [[call("replace", { file_path: "a.txt", edits })], [text("ok")]],
  });
  await scripted.put("a.txt", "one\ntwo\n");

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  expect(told(scripted)).toBe(
    "Error: Edit 2 of 2: Old text not found in a.txt. Read the file again, and copy the text exactly.\nNothing was changed.",
  );
  expect(only(updates, "tool_call")[0]).not.toHaveProperty("content");
  expect(await scripted.get("a.txt")).toBe("one\ntwo\n");
});

test("a text that is there more than once is refused with its lines", async () => {
  await using scripted = await connectScripted({ script: [[replace("a.txt", "same", "other")], [text("ok")]] });
  await scripted.put("a.txt", "same one\nno\n  same two\n");

  await scripted.prompt(await scripted.open(), "go");

  expect(told(scripted)).toBe(
    [
      "Error: Old text found 2 times in a.txt:",
      "  line 1: same one",
      "  line 3: same two",
      "Add lines around it to old_text until it is unique, or set replace_all.",
    ].join("\n"),
  );
  expect(await scripted.get("a.txt")).toBe("same one\nno\n  same two\n");
});

const WAYS_OUT: readonly (readonly [name: string, path: (outside: string) => string])[] = [
  ["a path outside", (outside) => join(outside, "a.txt")],
  ["a path that goes up", () => "../outside/a.txt"],
  ["a new file outside", (outside) => join(outside, "new.txt")],
  ["a link to a file", () => "link.txt"],
  ["a link to a folder", () => "link/a.txt"],
  ["a link to what is not there yet", () => "dangling.txt"],
  ["the root of a process", (outside) => `/proc/self/root${outside}/a.txt`],
  ["a link to the root of a process", () => "process/outside/a.txt"],
];

test
  .skipIf(process.platform !== "linux")
  .each(
    WAYS_OUT.flatMap(([name, path]) =>
      (["workspace-write", "full-access"] as const).map((mode) => ({ name, path, mode })),
    ),
  )("nothing is written by $name, in $mode mode", async ({ path, mode }) => {
  let file_path = "";
  await using scripted = await connectScripted({
    script: [
      [later("write_file", () => ({ file_path, content: "new\n" }))],
      [later("replace", () => ({ file_path, old_text: "old", new_text: "new" }))],
      [text("ok")],
    ],
    answer: "allow_once",
  });
  const outside = await scripted.folder("outside");
  await writeFile(join(outside, "a.txt"), "old\n");
  await symlink(join(outside, "a.txt"), join(scripted.cwd, "link.txt"));
  await symlink(outside, join(scripted.cwd, "link"));
  await symlink(join(outside, "new.txt"), join(scripted.cwd, "dangling.txt"));
  await symlink(`/proc/self/root${join(scripted.cwd, "..")}`, join(scripted.cwd, "process"));
  file_path = path(outside);
  const sessionId = await scripted.open();
  await scripted.client.setMode(sessionId, mode);

  const { updates } = await scripted.prompt(sessionId, "go");

  expect(only(updates, "tool_call_update").filter(({ status }) => status !== "in_progress")).toMatchObject([
    { status: "failed" },
    { status: "failed" },
  ]);
  expect(JSON.stringify(updates)).not.toContain("old\\n");
  expect(resultsOf(scripted.model.asked[2])?.map(({ parts }) => parts[0])).toEqual([
    { type: "text", text: expect.stringMatching(/outside (the session's folders|project_root)/) },
    { type: "text", text: expect.stringMatching(/outside (the session's folders|project_root)/) },
  ]);
  expect(await readdir(outside)).toEqual(["a.txt"]);
  expect(await readFile(join(outside, "a.txt"), "utf8")).toBe("old\n");
});

test("a file that has a second name outside is replaced, and the other one stays as it was", async () => {
  await using scripted = await connectScripted({
    script: [[replace("hard.txt", "old", "new")], [write("hard2.txt", "new\n")], [text("ok")]],
  });
  const outside = await scripted.folder("outside");
  for (const name of ["hard.txt", "hard2.txt"]) {
    await writeFile(join(outside, name), "old\n");
    await link(join(outside, name), join(scripted.cwd, name));
  }

  await scripted.prompt(await scripted.open(), "go");

  for (const name of ["hard.txt", "hard2.txt"]) {
    expect([await scripted.get(name), await readFile(join(outside, name), "utf8")]).toEqual(["new\n", "old\n"]);
  }
});

test("byte order mark and line endings stay on the disk, whatever the model writes", async () => {
  await using scripted = await connectScripted({
    script: [
      [read("a.txt")],
      [replace("a.txt", "two\nthree", "2\n3")],
      [write("a.txt", "one\nnew\n")],
      [call("write_file", { file_path: "a.txt", content: "last\n", append: true })],
      [text("ok")],
    ],
  });
  await scripted.put("a.txt", "\uFEFFone\r\ntwo\r\nthree\r\n");
  const sessionId = await scripted.open();

  const { updates } = await scripted.prompt(sessionId, "go");

  expect(
    only(updates, "tool_call_update")
      .flatMap(({ content }) => content ?? [])
      .slice(1),
  ).toMatchObject([
    { newText: "\uFEFFone\r\n2\r\n3\r\n" },
    { newText: "\uFEFFone\r\nnew\r\n" },
    { newText: "\uFEFFone\r\nnew\r\nlast\r\n" },
  ]);
  expect(await readFile(join(scripted.cwd, "a.txt"))).toEqual(Buffer.from("\uFEFFone\r\nnew\r\nlast\r\n"));
});

test("a link is followed before anybody says yes: what it leads to decides", async () => {
  await using scripted = await connectScripted({
    script: [[write("docs/post-checkout", "#!/bin/sh\n"), write("notes/a.txt", "a\n")], [text("ok")]],
  });
  await scripted.put(HOOK, "#!/bin/sh\n");
  await scripted.put("real/b.txt", "b\n");
  await symlink(".git/hooks", join(scripted.cwd, "docs"));
  await symlink("real", join(scripted.cwd, "notes"));

  await scripted.prompt(await scripted.open(), "go");

  expect(scripted.asked.map(({ toolCall }) => toolCall.title)).toEqual(["Write docs/post-checkout"]);
  expect(scripted.asked[0]?.options.map(({ name }) => name)[1]).toBe(
    `Always allow writing \`${join(scripted.cwd, ".git/hooks/post-checkout")}\``,
  );
  expect(await readdir(join(scripted.cwd, ".git/hooks"))).toEqual(["pre-commit"]);
  expect(await scripted.get("real/a.txt")).toBe("a\n");
});

test("a link to credentials is not read without a question", async () => {
  await using scripted = await connectScripted({ script: [[read("notes.txt"), read("plain.txt")], [text("ok")]] });
  await scripted.put("place/.ssh/id_rsa", "a private thing\n");
  await scripted.put("place/b.txt", "b\n");
  await symlink("place/.ssh/id_rsa", join(scripted.cwd, "notes.txt"));
  await symlink("place/b.txt", join(scripted.cwd, "plain.txt"));

  await scripted.prompt(await scripted.open(), "go");

  expect(scripted.asked.map(({ toolCall }) => toolCall.title)).toEqual(["Read notes.txt"]);
  expect(JSON.stringify(scripted.model.asked)).not.toContain("a private thing");
});
