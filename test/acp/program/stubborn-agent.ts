// Ignores the end of its input and SIGTERM, and has a child that does too.

import { spawn } from "node:child_process";
import { serveStdio } from "@agentao/acp/node";

process.on("SIGTERM", () => {});
setInterval(() => {}, 1000);
const child = spawn(process.execPath, ["-e", "process.on('SIGTERM',()=>{});setInterval(()=>{},1000)"], {
  stdio: "ignore",
});

serveStdio({
  newSession: () => ({ sessionId: "s", _meta: { pids: [process.pid, child.pid] } }),
  prompt: () => new Promise(() => {}),
});
