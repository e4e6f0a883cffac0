// What the demo understands of English. The first rule that fits counts, so the narrow ones come first.

import type { FaultKind } from "../../fault/fault.ts";
import { phrase } from "./phrase.ts";
import { bare, command, items } from "./term.ts";
import {
  countTo,
  findFiles,
  findKind,
  listOf,
  looksLikeFile,
  readFrom,
  readLines,
  replaceIn,
  searchFor,
  thinkAbout,
  writeTo,
} from "./to-wish.ts";
import type { Rule, Wish } from "./wish.ts";

const CREATE = "(create|write|make|add|save|generate) [me]";
const NEW_FILE = "[a|an|the] [new] [empty] [text] [file] [called|named]";
const WITH = "(,? (with|containing|that says|that contains|saying)|:) [the] [text|content|contents|words?|line]:?";
const REPLACE = "(replace|change|substitute|swap|rename) [all] [of] [the text|the word|the string]";
const BY = "(with|by|to|into|->|=>|→)";
const SHOW = "(read|show|print|display|view) [me]";
const FOLDER = "(folder|directory|dir|workspace|project|repo|repository)";

export const ENGLISH: readonly Rule[] = [
  phrase("!~<rest>", ([said]) => ({ type: "run", command: (said ?? "").trim() })),
  phrase("(help|commands|hi|hello|hey) [there]", () => ({ type: "help" })),
  phrase("(what can you do|who are you|what are you|how does this work) [.*]", () => ({ type: "help" })),

  phrase("(run|execute) [the|all|my|our]* [unit] tests?", () => ({ type: "run", command: "npm test" })),
  phrase("(run|execute|exec) [the|this] [shell] [command]:? <rest>", ([said]) => ({
    type: "run",
    command: command(said),
  })),

  phrase("count [from 1|from one|up]* [to] <number>", ([to]) => countTo(to, "numbers")),
  phrase("(count|stream|say|write|print|output|generate) [me] [about] <number> words? [.*]", ([to]) =>
    countTo(to, "words"),
  ),
  phrase("(fail|error|crash|break) [with|by|as] [an?] [<text>] [error|fault]", ([kind]) => fail(kind)),

  phrase(`${REPLACE} <text> ${BY} <text> (in|inside|within) [the] [file] <word> [file]`, ([from, to, path]) =>
    replaceIn(path, from, to),
  ),
  phrase(`in [the] [file] <word>,? ${REPLACE} <text> ${BY} <text>`, ([path, from, to]) => replaceIn(path, from, to)),

  phrase(`${CREATE} ${NEW_FILE} <file>${WITH} <rest>`, ([path, text]) => writeTo(path, text)),
  phrase(`${CREATE} [a] [new] file [called|named] <word>${WITH} <rest>`, ([path, text]) => writeTo(path, text)),
  phrase(`(write|save|put|add|store) <text> (to|into|in|as) ${NEW_FILE} <file>`, ([text, path]) => writeTo(path, text)),
  phrase(`(create|make|touch|add) [me] ${NEW_FILE} <file>`, ([path]) => writeTo(path, "")),

  phrase(
    "(find|locate|list|show|search) [for|me] [all] [the] [files] [named|called|matching|like] <glob> [files]",
    (caught) => findFiles(caught[0]),
  ),
  phrase("(find|locate|list|show) [me] [all] [the] <word> files", ([kind]) => findKind(kind)),
  phrase("(find|locate) [all] [the] files? (named|called) <word>", ([name]) => findFiles(`*${bare(name)}*`)),

  phrase("(find )?where [is|are] <text> [is|are] (used|defined|mentioned|called)", ([text]) => search(text)),
  phrase("(search|grep|look|find) [in|through] <word> for <text>", ([where, text]) => search(text, where)),
  phrase(
    "(search|look|grep|find) [the files|the code|all files] [for] <text>( (in|inside|within|under) [the|all] <word> [files|folder|directory])?",
    (caught) => search(caught[0], caught[1]),
  ),

  phrase(
    `(list|show|display|see) [me] [all|of|the|my|every]* (files?|folders?|contents?|everything) [here|there|recursively]*( (in|of|under|from) [the|this|my] [${FOLDER}] [<word>])? [${FOLDER}] [recursively]`,
    ([path], said) => list(path, said),
  ),
  phrase(`(list|show|display) [me] [the|this|my|current]* ${FOLDER}`, (_, said) => list(undefined, said)),
  phrase("(ls|dir|tree|list) [the] [folder|directory] [<word>] [folder|directory] [recursively]", ([path], said) =>
    list(path, said),
  ),
  phrase(
    `what('s|’s|s)? [is|do you see|do we have] [there] [in] [the|this|my|current]* (here|there|${FOLDER})`,
    (_, said) => list(undefined, said),
  ),
  phrase("(what|which) files [.*]", (_, said) => list(undefined, said)),
  phrase("what('s|’s|s| is) in(side)? [the] [file|folder|directory] <word>", ([path], said) =>
    looksLikeFile(path) ? readFrom(path) : list(path, said),
  ),

  phrase(`${SHOW} lines? <number>(~(to|-|–|through)~<number>)? (of|from|in) [the] [file] <word>`, ([from, to, path]) =>
    readLines(Number(from), Number(to ?? from), path),
  ),
  phrase(`${SHOW} [the] first <number> lines (of|from|in) [the] [file] <word>`, ([limit, path]) =>
    readLines(1, Number(limit), path),
  ),
  phrase("(read|open|cat) [me] [the] [contents? of] [the] [file] <word> [file] [to me|for me]", ([path]) =>
    readFrom(path),
  ),
  phrase(
    "(show|print|display|view|see|look at|explain|summari[sz]e|describe|check) [me] [the] [contents? of] [the] [file] <file> [file] [to me|for me]",
    ([path]) => readFrom(path),
  ),
  phrase("what does [the] [file] <file> (contain|say|do)", ([path]) => readFrom(path)),

  phrase(
    "((make|create|write|draft|prepare|show|give) [me] [a|the|an|some] )?(plan|to-?do [list]|todos) [.*?](:~<rest>)?",
    ([steps]) => ({
      type: "plan",
      items: items(steps),
    }),
  ),
  phrase("ask [me] [something|anything|a question](:|,)? [<rest>]", ([said]) => ask(said)),
  phrase(
    "(think|reason|ponder|reflect) [hard|harder|deeply|carefully|aloud|a bit] [about|on|over|of] [<text>]",
    ([about]) => thinkAbout(about),
  ),
];

