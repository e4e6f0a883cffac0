// Every sentence the demo says, in the languages it understands.

import { code, inline, quote } from "./quote.ts";
import type { Language } from "./wish.ts";

/** Whatever is put into a sentence is bounded here, and cannot leave its marks. */
export interface Sentences {
  /** Opens the first answer of a session. */
  readonly introduction: string;
  readonly help: string;
  readonly notUnderstood: string;
  listing(path: string): string;
  listed(path: string, told: string): string;
  finding(pattern: string): string;
  found(told: string): string;
  reading(path: string): string;
  read(path: string, told: string): string;
  searching(text: string): string;
  searched(text: string, told: string): string;
  writing(path: string): string;
  wrote(path: string, told: string): string;
  replacing(path: string): string;
  replaced(path: string, told: string): string;
  running(command: string): string;
  ran(command: string, told: string): string;
  readonly question: string;
  readonly options: readonly string[];
  readonly asking: string;
  answered(told: string): string;
  thoughts(about: string | undefined): readonly string[];
  thought(about: string | undefined): string;
  counted(to: number): string;
  readonly failure: string;
  readonly planItems: readonly string[];
  /** `dropped` more items are not part of it. */
  planning(items: readonly string[], dropped: number): string;
  readonly planDone: string;
  cannotDo(item: string): string;
  denied(told: string): string;
  failed(told: string): string;
  noTool(names: readonly string[]): string;
}

const moreLines = (lines: number): string => `*… and ${lines} more ${lines === 1 ? "line" : "lines"}*`;
const quoted = (told: string): string => quote(told, moreLines);

const numbered = (items: readonly string[]): string => items.map((item, at) => `${at + 1}. ${inline(item)}`).join("\n");

const english: Sentences = {
  introduction:
    "**This is the built-in demo: a script, not a real model.** It needs no key and understands only a few requests. " +
    "For a real model, set `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` or `GEMINI_API_KEY` " +
    "(or configure any OpenAI-compatible endpoint) and start again.",
  help: [
    "You can ask me, for example:",
    "",
    "- `list files`, `what is in src?`, `find *.md`",
    "- `read README.md`",
    "- `search for TODO in *.ts`",
    "- `create notes.txt with hello world`",
    "- `replace hello with goodbye in notes.txt`",
    "- `run git status`, or `!git status`",
    "- `make a plan`, or `plan: list files; read README.md`",
    "- `ask me something`, `think about prime numbers`",
    "- `count to 100`: shows streaming, and can be cancelled",
    "- `fail`, or `fail with rate limit`: shows an error",
  ].join("\n"),
  notUnderstood: "I did not understand that: the demo follows simple rules and knows no language.",
  listing: (path) => `I look at what is in ${code(path)}.`,
  listed: (path, told) => `This is in ${code(path)}:\n\n${quoted(told)}`,
  finding: (pattern) => `I look for files that match ${code(pattern)}.`,
  found: (told) => `These are the files:\n\n${quoted(told)}`,
  reading: (path) => `I read ${code(path)}.`,
  read: (path, told) => `This is what ${code(path)} says:\n\n${quoted(told)}`,
  searching: (text) => `I search for ${code(text)}.`,
  searched: (text, told) => `This is what I found for ${code(text)}:\n\n${quoted(told)}`,
  writing: (path) => `I write ${code(path)}.`,
  wrote: (path, told) => `${code(path)} is written. ${inline(told)}`,
  replacing: (path) => `Now I change ${code(path)}.`,
  replaced: (path, told) => `${code(path)} is changed. ${inline(told)}`,
  running: (command) => `I run ${code(command)}.`,
  ran: (command, told) => `${code(command)} gave:\n\n${quoted(told)}`,
  question: "Which colour do you like best?",
  options: ["Red", "Green", "Blue"],
  asking: "I have a question for you.",
  answered: (told) => `Thank you. I was told: ${inline(told)}`,
  thoughts: (about) => [
    about === undefined ? "I was asked to think. " : `I was asked to think about ${inline(about)}. `,
    "A model would weigh what it knows here, and doubt some of it. ",
    "I am a script, so I only show how thinking looks while it goes on.",
  ],
  thought: (about) =>
    `I have thought${about === undefined ? "" : ` about ${inline(about)}`}. My conclusion is that a real model would do this better.`,
  counted: (to) => `\n\nThat is ${to}, and as far as the demo goes.`,
  failure: "You asked the demo to fail, so it failed. Nothing is broken.",
  planItems: ["List the files", "Find *.md", "Think about what is here"],
  planning: (items, dropped) =>
    `This is my plan:\n\n${numbered(items)}${dropped > 0 ? `\n\nThe ${dropped} behind that are too many for the demo.` : ""}`,
  planDone: "I have gone through the plan.",
  cannotDo: (item) => `The demo cannot do this: ${inline(item)}`,
  denied: (told) => `That was not allowed, so I leave it: ${inline(reasonIn(told))}.`,
  failed: (told) => `That failed:\n\n${quoted(told)}`,
  noTool: (names) => `I cannot do that here: no tool for it is offered (${names.map(code).join(" or ")}).`,
};

