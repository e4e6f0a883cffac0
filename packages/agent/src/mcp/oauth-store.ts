// What a person's sign-in to one server left behind: who we are to it, and the tokens. One file for each address, for the
// person alone.

import { createHash, randomUUID } from "node:crypto";
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { readText } from "../config/files.ts";
import { errorCode } from "../fault/error-code.ts";
import { fieldsOf } from "../json/fields.ts";
import { parseJson } from "../json/parse-json.ts";
import { writePrivate } from "./private-file.ts";

export interface SignedIn {
  readonly client: StoredOAuthClientInformation;
  readonly tokens: StoredOAuthTokens;
  /** Who gives tokens for the server. */
  readonly discovery: OAuthDiscoveryState;
  /** What the tokens are for, as the server names itself (RFC 8707). */
  readonly resource?: string | undefined;
}

export interface AuthStore {
  /** The same for all stores that share what they keep. */
  readonly key: string;
  /** Nothing where nobody signed in, or the file makes no sense. Never rejects. */
  read(): Promise<SignedIn | undefined>;
  /** Counts here at once. Rejects where it cannot be written down. */
  write(signedIn: SignedIn): Promise<void>;
  /** False where there was nothing. Rejects where it cannot be removed. */
  forget(): Promise<boolean>;
}

/** Without a home, it is kept as long as this object. */
export function openAuthStore(home: string | undefined, serverUrl: string): AuthStore {
  const url = new URL(serverUrl).href;
  const hash = createHash("sha256").update(url).digest("hex").slice(0, 32);
  const path = home === undefined ? undefined : join(home, "mcp-auth", `${hash}.json`);
  let unwritten: SignedIn | undefined;
  return {
    key: path ?? randomUUID(),
    async read() {
      if (unwritten !== undefined || path === undefined) return unwritten;
      return parseSignedIn((await readText(path)).text, url);
    },
    async write(signedIn) {
      unwritten = signedIn;
      if (path === undefined) return;
      await writePrivate(path, `${JSON.stringify({ version: 1, serverUrl: url, ...signedIn }, null, 2)}\n`);
      unwritten = undefined;
    },
    async forget() {
      const wasHere = unwritten !== undefined;
      unwritten = undefined;
      if (path === undefined) return wasHere;
      try {
        await unlink(path);
        return true;
      } catch (cause) {
        if (errorCode(cause) === "ENOENT") return wasHere;
        throw cause;
      }
    },
  };
}

function parseSignedIn(text: string | undefined, url: string): SignedIn | undefined {
  const { serverUrl, client, tokens, discovery, resource } = fieldsOf(parseJson(text ?? ""));
  const isWhole =
    serverUrl === url &&
    typeof fieldsOf(client).client_id === "string" &&
    typeof fieldsOf(tokens).access_token === "string" &&
    URL.canParse(String(fieldsOf(discovery).authorizationServerUrl));
  if (!isWhole) return undefined;
  return {
    client: client as StoredOAuthClientInformation,
    tokens: tokens as StoredOAuthTokens,
    discovery: discovery as OAuthDiscoveryState,
    ...(typeof resource === "string" && { resource }),
  };
}
