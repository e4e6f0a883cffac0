// `agentao acp send`: one prompt for a named agent, and what it says.

import type { Writable } from "node:stream";

import { findServerToRun } from "../../drive/agent-consent.ts";
import { askSupervisor } from "../../drive/ask-supervisor.ts";
import { DriveFault, toExitCode } from "../../drive/drive-fault.ts";
import { openDrivenAgent, type TurnRequest } from "../../drive/driven-agent.ts";
import { openServerLog } from "../../drive/server-log.ts";
import { readStatus } from "../../drive/server-state.ts";
import type { Tell, TurnEvent } from "../../drive/turn-event.ts";
import { turnSocketPath } from "../../drive/turn-socket.ts";
import type { Io } from "../../io/io.ts";
import { untilWritable } from "../../io/until-writable.ts";
import type { Command } from "../../manual/command.ts";
import { UsageError } from "../../manual/usage-error.ts";
import { cleanLine, cleanText } from "../../text/plain.ts";
import { parseArguments } from "./arguments.ts";

const help = `agentao acp send: ask a named agent one thing

Usage
  agentao acp send NAME PROMPT [--allow] [--timeout SECONDS] [--json] [--fresh]
  agentao acp send NAME < FILE

Uses the agent that agentao acp start runs, and goes on with its conversation; otherwise starts
the agent for this one prompt. What it says goes to stdout as it comes, its tool calls to stderr.
Nobody is asked anything: where the agent wants permission, it is refused, and the exit code is 3.

Options
  --allow            Give every permission the agent asks for. Overrides nonInteractivePolicy of
                     acp.json.
  --timeout SECONDS  How long the agent may be silent. Default: requestTimeoutMs of acp.json, or 60.
  --json             Events as JSON lines: text, thought, tool, and at last end or fault.
  --fresh            Start the agent anew, also where one is running.
  -h, --help         Show this.

Examples
  agentao acp send reviewer "What does src/main.ts do?"
  git diff | agentao acp send reviewer --allow
  agentao acp send reviewer -- "--strict: what does it do?"

Exit codes
  0    answered
  1    it failed: process_start_fail, handshake_fail, request_timeout, transport_disconnect,
       protocol_error, server_busy; or it stopped for another reason than being done
  2    there is no such name, or something is wrong with acp.json: server_not_found, config_invalid
  3    it needed a permission or an answer: interaction_required
  130  interrupted
`;

export const acpSend: Command = {
  help,
  async run(args, io) {
    const given = parseArguments("send", args);
    // What begins with a dash can be asked, too, after --.
    const [name, ...words] = [...given.words, ...given.command];
    if (name === undefined) throw new UsageError("acp send: to which agent?");
    const seconds = given.text("--timeout");
    if (seconds !== undefined && !(Number(seconds) > 0))
      throw new UsageError("acp send: --timeout is a number of seconds");
    const text = words.length > 0 ? words.join(" ") : await readAll(io);
    if (text.trim() === "") throw new UsageError("acp send: what should it be asked?");
    const request: TurnRequest = {
      text,
      ...(given.has("--allow") && { policy: "accept_all" }),
      ...(seconds !== undefined && { timeoutMs: Number(seconds) * 1000 }),
    };
    const show = given.has("--json") ? showJson(io) : showText(io);
    // Whoever reads only the beginning has read enough.
    const unread = new AbortController();
    io.stdout.once("error", () => unread.abort());
    const signal = AbortSignal.any([io.signal, unread.signal]);
    let last: TurnEvent | undefined;
    const tell: Tell = (event) => {
      last = event;
      return unread.signal.aborted ? undefined : show(event);
    };
    try {
      await send(name, request, { fresh: given.has("--fresh") }, tell, { ...io, signal });
    } catch (cause) {
      if (!(cause instanceof DriveFault)) throw cause;
      await tell({ type: "fault", code: cause.code, message: cause.message });
    }
    if (io.signal.aborted) return 130;
    if (last?.type === "fault") return toExitCode(last.code);
    return last?.type === "end" && last.stopReason === "end_turn" ? 0 : 1;
  },
};

async function send(
  name: string,
  request: TurnRequest,
  { fresh }: { fresh: boolean },
  tell: Tell,
  io: Io,
): Promise<void> {
  const server = await findServerToRun(name, io);
  const supervised = readStatus(io.cwd, name);
  if (!fresh && supervised.type === "running" && supervised.status.socket !== undefined) {
    if (await askSupervisor(turnSocketPath(io.cwd, name), request, tell, io.signal)) return;
  }
  const log = openServerLog(io.cwd, name);
  try {
    const agent = await openDrivenAgent(server, io, { signal: io.signal, onStderr: (text) => log.write(text) });
    await agent.takeTurn(request, tell, io.signal);
    await agent.close();
  } finally {
    log.end();
  }
}

function showJson({ stdout }: Io): Tell {
  return (event) => written(stdout, `${JSON.stringify(event)}\n`);
}

function showText({ stdout, stderr }: Io): Tell {
  const titles = new Map<string, string>();
  // A file gets every byte; on a screen no agent moves the cursor, changes colours or hides what it said.
  const clean = stdout.isTTY ? cleanText : (text: string): string => text;
  let atLineStart = true;
  let hasSaid = false;
  // What is said after a call has begun is another message, below a blank line.
  let gap = "";
  const endLine = (): void => {
    if (!atLineStart) stdout.write("\n");
    atLineStart = true;
  };
  const say = (text: string): Promise<void> | undefined => {
    const shown = `${gap}${clean(text)}`;
    gap = "";
    hasSaid = true;
    atLineStart = text.endsWith("\n");
    return written(stdout, shown);
  };
  const begin = (id: string): void => {
    titles.set(id, cleanLine(id));
    endLine();
    if (hasSaid) gap = "\n";
  };
  return (event) => {
    switch (event.type) {
      case "text":
        if (event.text === "") return undefined;
        return say(event.text);
      case "thought":
        return undefined;
      case "tool":
        if (!titles.has(event.id)) begin(event.id);
        if (event.title !== undefined) titles.set(event.id, cleanLine(event.title));
        if (event.status === "completed" || event.status === "failed") {
          stderr.write(`[${event.status}] ${titles.get(event.id)}\n`);
        }
        return undefined;
      case "end":
        endLine();
        if (event.stopReason !== "end_turn") stderr.write(`agentao acp send: the turn ended: ${event.stopReason}\n`);
        return undefined;
      case "fault":
        endLine();
        stderr.write(`agentao acp send: ${event.code}: ${cleanText(event.message)}\n`);
        return undefined;
    }
  };
}

/** Nothing where there is room for more. */
function written(output: Writable, text: string): Promise<void> | undefined {
  return output.write(text) ? undefined : untilWritable(output);
}

async function readAll({ stdin }: Io): Promise<string> {
  if (stdin.isTTY) return "";
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString("utf8");
}
