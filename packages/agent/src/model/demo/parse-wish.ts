// A message becomes a wish, and the language it was made in.

import { CHINESE, withoutChineseCourtesies } from "./chinese.ts";
import { ENGLISH, withoutCourtesies } from "./english.ts";
import type { Language, Rule, Wish } from "./wish.ts";

interface Understood {
  readonly wish: Wish;
  readonly language: Language;
}

/** The rules are for sentences; more is not looked at. */
const MAX_CHARACTERS = 4_000;

export function parseWish(message: string): Understood {
  const said = message.trim();
  const isChinese = /\p{Script=Han}/u.test(said);
  if (said === "") return { wish: { type: "help" }, language: "english" };
  if (said.length > MAX_CHARACTERS) return { wish: { type: "unknown" }, language: isChinese ? "chinese" : "english" };
  const chinese = isChinese ? firstFit(CHINESE, [withoutChineseCourtesies(said), said]) : undefined;
  if (chinese !== undefined) return { wish: chinese, language: "chinese" };
  const english = firstFit(ENGLISH, [withoutCourtesies(said), said]);
  if (english !== undefined) return { wish: english, language: "english" };
  return { wish: { type: "unknown" }, language: isChinese ? "chinese" : "english" };
}

function firstFit(rules: readonly Rule[], sayings: readonly string[]): Wish | undefined {
  for (const said of new Set(sayings)) {
    for (const { pattern, make } of rules) {
      const groups = pattern.exec(said);
      const wish = groups === null ? undefined : make(groups.slice(1), said);
      if (wish !== undefined) return wish;
    }
  }
  return undefined;
}