const POLITE =
  /^(?:(?:please|kindly|(?:can|could|would|will) you|ok(?:ay)?|hey|hi|hello|now|then|also|let'?s|let us|go ahead and|i(?:'d like| want| need) (?:you )?to|try to)[\s,]+)+/i;
const THANKS = /[\s,]+(?:please|thanks|thank you)[.!]*$/i;
const QUESTION = /^\W*(?:can|could|would|will) you\b.*\?$/is;

export function withoutCourtesies(said: string): string {
  const statement = QUESTION.test(said) ? said.slice(0, -1) : said;
  return statement.replace(POLITE, "").replace(THANKS, "");
}

function search(text: string | undefined, where?: string): Wish {
  const sought = (text ?? "").replace(/^the (?:word|text|string|phrase) /i, "");
  return searchFor(sought, where);
}

function list(path: string | undefined, said: string): Wish {
  const word = bare(path);
  const isHere = word === "" || /^(?:here|there|it|files?|all|everything)$/i.test(word);
  const recursive = /\brecursive|\btree\b|\beverything\b|\ball (?:of )?(?:the |my )?files\b/i.test(said);
  return listOf(isHere ? "." : word, recursive);
}

const FAULTS: readonly (readonly [RegExp, FaultKind])[] = [
  [/rate/i, "rate-limit"],
  [/overload/i, "overloaded"],
  [/network|connection/i, "network"],
  [/auth|key|credential/i, "auth"],
  [/overflow|context|window/i, "overflow"],
];

function fail(said: string | undefined): Wish {
  return { type: "fail", kind: FAULTS.find(([pattern]) => pattern.test(said ?? ""))?.[1] ?? "model" };
}

function ask(said: string | undefined): Wish {
  if (said === undefined) return { type: "ask", options: [] };
  const [question = "", options] = said.split(/:\s*/, 2);
  return { type: "ask", question: toQuestion(question), options: options === undefined ? [] : orItems(options) };
}

function orItems(said: string): string[] {
  return items(said.replace(/,?\s+or\s+/gi, ", ").replace(/[.?!]+$/, ""));
}

function toQuestion(said: string): string {
  const text = said.trim().replace(/[.?!]+$/, "");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}?`;
}
