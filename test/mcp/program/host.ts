// A process that holds a hub with two servers, says their process ids, and waits to be killed.

import { createHub } from "../../../packages/agent/src/mcp/hub.ts";
import { oddServer, roomFor, toolOf } from "../stage.ts";

const room = roomFor();
const hub = createHub([oddServer("plain"), oddServer("stubborn", ["--stubborn"])], room);
await hub.settled(20_000, new AbortController().signal);
const said = await Promise.all(["plain", "stubborn"].map((server) => toolOf(hub, `mcp_${server}_family`).call({})));
console.log(said.map((outcome) => outcome.text).join(" "));
setInterval(() => {}, 1_000);