const moreLinesChinese = (lines: number): string => `*……还有 ${lines} 行*`;
const quotedChinese = (told: string): string => quote(told, moreLinesChinese);

const chinese: Sentences = {
  introduction:
    "**这是内置演示：它是脚本，不是真正的模型。**它不需要密钥，只懂几种简单的请求。" +
    "要使用真正的模型，请设置 `OPENAI_API_KEY`、`ANTHROPIC_API_KEY` 或 `GEMINI_API_KEY`" +
    "（也可以配置任何兼容 OpenAI 的接口），然后重新启动。",
  help: [
    "你可以这样说：",
    "",
    "- `列出文件`、`src 里有什么`、`查找 *.md`",
    "- `读取 README.md`",
    "- `在 *.ts 中搜索 TODO`",
    "- `创建 notes.txt，内容为 你好世界`",
    "- `把 notes.txt 中的 你好 替换成 再见`",
    "- `运行 git status`，或者 `!git status`",
    "- `做一个计划`，或者 `计划：列出文件；读取 README.md`",
    "- `问我一个问题`、`想一想素数`",
    "- `数到 100`：演示流式输出，可以中途取消",
    "- `失败`：演示错误",
  ].join("\n"),
  notUnderstood: "我没有听懂：这个演示只按简单的规则工作。",
  listing: (path) => `我来看看 ${code(path)} 里有什么。`,
  listed: (path, told) => `${code(path)} 里有：\n\n${quotedChinese(told)}`,
  finding: (pattern) => `我来查找符合 ${code(pattern)} 的文件。`,
  found: (told) => `找到的文件：\n\n${quotedChinese(told)}`,
  reading: (path) => `我来读取 ${code(path)}。`,
  read: (path, told) => `${code(path)} 的内容：\n\n${quotedChinese(told)}`,
  searching: (text) => `我来搜索 ${code(text)}。`,
  searched: (text, told) => `${code(text)} 的搜索结果：\n\n${quotedChinese(told)}`,
  writing: (path) => `我来写入 ${code(path)}。`,
  wrote: (path, told) => `${code(path)} 已写入。${inline(told)}`,
  replacing: (path) => `现在修改 ${code(path)}。`,
  replaced: (path, told) => `${code(path)} 已修改。${inline(told)}`,
  running: (command) => `我来运行 ${code(command)}。`,
  ran: (command, told) => `${code(command)} 的输出：\n\n${quotedChinese(told)}`,
  question: "你最喜欢哪种颜色？",
  options: ["红色", "绿色", "蓝色"],
  asking: "我想问你一个问题。",
  answered: (told) => `谢谢。我得到的回答是：${inline(told)}`,
  thoughts: (about) => [
    about === undefined ? "我需要思考一下。" : `我需要思考：${inline(about)}。`,
    "真正的模型会在这里权衡它所知道的内容。",
    "我只是脚本，所以只演示思考的过程是什么样子。",
  ],
  thought: (about) =>
    `${about === undefined ? "我想过了" : `关于${inline(about)}，我想过了`}。结论是：真正的模型会做得更好。`,
  counted: (to) => `\n\n一共 ${to} 个，演示到此为止。`,
  failure: "你让演示失败，所以它失败了。其实没有任何问题。",
  planItems: ["列出文件", "查找 *.md", "想一想这里有什么"],
  planning: (items, dropped) =>
    `我的计划：\n\n${numbered(items)}${dropped > 0 ? `\n\n后面还有 ${dropped} 项，超出了演示的范围。` : ""}`,
  planDone: "计划走完了。",
  cannotDo: (item) => `演示做不到：${inline(item)}`,
  denied: (told) => `没有得到允许，我就不做了：${inline(reasonIn(told))}。`,
  failed: (told) => `失败了：\n\n${quotedChinese(told)}`,
  noTool: (names) => `这里做不到：没有提供可用的工具（${names.map(code).join("、")}）。`,
};

export const SENTENCES: Readonly<Record<Language, Sentences>> = { english, chinese };

/** Why a call was denied, of all that a model is told about it. */
function reasonIn(told: string): string {
  return (/ because (.+?)\. Do not try it again/s.exec(told)?.[1] ?? told).replace(/\.$/, "");
}
