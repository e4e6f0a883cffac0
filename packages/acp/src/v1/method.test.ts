// The method tables as literals: what is called how, who handles it, and what must be announced before it is called.

import { expect, expectTypeOf, test } from "vitest";
import type { Invalid } from "../decode/decode.ts";
import type * as stable from "./generated/method.ts";
import { methods } from "./generated/method.ts";
import type * as unstable from "./generated-unstable/method.ts";
import { methods as unstableMethods } from "./generated-unstable/method.ts";
import type { Method } from "./method.ts";

function lines(table: { readonly [key: string]: Method }): string[] {
  return Object.entries(table).map(([key, { method, side, kind, name, gate }]) => {
    expect(key.replace("#notification", "")).toBe(method);
    return [`${side} ${kind} ${method} ${name}`, ...(gate ? [`if ${gate.of}.${gate.path}`] : [])].join(" ");
  });
}

test("the stable protocol has these methods", () => {
  expect(lines(methods)).toEqual([
    "agent request initialize initialize",
    "agent request authenticate authenticate",
    "agent request logout logout if agent.auth.logout",
    "agent request session/new newSession",
    "agent request session/load loadSession if agent.loadSession",
    "agent request session/resume resumeSession if agent.sessionCapabilities.resume",
    "agent request session/close closeSession if agent.sessionCapabilities.close",
    "agent request session/list listSessions if agent.sessionCapabilities.list",
    "agent request session/delete deleteSession if agent.sessionCapabilities.delete",
    "agent request session/set_mode setMode",
    "agent request session/set_config_option setConfigOption",
    "agent request session/prompt prompt",
    "agent notification session/cancel cancel",
    "client notification session/update update",
    "client request session/request_permission requestPermission",
    "client request fs/read_text_file readTextFile if client.fs.readTextFile",
    "client request fs/write_text_file writeTextFile if client.fs.writeTextFile",
    "client request terminal/create createTerminal if client.terminal",
    "client request terminal/output terminalOutput if client.terminal",
    "client request terminal/wait_for_exit waitForTerminalExit if client.terminal",
    "client request terminal/kill killTerminal if client.terminal",
    "client request terminal/release releaseTerminal if client.terminal",
    "client request elicitation/create createElicitation if client.elicitation",
    "client notification elicitation/complete completeElicitation if client.elicitation.url",
    "both notification $/cancel_request cancelRequest",
  ]);
});

test("the unstable protocol has these besides, and all of the stable ones as they are", () => {
  const known = new Set(lines(methods));
  const added = lines(unstableMethods).filter((line) => !known.delete(line));
  expect(added).toEqual([
    "agent request auth/status authStatus if agent.auth.status",
    "agent request providers/list listProviders if agent.providers",
    "agent request providers/set setProvider if agent.providers",
    "agent request providers/disable disableProvider if agent.providers",
    "agent request session/fork forkSession if agent.sessionCapabilities.fork",
    "agent request session/archive archiveSession if agent.sessionCapabilities.archive",
    "agent request session/unarchive unarchiveSession if agent.sessionCapabilities.archive",
    "agent request session/status sessionStatus if agent.sessionCapabilities.status",
    "agent request session/set_title setTitle if agent.sessionCapabilities.title",
    "agent notification mcp/message messageMcp if agent.mcpCapabilities.acp",
    "client notification auth/status_update authStatusUpdate if agent.auth.status",
    "client request mcp/message messageMcp if agent.mcpCapabilities.acp",
    "proxy request proxy/initialize initializeProxy",
    "proxy request proxy/successor requestSuccessor",
    "proxy notification proxy/successor notifySuccessor",
  ]);
  expect([...known]).toEqual([]);
  expect(Object.values(unstableMethods).filter((row) => row.stability === "unstable")).toHaveLength(added.length);
});

/** The handler map that a table stands for, worked out by the compiler. */
type Handled<Table, Side, Kind> = {
  -readonly [Key in keyof Table as Table[Key] extends { side: Side; kind: Kind; name: infer Name extends string }
    ? Name
    : never]: Table[Key] extends { params: (value: unknown) => infer Params; result: infer Result }
    ? Result extends (value: unknown) => infer Answer
      ? { params: Exclude<Params, Invalid>; result: Exclude<Answer, Invalid> }
      : Exclude<Params, Invalid>
    : never;
};

test("the handler maps say what the tables say", () => {
  type Stable = typeof methods;
  expectTypeOf<Handled<Stable, "agent", "request">>().toEqualTypeOf<stable.AgentRequests>();
  expectTypeOf<Handled<Stable, "agent", "notification">>().toEqualTypeOf<stable.AgentNotifications>();
  expectTypeOf<Handled<Stable, "client", "request">>().toEqualTypeOf<stable.ClientRequests>();
  expectTypeOf<Handled<Stable, "client", "notification">>().toEqualTypeOf<stable.ClientNotifications>();
  expectTypeOf<Handled<Stable, "both", "notification">>().toEqualTypeOf<stable.ProtocolNotifications>();
  type Unstable = typeof unstableMethods;
  expectTypeOf<Handled<Unstable, "agent", "request">>().toEqualTypeOf<unstable.AgentRequests>();
  expectTypeOf<Handled<Unstable, "agent", "notification">>().toEqualTypeOf<unstable.AgentNotifications>();
  expectTypeOf<Handled<Unstable, "client", "request">>().toEqualTypeOf<unstable.ClientRequests>();
  expectTypeOf<Handled<Unstable, "client", "notification">>().toEqualTypeOf<unstable.ClientNotifications>();
  expectTypeOf<Handled<Unstable, "proxy", "request">>().toEqualTypeOf<unstable.ProxyRequests>();
  expectTypeOf<Handled<Unstable, "proxy", "notification">>().toEqualTypeOf<unstable.ProxyNotifications>();
});
