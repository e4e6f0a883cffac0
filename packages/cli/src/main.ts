#!/usr/bin/env node
// The program: finds out what was asked for, and loads only that.

import { parseFlags } from "./flags.ts";

const asked = parseFlags(process.argv.slice(2));
// Whoever reads our output may have had enough of it.
if (asked.type !== "acp") {
  process.stdout.on("error", (cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EPIPE") throw cause;
  });
}
switch (asked.type) {
  case "acp": {
    const { runAcp } = await import("./command/acp.ts");
    runAcp(asked);
    break;
  }
  case "command": {
    const { runCommand } = await import("./command/run-command.ts");
    const ending = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => ending.abort(signal));
    const { stdin, stdout, stderr, env } = process;
    const io = { stdin, stdout, stderr, env, cwd: process.cwd(), signal: ending.signal };
    process.exitCode = await runCommand(asked.name, asked.args, io);
    break;
  }
  case "help": {
    const { help } = await import("./help.ts");
    process.stdout.write(help);
    break;
  }
  case "version": {
    const { version } = await import("./version.ts");
    process.stdout.write(`${version}\n`);
    break;
  }
  case "wrong":
    process.stderr.write(`agentao: ${asked.problem}\nTry "agentao --help".\n`);
    process.exitCode = 2;
    break;
}
