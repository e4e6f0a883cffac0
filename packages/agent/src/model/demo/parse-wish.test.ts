import { describe, expect, test } from "vitest";
import { parseWish } from "./parse-wish.ts";
import type { Wish } from "./wish.ts";

const list = (path = ".", recursive = false): Wish => ({ type: "list", path, recursive });
const find = (pattern: string): Wish => ({ type: "find", pattern });
const read = (path: string, range: { offset?: number; limit?: number } = {}): Wish => ({
  type: "read",
  path,
  ...range,
});
const search = (text: string, files?: string): Wish => ({ type: "search", text, ...(files && { files }) });
const write = (path: string, content: string): Wish => ({ type: "write", path, content });
const replace = (path: string, from: string, to: string): Wish => ({ type: "replace", path, from, to });
const run = (command: string): Wish => ({ type: "run", command });
const plan = (...items: string[]): Wish => ({ type: "plan", items });
const count = (to: number, what: "numbers" | "words" = "numbers"): Wish => ({ type: "count", to, what });

describe("English", () => {
  test.each<[string, Wish]>([
    ["list files", list()],
    ["Please list all the files recursively.", list(".", true)],
    ["What is here?", list()],
    ["what's in this folder", list()],
    ["which files do you see?", list()],
    ["ls", list()],
    ["ls src", list("src")],
    ["tree", list(".", true)],
    ["show me the files in src/", list("src")],
    ["what is in src?", list("src")],
    ["what is in README.md?", read("README.md")],

    ["find *.md", find("**/*.md")],
    ["list all src/**/*.ts files", find("src/**/*.ts")],
    ["find all TypeScript files", find("**/*.ts")],
    ["find files named config", find("**/*config*")],

    ["read README.md", read("README.md")],
    ["Could you show me the file src/a.ts, please?", read("src/a.ts")],
    ["can you read `my notes.txt`?", read("my notes.txt")],
    ["open LICENSE", read("LICENSE")],
    ["show me lines 10 to 20 of a.ts", read("a.ts", { offset: 10, limit: 11 })],
    ["show the first 5 lines of a.ts", read("a.ts", { offset: 1, limit: 5 })],
    ["what does .gitignore say?", read(".gitignore")],

    ["search for TODO", search("TODO")],
    ["search for TODO in *.ts", search("TODO", "*.ts")],
    ["grep TODO in src", search("TODO", "src/**")],
    ["find TODO in markdown files", search("TODO", "*.md")],
    ['look for "made in china"', search("made in china")],
    ["where is runTurn defined?", search("runTurn")],
    ["search the code for a b", search("a b")],
    ["search src for TODO", search("TODO", "src/**")],

    ["create notes.txt with hello world", write("notes.txt", "hello world")],
    ["Create a new file called notes.txt containing 'Hello, world.'", write("notes.txt", "Hello, world.")],
    ["create a file named Notes with x", write("Notes", "x")],
    ["write hello to a/b.md", write("a/b.md", "hello")],
    ["make notes.txt: one. Two!", write("notes.txt", "one. Two!")],
    ["create a.ts with the content:\n```ts\nexport {};\n```", write("a.ts", "export {};\n")],
    ["create an empty file empty.txt", write("empty.txt", "")],
    ["create 你.txt with 你好", write("你.txt", "你好")],

    ["replace foo with bar in a.txt", replace("a.txt", "foo", "bar")],
    ["In the file a.txt, change 'a b' to \"c d\".", replace("a.txt", "a b", "c d")],

    ["run npm test", run("npm test")],
    ["run the tests", run("npm test")],
    ["!ls -la; echo done.", run("ls -la; echo done.")],
    ["execute `git status`.", run("git status")],
    ["can you run ls src?", run("ls src")],
    ["run ls ..", run("ls ..")],
    ["run echo 'a' 'b'", run("echo 'a' 'b'")],

    ["make a plan", plan()],
    ["make a plan to add a dark mode", plan()],
    ["plan: list files; read README.md", plan("list files", "read README.md")],
    ["create a to-do list:\n1. list files\n2. run ls", plan("list files", "run ls")],
    ["plan: list files, and then", plan("list files", "then")],

    ["ask me something", { type: "ask", options: [] }],
    [
      "ask me which colour: red, green or blue?",
      { type: "ask", question: "Which colour?", options: ["red", "green", "blue"] },
    ],
    ["ask me how it went", { type: "ask", question: "How it went?", options: [] }],
    ["think", { type: "think" }],
    ["Think hard about prime numbers.", { type: "think", about: "prime numbers" }],
    ["count to 100", count(100)],
    ["stream 50 words", count(50, "words")],
    ["fail", { type: "fail", kind: "model" }],
    ["fail with a rate limit", { type: "fail", kind: "rate-limit" }],
    ["help", { type: "help" }],
    ["Hello!", { type: "help" }],
    ["what can you do?", { type: "help" }],
    ["", { type: "help" }],
    ["tell me a joke", { type: "unknown" }],
    [`read ${"x".repeat(4_000)}`, { type: "unknown" }],
  ])("understands %j", (said, wish) => {
    expect(parseWish(said)).toEqual({ wish, language: "english" });
  });
});

