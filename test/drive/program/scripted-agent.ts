// An agent made of a few lines of JSON, so that tests know every byte of it. What it does besides echoing is in its arguments.
//   permission  asks before it answers        ask-user   asks the person a question
//   die N       exits with N at the prompt    late       says something after the turn has ended
//   refuse      stops with "refusal"          deaf       never answers a prompt
//   unready N   exits with N at initialize    mute       never answers initialize
//   stay        does not end with its input   every      wants to read a file, a terminal and a form
//   stubborn    deaf, also to a cancel        flood      never stops talking, whoever listens
//   paint       clears the screen             call       calls a tool between two messages
//   chatty      writes only what is no JSON   slow N     waits for a command of N ms in a lent terminal

import { createInterface } from "node:readline";

const [trick = "echo", code = "0"] = process.argv.slice(2);
const waiting = new Map<unknown, (answer: object) => void>();
let asked = 0;

process.stderr.write(`scripted agent: ${trick}\n`);
if (trick === "stay") setInterval(() => {}, 1000);
if (trick === "chatty") setInterval(() => process.stdout.write("ready for your questions\n".repeat(100)), 20);
const input = createInterface({ input: process.stdin });
input.on("line", (line) => {
  const { id, method, params, ...answer } = JSON.parse(line);
  if (method === undefined) waiting.get(id)?.(answer);
  else if (method === "session/cancel" && trick === "deaf") say({ id: open, result: { stopReason: "cancelled" } });
  else if (id !== undefined) void handle(id, method, params);
});
let open: unknown;

async function handle(id: unknown, method: string, params: { prompt?: { text: string }[] }): Promise<void> {
  switch (method) {
    case "initialize":
      if (trick === "unready") process.exit(Number(code));
      if (trick !== "mute" && trick !== "chatty") say({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
      return;
    case "session/new":
      say({ id, result: { sessionId: "s1" } });
      return;
    case "session/prompt":
      open = id;
      say({ id, result: { stopReason: await takeTurn(params.prompt?.[0]?.text ?? "") } });
      if (trick === "late") tell("too late");
      return;
    default:
      say({ id, error: { code: -32601, message: "Method not found" } });
  }
}

async function takeTurn(text: string): Promise<string> {
  switch (trick) {
    case "die":
      tell("I am going");
      await new Promise((resolve) => process.stderr.write("last words of the agent\n", resolve));
      process.exit(Number(code));
      break;
    case "deaf":
    case "stubborn":
      process.stderr.write("deaf to a prompt\n");
      return new Promise(() => {});
    case "flood":
      for (;;) {
        tell("and so on, ".repeat(100));
        if (process.stdout.writableNeedDrain) await new Promise((resolve) => process.stdout.once("drain", resolve));
      }
    case "paint":
      tell("\u001b[2J\u001b]0;mine\u0007painted");
      return "end_turn";
    case "call":
      tell("I look");
      update({ sessionUpdate: "tool_call", toolCallId: "c1", title: "Look", status: "in_progress" });
      update({ sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed" });
      tell("Nothing ");
      tell("there");
      return "end_turn";
    case "slow": {
      const nap = ["-e", `setTimeout(() => {}, ${code})`];
      const { result } = await ask("terminal/create", { sessionId: "s1", command: process.execPath, args: nap });
      await ask("terminal/wait_for_exit", { sessionId: "s1", terminalId: result?.terminalId });
      break;
    }
    case "refuse":
      return "refusal";
    case "permission":
      tell(`answer: ${JSON.stringify(await ask("session/request_permission", PERMISSION))}`);
      return "end_turn";
    case "ask-user":
      tell(`answer: ${JSON.stringify(await ask("_agentao.cn/ask_user", { sessionId: "s1", question: "Which one?" }))}`);
      return "end_turn";
    case "every":
      tell(JSON.stringify(await ask("fs/read_text_file", { sessionId: "s1", path: `${process.cwd()}/note.txt` })));
      tell(JSON.stringify(await ask("terminal/create", { sessionId: "s1", command: "true" })));
      tell(JSON.stringify(await ask("elicitation/create", { sessionId: "s1", mode: "form", message: "?" })));
      return "end_turn";
  }
  tell(`Echo: ${text}`);
  return "end_turn";
}

const PERMISSION = {
  sessionId: "s1",
  toolCall: { toolCallId: "c1", title: "Delete everything" },
  options: [
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    { optionId: "no", name: "No", kind: "reject_once" },
  ],
};

function ask(method: string, params: object): Promise<{ readonly result?: { readonly terminalId?: string } }> {
  const id = `q${++asked}`;
  say({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

function tell(text: string): void {
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
}

function update(update: object): void {
  say({ method: "session/update", params: { sessionId: "s1", update } });
}

function say(frame: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`);
}
