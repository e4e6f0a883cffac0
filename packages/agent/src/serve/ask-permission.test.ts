// How a question of the gate is put to a client, and which answers count.

import { expect, test } from "vitest";
import type { PermissionRequest } from "../permission/request.ts";
import { askPermission, type PermissionChoice } from "./ask-permission.ts";
import type { Client } from "./client.ts";

const CHOICES: readonly PermissionChoice[] = [
  { id: "allow_once", kind: "allow_once", name: "Allow once" },
  { id: "allow_always", kind: "allow_always", name: "Always allow `npm test …`" },
  { id: "allow_always_exact", kind: "allow_always", name: "Always allow exactly `npm test -- x`" },
  { id: "reject_once", kind: "reject_once", name: "Reject once" },
];

const REQUEST: PermissionRequest = {
  callId: "call_1" as PermissionRequest["callId"],
  tool: "run_shell_command",
  input: { command: "npm test -- x" },
  effect: { type: "command", command: "npm test -- x", cwd: "/repo" },
  title: "npm test -- x",
  kind: "execute",
  locations: [],
  content: [],
};

/** A client that answers every question so. */
function answering(outcome: unknown): { client: Client; asked: unknown[] } {
  const asked: unknown[] = [];
  const request = async (_method: string, params: unknown) => {
    asked.push(params);
    if (outcome instanceof Error) throw outcome;
    return { outcome };
  };
  return { client: { request } as unknown as Client, asked };
}

const ask = (client: Client) => askPermission(client, "s1", REQUEST, CHOICES, new AbortController().signal);

test("every choice is an option with an id of its own", async () => {
  const { client, asked } = answering({ outcome: "cancelled" });
  await ask(client);
  expect((asked[0] as { options: unknown }).options).toEqual([
    { optionId: "allow_once", kind: "allow_once", name: "Allow once" },
    { optionId: "allow_always", kind: "allow_always", name: "Always allow `npm test …`" },
    { optionId: "allow_always_exact", kind: "allow_always", name: "Always allow exactly `npm test -- x`" },
    { optionId: "reject_once", kind: "reject_once", name: "Reject once" },
  ]);
});

test.each<[string, unknown, string | undefined]>([
  ["an option", { outcome: "selected", optionId: "allow_always_exact" }, "allow_always_exact"],
  ["the default width", { outcome: "selected", optionId: "allow_always" }, "allow_always"],
  ["another word for yes", { outcome: "selected", optionId: "allow" }, "allow_once"],
  ["another word for no", { outcome: "selected", optionId: "reject" }, "reject_once"],
  ["what was not offered", { outcome: "selected", optionId: "reject_always" }, undefined],
  ["nonsense", { outcome: "selected", optionId: "constructor" }, undefined],
  ["a name", { outcome: "selected", optionId: "Allow once" }, undefined],
  ["cancelled", { outcome: "cancelled" }, undefined],
  ["a failure", new Error("gone"), undefined],
])("answered by %s", async (_name, outcome, chosen) => {
  expect(await ask(answering(outcome).client)).toBe(chosen);
});
