// `agentao` in a terminal, and `agentao chat`: talk to an agent. The screen is loaded here and nowhere else.

import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { type AcpClient, errorCodes, RpcError, type SessionUpdate } from "@agentao/acp";
import { NoSession } from "../front/front.ts";
import { lendable } from "../front/loan.ts";
import { findHome } from "../home.ts";
import type { Io } from "../io/io.ts";
import type { Command } from "../manual/command.ts";
import { UsageError } from "../manual/usage-error.ts";
import type { App } from "../terminal/app.ts";
import { type ChatOptions, parseChatOptions } from "../terminal/chat-options.ts";
import type { Conversation } from "../terminal/conversation.ts";
import type { Category, Selectable } from "../terminal/slash/option.ts";
import { messageOf } from "../text/message-of.ts";

const help = `agentao chat: talk to an agent in this terminal

Usage
  agentao [options]
  agentao chat [options]

Options
  -r, --resume [ID]   Go on with session ID (the beginning of it is enough), or with the newest one
                      of this folder.
  -c, --continue      Go on with the newest session of this folder.
  -m, --model NAME    The model, as provider/model.
  --mode NAME         What the agent may do without asking: read-only, workspace-write,
                      full-access, plan.
  -C, --cwd FOLDER    Work there instead of here.
  --agent COMMAND     Talk to another ACP agent, started by this command. It may read and write
                      files and run commands in this folder by us; what it asks first is up to it.

Keys
  Enter sends, Shift+Enter, Alt+Enter or Ctrl+J begins a new line. @ names a file, and at the
  beginning an agent of acp.json ("agentao acp list"); ! runs a command yourself, / is a command:
  /help shows them all. Esc stops the turn, Ctrl+C twice or Ctrl+D leaves.

Environment
  NO_COLOR      No colours.
  TERM=dumb     Plain lines, nothing is painted over.
  AGENTAO_HOME  Where sessions, settings and history.jsonl (what was typed) are kept.
                Default: ~/.agentao

Examples
  agentao                         Talk here.
  agentao --continue              Go on with the newest session of this folder.
  agentao --mode plan --cwd api   Plan only, in another folder.
  agentao --agent "gemini --experimental-acp"
                                  Talk to another agent.

Exit codes
  0  left by the person    1  the agent could not be started    2  the command line makes no sense
`;

export const chat: Command = {
  help,
  options: [
    { name: "--resume", short: "-r", value: "ID", summary: "Go on with a session" },
    { name: "--continue", short: "-c", summary: "Go on with the newest session of this folder" },
    { name: "--model", short: "-m", value: "NAME", summary: "The model, as provider/model" },
    {
      name: "--mode",
      value: "NAME",
      choices: ["read-only", "workspace-write", "full-access", "plan"],
      summary: "What the agent may do without asking",
    },
    { name: "--cwd", short: "-C", value: "FOLDER", summary: "Work there instead of here" },
    { name: "--agent", value: "COMMAND", summary: "Talk to another ACP agent" },
  ],
  run: async (args, io) => {
    const options = parseChatOptions(args, io.cwd);
    if (!io.stdin.isTTY || !io.stdout.isTTY) {
      throw new UsageError("a terminal is needed for this; agentao run takes its prompt from a pipe");
    }
    try {
      return await talk(options, io);
    } catch (cause) {
      if (cause instanceof UsageError) throw cause;
      io.stderr.write(`agentao: ${toSentence(cause)}\n`);
      return cause instanceof NoSession ? 2 : 1;
    }
  },
};

/** Who has not signed in can do so only with the agent itself. */
function toSentence(cause: unknown): string {
  const said = messageOf(cause);
  const isSignedOut = cause instanceof RpcError && cause.code === errorCodes.authRequired;
  return isSignedOut ? `the agent wants you to sign in first: ${said}. Start it by hand once, and sign in.` : said;
}

