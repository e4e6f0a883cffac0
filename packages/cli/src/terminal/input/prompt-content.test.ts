import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { splitMentions, toPromptContent } from "./prompt-content.ts";

const PNG = Buffer.from([0x89, ...Buffer.from("PNG\r\n"), 1, 2, 3]);
let cwd = "";
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "agentao-prompt-"));
  await writeFile(join(cwd, "a.ts"), "a");
  await writeFile(join(cwd, "with blank.ts"), "b");
  await writeFile(join(cwd, "shot.png"), PNG);
  await writeFile(join(cwd, "jpeg.png"), Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
  await writeFile(join(cwd, "notes.png"), "no picture");
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const link = (name: string) => ({ type: "resource_link", uri: pathToFileURL(join(cwd, name)).href, name });

test("links the files that are there, and leaves the rest as it was typed", async () => {
  const { blocks, problems } = await toPromptContent('read @a.ts and @"with blank.ts", not @gone.ts or me@a.ts', {
    cwd,
    takesImages: true,
  });
  expect(blocks).toEqual([
    { type: "text", text: "read " },
    link("a.ts"),
    { type: "text", text: " and " },
    link("with blank.ts"),
    { type: "text", text: ", not @gone.ts or me@a.ts" },
  ]);
  expect(problems).toEqual([]);
});

test.each([
  ["bare", () => join(cwd, "shot.png")],
  ["quoted", () => `'${join(cwd, "shot.png")}'`],
  ["with escaped blanks", () => join(cwd, "shot.png").replace("shot", "\\shot")],
  ["as an address", () => pathToFileURL(join(cwd, "shot.png")).href],
  ["by an @", () => "@shot.png"],
])("sends a picture that was dragged here %s", async (_, written) => {
  const { blocks } = await toPromptContent(`look ${written()}`, { cwd, takesImages: true });
  const uri = pathToFileURL(join(cwd, "shot.png")).href;
  expect(blocks).toEqual([
    { type: "text", text: "look " },
    { type: "image", data: PNG.toString("base64"), mimeType: "image/png", uri },
  ]);
});

test("links a picture where the agent takes none, and says so", async () => {
  const { blocks, problems } = await toPromptContent(join(cwd, "shot.png"), { cwd, takesImages: false });
  expect(blocks).toEqual([link("shot.png")]);
  expect(problems).toEqual(["shot.png is sent as a link: the agent takes no pictures."]);
});

test("goes by what a picture is, not by its name", async () => {
  const { blocks, problems } = await toPromptContent("@jpeg.png @notes.png", { cwd, takesImages: true });
  expect(blocks).toEqual([
    { type: "image", data: "/9j/4A==", mimeType: "image/jpeg", uri: link("jpeg.png").uri },
    { type: "text", text: " " },
    link("notes.png"),
  ]);
  expect(problems).toEqual(["notes.png is sent as a link: it is no picture, whatever its name says."]);
});

test("keeps every character of what was typed", () => {
  const text = "a @b 'c.png' \"d.gif\" /e/f\\ g.jpg ~/h.webp i";
  expect(
    splitMentions(text)
      .map(({ source }) => source)
      .join(""),
  ).toBe(text);
  expect(splitMentions(text).map(({ type }) => type)).toEqual([
    "text",
    "mention",
    "text",
    "image",
    "text",
    "image",
    "text",
    "image",
    "text",
    "image",
    "text",
  ]);
});

test("never sends an empty prompt of nothing", async () => {
  expect((await toPromptContent("hi", { cwd, takesImages: true })).blocks).toEqual([{ type: "text", text: "hi" }]);
});
