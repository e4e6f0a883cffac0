// What the demo understands of Chinese. The first rule that fits counts, so the narrow ones come first.

import { phrase } from "./phrase.ts";
import { bare, command, items } from "./term.ts";
import {
  countTo,
  findFiles,
  listOf,
  looksLikeFile,
  readFrom,
  replaceIn,
  searchFor,
  thinkAbout,
  writeTo,
} from "./to-wish.ts";
import type { Rule, Wish } from "./wish.ts";

const IN = "(这个)?(文件|目录|文件夹)?(中|里面|里|下面|下)?的?";
const REPLACE = "(全部|都)?(替换|改|换|修改|更改)(成|为)";
const LIST_WORDS =
  "(一下|这里|这儿|这个|当前|目录|文件夹|项目|工作区|所有|全部|我的|的|下面|下|里面|里|中|都|有|什么|哪些|文件|内容|东西|吗|呢)+";

export const CHINESE: readonly Rule[] = [
  phrase("!~<rest>", ([said]) => ({ type: "run", command: (said ?? "").trim() })),
  phrase("(帮助|你好|您好|嗨|怎么用|使用说明|你?(能|会|可以)(做|干)?(些)?什么|你是谁)[吗呢啊呀]?", () => ({
    type: "help",
  })),
  phrase("(运行|执行|跑)(一下)?(所有|全部)?(的)?(单元)?测试", () => ({ type: "run", command: "npm test" })),
  phrase("(运行|执行)(一下)?(这个|下面的)?(命令|指令)?[:：]?~<rest>", ([said]) => ({
    type: "run",
    command: command(said),
  })),
  phrase("(从~(1|一)~)?(开始)?(数数|数)?(数)?到~<number>", ([to]) => countTo(to, "numbers")),
  phrase("(输出|写|说|生成|打印|数)~<number>~个?(字|词|单词|数|数字)", ([to]) => countTo(to, "words")),
  phrase("(模拟|制造|来)?(一个|一次)?(失败|出错|报错|错误|故障|崩溃)(一下|一次)?", () => ({
    type: "fail",
    kind: "model",
  })),
  phrase("(问我|问一下我|向我提问|提问)(一?个?问题)?[:：,，]?~<rest>?", ([said]) => ask(said)),
  phrase("(思考|想一想|想想|想一下|推理|考虑)(一下)?(关于)?[:：,，]?~<text>?", ([about]) => thinkAbout(about)),
  phrase(`(在|把|将)~<word>~${IN}~(把|将)~<text>~${REPLACE}~<text>`, ([path, from, to]) => replaceIn(path, from, to)),
  phrase(`(把|将)~<word>~(这个)?(文件)?(中|里面|里)的?~<text>~${REPLACE}~<text>`, ([path, from, to]) =>
    replaceIn(path, from, to),
  ),
  phrase(
    "(创建|新建|建立|生成|写)(一个|个)?(新的?)?(文本)?(文件)?~(叫做|叫|名为)?~<word>~(的)?(文件)?[,，:：]?~(内容(为|是|写)?|写入|写上|里面写|包含)[:：]?~<rest>",
    ([path, text]) => writeTo(path, text),
  ),
  phrase("(把|将)~<text>~(写入|写到|写进|保存到|保存为|存到|存为)~(文件)?~<word>~(文件)?(中|里)?", ([text, path]) =>
    writeTo(path, text),
  ),
  phrase("(创建|新建|建立)(一个|个)?(新的?)?(空)?(的)?(文本)?(文件)?~(叫做|叫|名为)?~<file>~(的)?(文件)?", ([path]) =>
    writeTo(path, ""),
  ),
  phrase("(列出|查找|搜索|找|显示)(一下|出)?(所有|全部)?(的)?~<glob>~(的)?(文件)?", ([glob]) => findFiles(glob)),
  phrase(`在~<word>~${IN}~(搜索|查找|搜|找)(一下)?(包含)?~<text>`, ([where, text]) => searchFor(text, where)),
  phrase("(搜索|查找|查一下|搜|找)(一下)?(包含)?~<text>~(在哪里|在哪儿?|的(地方|位置))?", ([text]) => searchFor(text)),
  phrase(`(列出|看看|看一下|显示|查看|列一下)?~${LIST_WORDS}`, (_, said) => list(".", said)),
  phrase("列出~<word>~(目录|文件夹)?(中|里面|里|下面|下)?(的)?(所有|全部)?(的)?(文件|内容)?", ([path], said) =>
    list(path, said),
  ),
  phrase("(看看)?~<word>~(目录|文件夹)?(中|里面|里|下面|下)(都)?有(什么|哪些)(文件|内容|东西)?", ([path], said) =>
    looksLikeFile(path) ? readFrom(path) : list(path, said),
  ),
  phrase(
    "(读取|读一下|读|打开|查看|显示|看看|看一下|看|输出|解释|总结)(一下)?~(文件)?~<file>~(这个)?(文件)?(中|里面|里)?(的)?(内容)?",
    ([path]) => readFrom(path),
  ),
  phrase("(读取|读一下|打开)(文件)?~<word>~(文件)?(的)?(内容)?", ([path]) => readFrom(path)),
  phrase("[^:：]{0,20}?(计划|规划|待办|任务清单)[^:：]*([:：]~<rest>)?", ([said]) => ({
    type: "plan",
    items: items(said),
  })),
];

const POLITE = /^(?:\s|请|麻烦|帮我|帮忙|给我|替我|你?能不能|你?能否|可不可以|可以|现在|然后|[，,])+(?=.)/;
const THANKS = /[\s，,]*(?:好吗|可以吗|行吗|谢谢你?)[。.？?！!]*$/;

export function withoutChineseCourtesies(said: string): string {
  return said.replace(POLITE, "").replace(THANKS, "");
}

function list(path: string | undefined, said: string): Wish | undefined {
  const isAboutFiles = path !== "." || /文件|目录|什么|哪些|项目|工作区|内容/.test(said);
  if (!isAboutFiles) return undefined;
  return listOf(bare(path), /所有|全部/.test(said));
}

function ask(said: string | undefined): Wish {
  if (said === undefined) return { type: "ask", options: [] };
  const [question = "", options] = said.split(/[:：]\s*/, 2);
  const text = question.trim().replace(/[。.？?！!]+$/, "");
  return {
    type: "ask",
    question: `${text}？`,
    options: options === undefined ? [] : items(options.replace(/还是|或者?/g, "，").replace(/[。.？?！!]+$/, "")),
  };
}
