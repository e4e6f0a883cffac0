// What the model is told of a page, and what the gate is asked. The machine is scripted; one test goes to a real one.

import { expect, test } from "vitest";
import type { Machine, WebAnswer, WebBody, WebPage, WebQuery } from "../../machine/machine.ts";
import { temporaryMachine } from "../../machine/temporary-machine.ts";
import { planTool, runTool, scriptedRoom, told } from "../scripted-room.ts";
import { webFetch } from "./web-fetch.ts";

const url = "https://example.com/a";

function page(body: WebBody, more: Partial<WebPage> = {}): WebPage {
  return { type: "page", url, status: 200, mimeType: "text/html", bytes: 1234, body, ...more };
}

async function fetchPage(answer: WebAnswer, input: Record<string, unknown> = {}) {
  const queries: WebQuery[] = [];
  const fetch: Machine["fetch"] = async (query) => {
    queries.push(query);
    return answer;
  };
  const room = scriptedRoom({ fetch } as Machine, "/w", { env: { AGENTAO_WEB_FETCH_ALLOW_CIDRS: "10.0.0.0/8" } });
  return { outcome: await runTool(webFetch, { url, ...input }, room), queries };
}

const textOf = async (answer: WebAnswer, input?: Record<string, unknown>) =>
  told((await fetchPage(answer, input)).outcome);

test("asks the gate about the address it fetches", () => {
  const room = scriptedRoom({} as Machine, "/w");
  expect(planTool(webFetch, { url: " https://example.com/docs/a?b=c#d " }, room)).toEqual({
    title: "Fetch example.com/docs/a?b=c",
    kind: "fetch",
    locations: [],
    effect: { type: "fetch", url: "https://example.com/docs/a?b=c#d" },
  });
  const urlOf = (given: string) => planTool(webFetch, { link: given }, room).effect;
  expect(urlOf("example.com/x")).toEqual({ type: "fetch", url: "https://example.com/x" });
  expect(urlOf("example.com:8443/x")).toEqual({ type: "fetch", url: "https://example.com:8443/x" });
  expect(urlOf("file:///etc/passwd")).toEqual({ type: "fetch", url: "file:///etc/passwd" });
});

test("tells title, address and status, then the text", async () => {
  const { outcome, queries } = await fetchPage(page({ type: "text", text: "# Hello", title: "T" }));
  expect(outcome.failed).toBe(false);
  expect(told(outcome)).toBe(`Title: T\nURL: ${url}\nStatus: 200\n\n# Hello`);
  expect(queries).toMatchObject([{ url, asMarkdown: true, allowedRanges: ["10.0.0.0/8"] }]);
});

test("hands on that HTML is wanted as it is", async () => {
  const { queries } = await fetchPage(page({ type: "text", text: "<p>" }), { extract_text: "false" });
  expect(queries[0]?.asMarkdown).toBe(false);
});

test("tells of another host, and goes no further", async () => {
  const { outcome, queries } = await fetchPage({ type: "elsewhere", url: "https://other.test/", status: 302 });
  expect(told(outcome)).toBe(
    `${url} redirects to another host: https://other.test/\nFetch that address if you want it.`,
  );
  expect(queries).toHaveLength(1);
});

test("gives a long page in parts that lose nothing", async () => {
  const text = Array.from({ length: 6_000 }, (_, at) => `line ${at}`).join("\n");
  const parts: string[] = [];
  for (let offset = 0; ; ) {
    const answer = await textOf(page({ type: "text", text }), { offset });
    expect(answer.length).toBeLessThan(20_500);
    parts.push(answer.split("\n\n")[1] ?? "");
    const next = /Use offset=(\d+) to continue reading\.\]$/.exec(answer)?.[1];
    if (next === undefined) break;
    offset = Number(next);
  }
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.join("\n").replaceAll("\n\n", "\n")).toBe(text);
  expect(await textOf(page({ type: "text", text: "short" }), { offset: 5 })).toMatch(
    /^Error: .* has only 5 characters/,
  );
});

test.each<[Partial<WebPage>, Partial<WebBody>, RegExp]>([
  [{}, { needsScript: true }, /built by JavaScript, which is not run here/],
  [{}, { isChallenge: true }, /asks for proof that a person is reading/],
  [{ lacks: "too-large" }, {}, /its end is missing\]$/],
  [{ lacks: "broke-off" }, {}, /connection broke off/],
])("notes %j %j", async (more, body, note) => {
  expect(await textOf(page({ type: "text", text: "x", ...body } as WebBody, more))).toMatch(note);
});

test("says that there is nothing, that it failed, and what is no text", async () => {
  expect(await textOf(page({ type: "text", text: " " }))).toContain("(The page has no text.)");
  expect((await fetchPage(page({ type: "text", text: "no" }, { status: 404 }))).outcome.failed).toBe(true);
  const binary = page({ type: "binary" }, { mimeType: "application/pdf" });
  expect(await textOf(binary)).toBe(
    `URL: ${url}\nStatus: 200\nBinary content: application/pdf, 1,234 bytes. It is not shown.`,
  );
});

test("shows an image to model and person", async () => {
  const { outcome } = await fetchPage(page({ type: "image", mimeType: "image/png", data: new Uint8Array([1, 2]) }));
  const image = { type: "image", mimeType: "image/png", data: "AQI=" };
  expect(outcome.told).toEqual([
    { type: "text", text: `URL: ${url}\nStatus: 200\nImage: image/png, 1,234 bytes` },
    image,
  ]);
  expect(outcome.content).toEqual([image]);
});

test("the machine of this process refuses what is not public", async () => {
  await using local = await temporaryMachine();
  const room = scriptedRoom(local.machine, local.root);
  await expect(runTool(webFetch, { url: "http://127.0.0.1:9999/" }, room)).rejects.toThrow(
    "blocked outbound request — 127.0.0.1 is not an address in the public internet",
  );
});
