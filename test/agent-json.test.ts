// The entry of the public ACP registry: what its checks look at, held against the packages it names.

import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { afterAll, expect, test } from "vitest";
import { cleanUp, temporaryFolder } from "./process/clean-up.ts";
import { ensureBuilt } from "./program/built.ts";
import { start } from "./program/program.ts";

afterAll(cleanUp);

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const agent = JSON.parse(read("agent.json"));
const manifest = JSON.parse(read("packages/cli/package.json"));

const name = { type: "string", minLength: 1 };
const address = { type: "string", pattern: "^https://" };
/** The registry's rules for an agent that npx starts. */
const entry = {
  type: "object",
  required: ["id", "name", "version", "description", "distribution"],
  properties: {
    id: { type: "string", pattern: "^[a-z][a-z0-9-]*$" },
    name,
    version: { type: "string", pattern: "^\\d+\\.\\d+\\.\\d+$" },
    description: name,
    repository: address,
    website: address,
    authors: { type: "array", items: name },
    license: name,
    license_url: address,
    distribution: {
      type: "object",
      required: ["npx"],
      properties: {
        npx: {
          type: "object",
          required: ["package"],
          properties: {
            package: { type: "string", pattern: "^(?!.*@latest)" },
            cmd: name,
            args: { type: "array", items: name },
            env: { type: "object", additionalProperties: { type: "string" } },
          },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

test("agent.json is an entry of the registry", () => {
  const ajv = new Ajv({ strict: true });
  expect(ajv.validate(entry, agent), ajv.errorsText()).toBe(true);
});

test("agent.json names the version that the program has, and a command that it knows", () => {
  expect(agent).toMatchObject({ id: manifest.name, version: manifest.version, license: manifest.license });
  expect(agent.distribution.npx).toEqual({
    package: `${manifest.name}@${manifest.version}`,
    args: ["--acp", "--stdio"],
  });
  expect(Object.keys(manifest.bin)).toEqual([manifest.name]);
});

test("the program that it starts tells how to sign in, as the registry asks it to", async () => {
  await ensureBuilt();
  const program = start({
    args: agent.distribution.npx.args,
    onlyEnv: { PATH: process.env.PATH ?? "", HOME: temporaryFolder(), TERM: "dumb" },
  });
  const { authMethods } = await program.request("initialize", {
    protocolVersion: 1,
    clientCapabilities: { terminal: true, _meta: { "terminal-auth": true } },
  });
  expect(await program.end()).toMatchObject({ code: 0 });
  // One without a type is the agent's own.
  const types = authMethods.map(({ type = "agent" }: { type?: string }) => type);
  expect(types.filter((type: string) => ["agent", "terminal"].includes(type))).not.toEqual([]);
}, 120_000);

test("icon.svg is 16 by 16, and has the colour of the text around it", () => {
  const icon = read("icon.svg");
  expect(icon).toMatch(/^<svg [^>]*width="16" height="16" viewBox="0 0 16 16"/);
  const colours = [...icon.matchAll(/\b(?:fill|stroke|color|stop-color)="([^"]*)"/g)].map((match) => match[1]);
  expect([...new Set(colours)].sort()).toEqual(["currentColor", "none"]);
  // A comment would break the page the icon is shown on.
  expect(icon).not.toMatch(/style=|<style|<!--|#[0-9a-f]{3,6}\b/i);
});
