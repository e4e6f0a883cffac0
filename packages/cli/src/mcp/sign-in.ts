// `agentao mcp login` and `logout`: sign-ins to servers over HTTP.

import { openAuthStore, signIn } from "@agentao/agent/mcp";
import { findHome } from "../home.ts";
import type { Io } from "../io/io.ts";
import { oneOperand, type Words } from "../manual/parse-words.ts";
import { toLine } from "../text/plain.ts";
import { McpTrouble } from "./mcp-file.ts";
import { findRow, usable } from "./server-row.ts";

export async function login(words: Words, io: Io): Promise<number> {
  const { name, serverUrl } = await signInTarget(words, io);
  const { env, signal, stderr, stdout } = io;
  const store = openAuthStore(findHome(env), serverUrl);
  const onLink = (url: string): void => {
    stderr.write(`Open this page to sign in to ${name}:\n\n  ${url}\n\nWaiting for you; Ctrl-C gives up.\n`);
  };
  const outcome = await signIn({ serverUrl, store, env, onLink }, signal);
  switch (outcome.type) {
    case "signed-in":
      stdout.write(`You are signed in to ${name}.\n`);
      return 0;
    case "cancelled":
      throw new McpTrouble("you were not signed in");
    case "failed":
      throw new McpTrouble(`you were not signed in to ${name}: ${outcome.why}`);
  }
}

export async function logout(words: Words, io: Io): Promise<number> {
  const { name, serverUrl } = await signInTarget(words, io);
  const forgotten = await openAuthStore(findHome(io.env), serverUrl).forget();
  io.stdout.write(forgotten ? `The sign-in to ${name} is forgotten.\n` : `There was no sign-in to ${name}.\n`);
  return 0;
}

async function signInTarget(words: Words, io: Io): Promise<{ readonly name: string; readonly serverUrl: string }> {
  const given = oneOperand(words, "the NAME or URL of the server");
  if (/^https?:\/\//i.test(given) && URL.canParse(given)) return { name: new URL(given).host, serverUrl: given };
  const row = await findRow(given, io);
  const { transport } = usable(row);
  if (transport.type === "stdio") throw new McpTrouble(`"${row.name}" is a command; it needs no sign-in here`);
  if (Object.keys(transport.headers).some((header) => /^authorization$/i.test(header))) {
    throw new McpTrouble(`"${row.name}" has an Authorization header in its file, which is used instead of a sign-in`);
  }
  return { name: toLine(row.name, 100), serverUrl: transport.url };
}