async function talk(options: ChatOptions, io: Io): Promise<number> {
  await needFolder(options.cwd);
  const [{ Questions }, { findCall }, { loadSession }, connect] = await Promise.all([
    import("../terminal/question/question.ts"),
    import("../terminal/question/find-call.ts"),
    import("../terminal/slash/session.ts"),
    import("../front/connect.ts"),
  ]);
  let conversation: Conversation | undefined;
  let questionsChanged = (): void => {};
  // What comes before there is a conversation belongs to it all the same.
  const early: { readonly sessionId: string; readonly update: SessionUpdate }[] = [];
  const questions = new Questions(() => questionsChanged());
  const handlers = {
    ...questions.handlers({ findCall: (id) => conversation && findCall(conversation.transcript, id) }),
    update: ({ sessionId, update }: { sessionId: string; update: SessionUpdate }) => {
      if (conversation === undefined) early.push({ sessionId, update });
      else conversation.hear(sessionId, update);
    },
  };
  const { cwd, isCwdGiven, session } = options;
  // The person is here to be asked, and sees what is done.
  const asked = { env: io.env, cwd, isCwdGiven, session, signal: io.signal, handlers, lends: lendable };
  const front =
    options.agent === undefined
      ? await connect.connectOwn(asked)
      : await connect.connectOther(await toCommand(options.agent), asked);
  try {
    const onConversation = (made: Conversation): void => {
      conversation = made;
      // First, whenever what else there is to tell comes.
      if (session.type === "new") greet(made, front.agentName, front.cwd);
      for (const { sessionId, update } of early.splice(0)) made.hear(sessionId, update);
    };
    const common = { io, front, questions, onConversation };
    const app =
      io.env.TERM === "dumb"
        ? new (await import("../terminal/plain.ts")).PlainApp(common)
        : new (await import("../terminal/app.ts")).App({ ...common, home: findHome(io.env) });
    questionsChanged = () => app.questionsChanged();
    const { client } = front;
    if (session.type !== "new" && client.agentSupports("loadSession")) {
      // It was opened without its history; a screen wants to show it.
      await client.closeSession(front.sessionId).catch(() => {});
      await app.conversation.replace(front.sessionId, () => loadSession(client, front.sessionId, front.cwd));
    }
    await chooseAll(options, { client, conversation: app.conversation });
    await app.run();
    if (canGoOn(client)) tellHowToResume(app, options, io);
    return 0;
  } finally {
    await front.close();
  }
}

/** Model and mode, as the command line names them. */
async function chooseAll(
  options: ChatOptions,
  room: { readonly client: AcpClient; readonly conversation: Conversation },
): Promise<void> {
  const { findSelectable } = await import("../terminal/slash/option.ts");
  for (const category of ["model", "mode"] as const) {
    const value = options[category];
    if (value === undefined) continue;
    const found = findSelectable(room, category);
    if (found === undefined) throw new UsageError(`this agent does not let its ${category} be chosen`);
    await choose(found, category, value);
  }
}

/** Models may be chosen that are not listed; modes may not. */
async function choose(found: Selectable, category: Category, value: string): Promise<void> {
  const known = found.choices.map(({ id }) => id);
  if (category === "mode" && !known.includes(value))
    throw new UsageError(`there is no mode "${value}"; choose from ${known.join(", ")}`);
  try {
    await found.set(value);
  } catch (cause) {
    if (!(cause instanceof RpcError) || cause.code !== errorCodes.invalidParams) throw cause;
    throw new UsageError(cause.message.replace(/^Invalid params: /, ""));
  }
}

function greet(conversation: Conversation, agentName: string, cwd: string): void {
  const home = homedir();
  const folder = cwd === home || cwd.startsWith(`${home}/`) ? `~${cwd.slice(home.length)}` : cwd;
  conversation.say(`${agentName} in ${folder}. /help shows keys and commands.`);
}

function canGoOn(client: AcpClient): boolean {
  return client.agentSupports("loadSession") || client.agentSupports("sessionCapabilities.resume");
}

/** Nothing was said to the agent of the session, nothing is worth going on with. */
function tellHowToResume(
  { conversation, agents }: Pick<App, "conversation" | "agents">,
  { agent }: ChatOptions,
  { stdout }: Io,
): void {
  const isOurs = conversation.transcript.items.some((item) => {
    if (item.type !== "message" || item.from !== "user") return false;
    const [first] = item.content;
    return !(first?.type === "text" && agents.hasTaken(first.text));
  });
  if (!isOurs) return;
  const other = agent === undefined ? "" : ` --agent ${JSON.stringify(agent)}`;
  stdout.write(`Go on with this session: agentao --resume ${conversation.sessionId}${other}\n`);
}

async function needFolder(cwd: string): Promise<void> {
  const folder = await stat(cwd).catch(() => undefined);
  if (folder?.isDirectory() !== true) throw new UsageError(`--cwd: there is no folder ${cwd}`);
}

async function toCommand(line: string): Promise<readonly string[]> {
  const { splitWords } = await import("../text/split-words.ts");
  const split = splitWords(line);
  if (split.type === "refused") throw new UsageError(`--agent: ${split.problem}`);
  return split.words;
}