describe("Chinese", () => {
  test.each<[string, Wish]>([
    ["列出文件", list()],
    ["这里有什么？", list()],
    ["当前目录下有哪些文件", list()],
    ["请列出所有文件", list(".", true)],
    ["帮我列出 src 目录的文件", list("src")],
    ["src 里有什么", list("src")],
    ["查找所有 *.md 文件", find("**/*.md")],
    ["读取README.md的内容", read("README.md")],
    ["请帮我打开 src/a.ts，谢谢", read("src/a.ts")],
    ["看看笔记.txt", read("笔记.txt")],
    ["搜索 TODO", search("TODO")],
    ["在 *.ts 中搜索 TODO", search("TODO", "*.ts")],
    ["在 src 目录里查找 runTurn", search("runTurn", "src/**")],
    ["创建 notes.txt，内容为 你好，世界。", write("notes.txt", "你好，世界。")],
    ["新建文件 notes.txt 写入 hello", write("notes.txt", "hello")],
    ["把“走吧”写入 notes.txt", write("notes.txt", "走吧")],
    ["新建一个文件 空.txt", write("空.txt", "")],
    ["把 a.txt 中的 foo 替换成 bar", replace("a.txt", "foo", "bar")],
    ["在a.txt里把“你好”改成“再见”", replace("a.txt", "你好", "再见")],
    ["运行 npm test", run("npm test")],
    ["运行测试", run("npm test")],
    ["执行命令：ls -la", run("ls -la")],
    ["!echo 你好", run("echo 你好")],
    ["做一个计划", plan()],
    ["制定计划：列出文件；读取 README.md", plan("列出文件", "读取 README.md")],
    ["问我一个问题", { type: "ask", options: [] }],
    ["问我喜欢什么颜色：红、绿还是蓝？", { type: "ask", question: "喜欢什么颜色？", options: ["红", "绿", "蓝"] }],
    ["想一想素数", { type: "think", about: "素数" }],
    ["思考一下", { type: "think" }],
    ["从 1 数到 20", count(20)],
    ["输出 50 个字", count(50, "words")],
    ["失败", { type: "fail", kind: "model" }],
    ["你好", { type: "help" }],
    ["你能做什么？", { type: "help" }],
    ["讲个笑话", { type: "unknown" }],
  ])("understands %j", (said, wish) => {
    expect(parseWish(said)).toEqual({ wish, language: "chinese" });
  });
});

test.each([
  `replace ${"with ".repeat(790)}`,
  `replace a${" ".repeat(3_980)}b`,
  `write ${"to a.b ".repeat(560)} !`,
  `list ${"the ".repeat(990)}`,
  `创建 ${" ".repeat(3_980)} !x`,
  `读取 ${"a.b/".repeat(990)} !x`,
  `列出${"文件".repeat(1_990)}x`,
])("gives up on nonsense without thinking long, case %#", (said) => {
  const begun = performance.now();
  parseWish(said);
  expect(performance.now() - begun).toBeLessThan(1_000);
});
