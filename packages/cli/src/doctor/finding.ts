// What was found when something was looked at, for a person and for programs.

import { createColors } from "picocolors";
import { wrap } from "../text/wrap.ts";
import { version } from "../version.ts";

export interface Finding {
  /** `broken` is what keeps agentao from working; `warning` is what somebody wrote and does not get. */
  readonly type: "fine" | "warning" | "broken";
  readonly topic: string;
  readonly message: string;
  /** The file it is about. */
  readonly source?: string | undefined;
}

export function fine(topic: string, message: string): Finding {
  return { type: "fine", topic, message };
}

export function warning(topic: string, message: string, source?: string): Finding {
  return { type: "warning", topic, message, ...(source !== undefined && { source }) };
}

export function broken(topic: string, message: string, source?: string): Finding {
  return { type: "broken", topic, message, ...(source !== undefined && { source }) };
}

export function isBroken(findings: readonly Finding[]): boolean {
  return findings.some(({ type }) => type === "broken");
}

const LEVELS = { fine: "info", warning: "warning", broken: "error" } as const;

/** `ok`, `sections`, and `level`, `area`, `message`, `source` of a finding are what the reference system has. */
export function toReport(findings: readonly Finding[], facts: Readonly<Record<string, object>> = {}): object {
  const topics = [...new Set([...findings.map(({ topic }) => topic), ...Object.keys(facts)])];
  const sections = topics.map((topic) => {
    const own = findings.filter((finding) => finding.topic === topic);
    return [topic, { ok: !isBroken(own), messages: own.map(({ message }) => message), ...facts[topic] }] as const;
  });
  return {
    version,
    ok: !isBroken(findings),
    broken: isBroken(findings),
    sections: Object.fromEntries(sections),
    findings: findings.map(({ type, topic, message, source = null }) => ({
      level: LEVELS[type],
      area: topic,
      message,
      source,
      type,
      topic,
    })),
  };
}

const MARKS = { fine: "ok", warning: "warning", broken: "BROKEN" } as const;
const MARK_COLUMNS = 7;
const GAP = 2;

/** Where nothing is as wide as this beside the topic, the message stands below it. */
const MIN_COLUMNS = 40;

export interface LineOptions {
  readonly colors: boolean;
  /** Of the terminal, where there is one. */
  readonly columns?: number | undefined;
}

export function toLines(findings: readonly Finding[], { colors, columns }: LineOptions): string {
  const paint = createColors(colors);
  const paints = { fine: paint.green, warning: paint.yellow, broken: paint.red };
  const widest = Math.max(...findings.map(({ topic }) => topic.length));
  const margin = MARK_COLUMNS + GAP + widest + GAP;
  return findings
    .map(({ type, topic, message }) => {
      const head = `${paints[type](MARKS[type].padEnd(MARK_COLUMNS))}  ${topic.padEnd(widest)}`;
      if (columns === undefined) return `${head}  ${message}\n`;
      const isBelow = columns - margin < MIN_COLUMNS;
      const indent = isBelow ? GAP : margin;
      const text = wrap(message, columns - indent).join(`\n${" ".repeat(indent)}`);
      return `${isBelow ? `${head.trimEnd()}\n${" ".repeat(indent)}` : `${head}  `}${text}\n`;
    })
    .join("");
}
