// A process that holds a hub with two servers and says their process ids. Then it waits to be killed; or, when it is given
// the address of a third server, it closes the hub, says so, and ends when nothing keeps it.

import { createHub } from "../../../packages/agent/src/mcp/hub.ts";
import { oddServer, roomFor, server, toolOf } from "../stage.ts";

const url = process.argv[2];
const third = url === undefined ? [] : [server("http", { type: "http", url, headers: {} })];
const hub = createHub([oddServer("plain"), oddServer("stubborn", ["--stubborn"]), ...third], roomFor());
await hub.settled(20_000, new AbortController().signal);
const said = await Promise.all(["plain", "stubborn"].map((name) => toolOf(hub, `mcp_${name}_family`).call({})));
console.log(said.map((outcome) => outcome.text).join(" "));
if (url === undefined) setInterval(() => {}, 1_000);
else {
  await hub.close();
  console.log(
    hub
      .reports()
      .map(({ state }) => state.type)
      .join(" "),
  );
}
