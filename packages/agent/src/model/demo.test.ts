import { describe, expect, test } from "vitest";
import type { CallId, MessageId } from "../id/id.ts";
import type { AssistantMessage, CallPart, Message, PromptPart, ResultMessage } from "../message/message.ts";
import { SENTENCES } from "./demo/sentence.ts";
import { demoModel } from "./demo.ts";
import type { ModelEvent, ToolSpec } from "./model.ts";

const never = new AbortController().signal;

type Told = string | { readonly failed: string };
type Tools = Readonly<Record<string, (input: Record<string, unknown>) => Told>>;

/** A workspace without a disk: what each tool tells. */
const tools: Tools = {
  list_directory: () => "[DIR] src\n[FILE] README.md (12 bytes)",
  glob: () => "Found 1 file(s):\nREADME.md",
  read_file: ({ file_path }) => (file_path === "README.md" ? "1\thello" : { failed: `Error: no file ${file_path}` }),
  search_file_content: () => "Found 1 match(es):\nREADME.md:1:hello",
  write_file: ({ file_path }) => `Successfully wrote to ${file_path}`,
  replace: ({ file_path }) => `Replaced 1 occurrence(s) in ${file_path}`,
  run_shell_command: () => "STDOUT:\nok",
  todo_write: () => "Todo list updated",
  ask_user: () => "Green",
};

const only = (...names: string[]): Tools => Object.fromEntries(names.map((name) => [name, tools[name] ?? (() => "")]));

/** One line for each thing said, and one for each call. */
type Transcript = (string | readonly [name: string, input: unknown])[];

class Talk {
  readonly messages: Message[] = [];
  readonly #tools: Tools;
  readonly #delays: number[] = [];

  constructor(offered: Tools = tools) {
    this.#tools = offered;
  }

