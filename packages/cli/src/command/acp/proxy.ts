// `agentao acp proxy`: stands between a client, which is our stdin and stdout, and an agent that it starts.

import type { Command } from "../../manual/command.ts";
import { UsageError } from "../../manual/usage-error.ts";
import { messageOf } from "../../text/message-of.ts";
import { toExitCode } from "../../trace/child.ts";
import { runProxy } from "../../trace/proxy.ts";
import { RecordingError } from "../../trace/recording.ts";
import { tellSummary } from "../../trace/tell-summary.ts";
import { parseArguments } from "./arguments.ts";

const help = `agentao acp proxy: stand between any ACP client and any ACP agent

Usage
  agentao acp proxy [--record FILE] [--strict] [--quiet] -- COMMAND ARGS…

Starts COMMAND and hands on every byte between it and whoever started the proxy, at once and
unchanged, both ways. Every line is also checked against the ACP v1 schema and the order of
things: a response to a request that was never sent, a call before initialize, an update for a
session that is not open or after its turn has ended, a method the other side did not advertise, a
line above 64 KiB. What is wrong is told on stderr when it is over, and marked in the recording.

Options
  --record FILE  Write both directions to FILE as JSON lines, readable only by you: time, sender,
                 latency of responses, frame, breaches. Values of env and headers and whatever
                 looks like a key or is named so are left out, also where they come in pieces. An
                 old FILE is replaced. A disk that is full ends the recording, not the traffic.
  --strict       Exit with 3 when something was wrong and the agent itself ended with 0.
  --quiet        Say nothing at the end.
  -h, --help     Show this.

Examples
  In an editor's settings, instead of the agent itself (Zed):
    { "agent_servers": { "traced": { "type": "custom", "command": "agentao",
      "args": ["acp", "proxy", "--record", "/tmp/acp.jsonl", "--", "my-agent", "--acp"] } } }
  In a test, so that a breach fails it:
    my-client agentao acp proxy --strict -- my-agent --acp
  Then: agentao acp inspect /tmp/acp.jsonl

Recording
  {"type":"start","version":1,"ts":…,"command":[…]}
  {"type":"frame","ts":…,"atMs":…,"from":"client"|"agent","bytes":…,"frame":{…}}
      of responses also "method" and "latencyMs"; where something is wrong
      "breaches":[{"rule":…,"message":…}], with the place, what was expected and what came;
      a line that is no JSON has "text" instead of "frame"
  {"type":"end","ts":…,"atMs":…,"by":"client"|"agent"|"signal",
      "exitCode":…,"signal":…,"unanswered":[…]}

Exit codes
  The agent's own; 128 and the signal's number when one ended it; 3 as --strict says; 127 when it
  cannot be started; 2 when FILE cannot be written, in which case nothing is started.
`;

export const acpProxy: Command = {
  help,
  async run(args, io) {
    const given = parseArguments("proxy", args);
    if (given.words.length > 0)
      throw new UsageError(`acp proxy: put -- before the command: -- ${given.words.join(" ")} …`);
    if (given.command.length === 0) throw new UsageError("acp proxy: which agent? Put its command after --");
    const { stdin, stdout, stderr, env, cwd, signal } = io;
    try {
      const end = await runProxy({
        command: given.command,
        record: given.text("--record"),
        ...{ stdin, stdout, stderr, env, cwd, signal },
      });
      if (!given.has("--quiet")) stderr.write(tellSummary(end.summary));
      const code = toExitCode(end);
      return code === 0 && given.has("--strict") && end.summary.breachCount > 0 ? 3 : code;
    } catch (cause) {
      stderr.write(`agentao acp proxy: ${messageOf(cause)}\n`);
      return cause instanceof RecordingError ? 2 : 127;
    }
  },
};