  /** The turn, as the loop would run it. */
  async say(prompt: string | readonly PromptPart[]): Promise<Transcript> {
    const parts = typeof prompt === "string" ? [{ type: "text" as const, text: prompt }] : prompt;
    this.messages.push({ role: "user", id: "msg" as MessageId, parts });
    const transcript: Transcript = [];
    for (let step = 0; step < 40; step++) {
      const answer = toMessage(await this.answer());
      this.messages.push(answer);
      const said = answer.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
      if (said !== "") transcript.push(said);
      const calls = answer.parts.filter((part) => part.type === "call");
      transcript.push(...calls.map(({ name, input }) => [name, JSON.parse(input)] as const));
      if (calls.length === 0) return transcript;
      this.messages.push(...calls.map((call) => this.#execute(call)));
    }
    throw new Error("the demo does not come to an end");
  }

  async answer(): Promise<ModelEvent[]> {
    const model = demoModel({ delay: async (ms) => void this.#delays.push(ms) });
    const offered = Object.keys(this.#tools).map((name): ToolSpec => ({ name, description: "", inputSchema: {} }));
    const events: ModelEvent[] = [];
    for await (const event of model.stream({ system: "", messages: this.messages, tools: offered }, never)) {
      events.push(event);
    }
    return events;
  }

  get delays(): readonly number[] {
    return this.#delays;
  }

  #execute({ callId, name, input }: CallPart): ResultMessage {
    const told = this.#tools[name]?.(JSON.parse(input));
    if (told === undefined) throw new Error(`${name} was not offered`);
    const failed = typeof told !== "string";
    return { role: "result", callId, name, failed, parts: [{ type: "text", text: failed ? told.failed : told }] };
  }
}

function toMessage(events: readonly ModelEvent[]): AssistantMessage {
  const parts = events.flatMap((event): AssistantMessage["parts"] => {
    if (event.type === "text-delta") return [{ type: "text", text: event.text }];
    if (event.type === "call")
      return [{ type: "call", callId: event.id as CallId, name: event.name, input: event.input }];
    return [];
  });
  return { role: "assistant", id: "msg" as MessageId, parts };
}

/** A talk in which the demo has introduced itself. */
async function introduced(offered: Tools = tools): Promise<Talk> {
  const talk = new Talk(offered);
  await talk.say("help");
  return talk;
}

const denying: Tools = Object.fromEntries(
  Object.keys(tools).map((name) => [name, () => ({ failed: "denied by the user" })]),
);

describe("the first answer", () => {
  test("says that this is no model, and how to get one", async () => {
    expect(await new Talk().say("hello")).toEqual([
      "**This is the built-in demo: a script, not a real model.** It needs no key and understands only a few requests. " +
        "For a real model, set `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` or `GEMINI_API_KEY` " +
        "(or configure any OpenAI-compatible endpoint) and start again.\n\n" +
        SENTENCES.english.help,
    ]);
  });

  test("says so once, before the first call", async () => {
    const talk = new Talk();
    expect(await talk.say("list files")).toEqual([
      `${SENTENCES.english.introduction}\n\nI look at what is in \`.\`.`,
      ["list_directory", { directory_path: ".", recursive: false }],
      "This is in `.`:\n\n```\n[DIR] src\n[FILE] README.md (12 bytes)\n```",
    ]);
    expect(await talk.say("think")).toEqual([
      "I have thought. My conclusion is that a real model would do this better.",
    ]);
  });

  test("is in Chinese where the request is", async () => {
    const [said] = await new Talk().say("你好");
    expect(said).toBe(`${SENTENCES.chinese.introduction}\n\n${SENTENCES.chinese.help}`);
    expect(said).toMatch(/演示.*OPENAI_API_KEY.*ANTHROPIC_API_KEY.*GEMINI_API_KEY/s);
  });
});

describe("a request", () => {
  test.each<{ said: string; transcript: Transcript }>([
    {
      said: "read README.md",
      transcript: [
        "I read `README.md`.",
        ["read_file", { file_path: "README.md" }],
        "This is what `README.md` says:\n\n```\n1\thello\n```",
      ],
    },
    {
      said: "show lines 3-4 of README.md",
      transcript: [
        "I read `README.md`.",
        ["read_file", { file_path: "README.md", offset: 3, limit: 2 }],
        "This is what `README.md` says:\n\n```\n1\thello\n```",
      ],
    },
    {
      said: "find *.md",
      transcript: [
        "I look for files that match `**/*.md`.",
        ["glob", { pattern: "**/*.md" }],
        "These are the files:\n\n```\nFound 1 file(s):\nREADME.md\n```",
      ],
    },
    {
      said: "search for hello in *.md",
      transcript: [
        "I search for `hello`.",
        ["search_file_content", { pattern: "hello", file_pattern: "*.md" }],
        "This is what I found for `hello`:\n\n```\nFound 1 match(es):\nREADME.md:1:hello\n```",
      ],
    },
    {
      said: "create notes.txt with hello world",
      transcript: [
        "I write `notes.txt`.",
        ["write_file", { file_path: "notes.txt", content: "hello world" }],
        "`notes.txt` is written. Successfully wrote to notes.txt",
      ],
    },
    {
      said: "replace hello with bye in README.md",
      transcript: [
        "I read `README.md`.",
        ["read_file", { file_path: "README.md" }],
        "Now I change `README.md`.",
        ["replace", { file_path: "README.md", old_text: "hello", new_text: "bye" }],
        "`README.md` is changed. Replaced 1 occurrence(s) in README.md",
      ],
    },
    {
      said: "!echo `date`",
      transcript: [
        "I run `` echo `date` ``.",
        ["run_shell_command", { command: "echo `date`", description: "echo `date`" }],
        "`` echo `date` `` gave:\n\n```\nSTDOUT:\nok\n```",
      ],
    },
    {
      said: "ask me something",
      transcript: [
        "I have a question for you.",
        ["ask_user", { question: "Which colour do you like best?", options: ["Red", "Green", "Blue"] }],
        "Thank you. I was told: Green",
      ],
    },
    {
      said: "ask me how it went",
      transcript: [
        "I have a question for you.",
        ["ask_user", { question: "How it went?" }],
        "Thank you. I was told: Green",
      ],
    },
    {
      said: "tell me a joke",
      transcript: [`${SENTENCES.english.notUnderstood}\n\n${SENTENCES.english.help}`],
    },
    {
      said: "读取 README.md",
      transcript: [
        "我来读取 `README.md`。",
        ["read_file", { file_path: "README.md" }],
        "`README.md` 的内容：\n\n```\n1\thello\n```",
      ],
    },
    {
      said: "把 README.md 中的 hello 替换成 你好",
      transcript: [
        "我来读取 `README.md`。",
        ["read_file", { file_path: "README.md" }],
        "现在修改 `README.md`。",
        ["replace", { file_path: "README.md", old_text: "hello", new_text: "你好" }],
        "`README.md` 已修改。Replaced 1 occurrence(s) in README.md",
      ],
    },
  ])("$said", async ({ said, transcript }) => {
    expect(await (await introduced()).say(said)).toEqual(transcript);
  });

  test("may name a file by a link", async () => {
    const talk = await introduced(only("read_file"));
    const transcript = await talk.say([
      { type: "text", text: "show me " },
      { type: "link", uri: "file:///tmp/my%20notes.txt", name: "my notes.txt" },
    ]);
    expect(transcript[1]).toEqual(["read_file", { file_path: "/tmp/my notes.txt" }]);
  });

  test("is followed by others, each answered from its own results", async () => {
    const talk = await introduced();
    await talk.say("list files");
    await talk.say("replace hello with bye in README.md");
    expect((await talk.say("run ls")).slice(1)).toEqual([
      ["run_shell_command", { command: "ls", description: "ls" }],
      "`ls` gave:\n\n```\nSTDOUT:\nok\n```",
    ]);
    const calls = talk.messages.flatMap((message) => (message.role === "assistant" ? message.parts : []));
    expect(calls.flatMap((part) => (part.type === "call" ? [part.callId] : []))).toEqual([
      "call_1",
      "call_2",
      "call_3",
      "call_4",
    ]);
  });
});

describe("a plan", () => {
  const status = (content: string, status: string) => ({ content, status });

  test("is written down, worked through and kept up to date", async () => {
    const talk = await introduced();
    expect(await talk.say("plan: list files; tell a joke; read README.md")).toEqual([
      "This is my plan:\n\n1. list files\n2. tell a joke\n3. read README.md",
      todos(status("list files", "in_progress"), status("tell a joke", "pending"), status("read README.md", "pending")),
      "I look at what is in `.`.",
      ["list_directory", { directory_path: ".", recursive: false }],
      "This is in `.`:\n\n```\n[DIR] src\n[FILE] README.md (12 bytes)\n```",
      todos(
        status("list files", "completed"),
        status("tell a joke", "in_progress"),
        status("read README.md", "pending"),
      ),
      "The demo cannot do this: tell a joke",
      todos(
        status("list files", "completed"),
        status("tell a joke", "completed"),
        status("read README.md", "in_progress"),
      ),
      "I read `README.md`.",
      ["read_file", { file_path: "README.md" }],
      "This is what `README.md` says:\n\n```\n1\thello\n```",
      todos(
        status("list files", "completed"),
        status("tell a joke", "completed"),
        status("read README.md", "completed"),
      ),
      "I have gone through the plan.",
    ]);
  });

  test("has items of its own, which the demo understands, in both languages", async () => {
    const offered = only("glob");
    expect(await (await introduced(offered)).say("make a plan")).toEqual([
      "This is my plan:\n\n1. List the files\n2. Find *.md\n3. Think about what is here\n\nI look at what is in `.`.",
      ["glob", { pattern: "*" }],
      "This is in `.`:\n\n```\nFound 1 file(s):\nREADME.md\n```\n\nI look for files that match `**/*.md`.",
      ["glob", { pattern: "**/*.md" }],
      "These are the files:\n\n```\nFound 1 file(s):\nREADME.md\n```\n\n" +
        "I have thought about what is here. My conclusion is that a real model would do this better.\n\n" +
        "I have gone through the plan.",
    ]);
    const chinese = await (await introduced(offered)).say("做一个计划");
    expect(chinese.filter((line) => typeof line !== "string")).toEqual([
      ["glob", { pattern: "*" }],
      ["glob", { pattern: "**/*.md" }],
    ]);
  });

  test("goes on when a part of it is not allowed", async () => {
    const talk = await introduced({ ...only("list_directory", "glob"), ...denying, glob: tools.glob ?? (() => "") });
    const transcript = await talk.say("plan: list files; find *.md");
    expect(transcript.filter((line) => typeof line === "string")).toEqual([
      "This is my plan:\n\n1. list files\n2. find *.md",
      "I look at what is in `.`.",
      "That was not allowed, so I leave it: denied by the user.",
      "I look for files that match `**/*.md`.",
      "These are the files:\n\n```\nFound 1 file(s):\nREADME.md\n```",
      "I have gone through the plan.",
    ]);
  });

  test("is not longer than the demo can bear", async () => {
    const talk = await introduced(only("glob"));
    const [said] = await talk.say(`plan: ${Array.from({ length: 10 }, (_, at) => `item ${at}`).join("; ")}`);
    expect(said).toMatch(/8\. item 7\n\nThe 2 behind that are too many for the demo\./);
  });

  function todos(...todos: object[]): readonly [string, unknown] {
    return ["todo_write", { todos }];
  }
});

describe("what goes wrong", () => {
  test("is told: a denial", async () => {
    const talk = await introduced(denying);
    expect(await talk.say("run rm -r build")).toEqual([
      "I run `rm -r build`.",
      ["run_shell_command", { command: "rm -r build", description: "rm -r build" }],
      "That was not allowed, so I leave it: denied by the user.",
    ]);
    expect((await talk.say("创建 a.txt，内容为 x")).at(-1)).toBe("没有得到允许，我就不做了：denied by the user。");
  });

  test("is told: a failure, which ends the request", async () => {
    expect(await (await introduced()).say("replace a with b in nothing.txt")).toEqual([
      "I read `nothing.txt`.",
      ["read_file", { file_path: "nothing.txt" }],
      "That failed:\n\n```\nError: no file nothing.txt\n```",
    ]);
  });

  test("is told: a file system's denial is a failure, not a person's", async () => {
    const talk = await introduced({ write_file: () => ({ failed: "Error: permission denied" }) });
    expect((await talk.say("create a.txt with x")).at(-1)).toBe("That failed:\n\n```\nError: permission denied\n```");
  });

  test("is told: no result at all", async () => {
    const talk = await introduced();
    await talk.say("list files");
    talk.messages.splice(-2, 1);
    talk.messages.pop();
    expect(
      toMessage(await talk.answer())
        .parts.map((part) => (part.type === "text" ? part.text : ""))
        .join(""),
    ).toBe("That failed:\n\n```\nThere is no result.\n```");
  });

  test.each([
    { said: "fail", fault: { kind: "model", message: SENTENCES.english.failure, retryable: false } },
    {
      said: "fail with rate limit",
      fault: { kind: "rate-limit", message: SENTENCES.english.failure, retryable: true, retryAfterMs: 1_000 },
    },
    { said: "失败", fault: { kind: "model", message: SENTENCES.chinese.failure, retryable: false } },
  ])("is a fault without a word before it: $said", async ({ said, fault }) => {
    const talk = new Talk();
    talk.messages.push({ role: "user", id: "msg" as MessageId, parts: [{ type: "text", text: said }] });
    expect(await talk.answer()).toEqual([{ type: "failed", fault }]);
  });
});

describe("tools that are not offered", () => {
  test.each<{ said: string; call: readonly [string, unknown] }>([
    {
      said: "list src",
      call: ["run_shell_command", { command: "ls -la -- src", description: "I look at what is in src." }],
    },
    {
      said: "find a'b*.md",
      call: [
        "run_shell_command",
        { command: "find . -name 'a'\\''b*.md'", description: "I look for files that match **/a'b*.md." },
      ],
    },
    { said: "read -x.md", call: ["run_shell_command", { command: "cat -- -x.md", description: "I read -x.md." }] },
    {
      said: "search for a b in *.ts",
      call: [
        "run_shell_command",
        { command: "grep -rnF --include='*.ts' -e 'a b' -- .", description: "I search for a b." },
      ],
    },
    {
      said: "search for $HOME in src",
      call: ["run_shell_command", { command: "grep -rnF -e '$HOME' -- src", description: "I search for $HOME." }],
    },
  ])("are replaced by a command: $said", async ({ said, call }) => {
    expect((await (await introduced(only("run_shell_command"))).say(said))[1]).toEqual(call);
  });

  test("are never called, whatever is asked", async () => {
    const talk = await introduced({});
    const wishes = [
      "list files",
      "find *.md",
      "read a.md",
      "search for a",
      "create a.md with b",
      "replace a with b in c",
    ];
    for (const said of [...wishes, "run ls", "ask me something", "make a plan"]) {
      const transcript = await talk.say(said);
      expect(transcript).toEqual([expect.stringContaining("I cannot do that here: no tool for it is offered")]);
    }
  });
});

describe("streaming", () => {
  test("counts with a small delay after each number", async () => {
    const talk = await introduced();
    expect(await talk.say("count to 5")).toEqual(["1 2 3 4 5"]);
    expect(talk.delays).toEqual([40, 40, 40, 40, 40]);
  });

  test("says so many words", async () => {
    const [said] = await (await introduced()).say("stream 20 words");
    expect(String(said).split(" ")).toHaveLength(20);
  });

  test("stops counting somewhere, and says so", async () => {
    const [said] = await (await introduced()).say("count to 999999999");
    expect(said).toMatch(/ 9999 10000\n\nThat is 10000, and as far as the demo goes\.$/);
  });

  test("thinks before it speaks", async () => {
    const talk = await introduced();
    talk.messages.push({ role: "user", id: "msg" as MessageId, parts: [{ type: "text", text: "think about life" }] });
    const events = await talk.answer();
    const types = events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);
    expect(types).toEqual(["reasoning-delta", "reasoning-end", "text-delta", "usage", "finish"]);
  });
});

describe("quotes", () => {
  test("are bounded in lines, and say what was left out", async () => {
    const long = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`).join("\n");
    const talk = await introduced({ read_file: () => `${long}\n` });
    expect((await talk.say("read a.txt")).at(-1)).toBe(
      `This is what \`a.txt\` says:\n\n\`\`\`\n${long.split("\n").slice(0, 20).join("\n")}\n\`\`\`\n*… and 10 more lines*`,
    );
  });

  test("are bounded in characters, and cannot be left by what is quoted", async () => {
    const talk = await introduced({ read_file: () => `\`\`\`\n${"x".repeat(5_000)}\nend` });
    expect((await talk.say("read a.txt")).at(-1)).toBe(
      `This is what \`a.txt\` says:\n\n\`\`\`\`\n\`\`\`\n${"x".repeat(1_496)}…\n\`\`\`\`\n*… and 1 more line*`,
    );
  });
});

test("is the model that needs no key", () => {
  expect(demoModel().info).toEqual({
    id: "scripted/demo",
    name: "Demo (scripted, no key needed)",
    windowTokens: 200_000,
    takes: { image: false, audio: false },
    thoughtLevels: [],
  });
});
