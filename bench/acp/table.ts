// Verdicts as Markdown.

import type { Spread, Verdict } from "./judge.ts";
import type { Bar } from "./row.ts";

const COLUMNS = ["", "ours", "peer", "ratio (n, min–max)", "bar", ""];

export function toTable(verdicts: readonly Verdict[]): string {
  const lines = [COLUMNS, COLUMNS.map(() => "---"), ...verdicts.map(toCells)];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function toCells({ name, unit, ours, peer, peerName, compared, ratio, bar, passes }: Verdict): string[] {
  const suffix = compared === "ours" ? ` ${unit}`.trimEnd() : compared === "peer/ours" ? "× less" : "×";
  return [
    name,
    withUnit(ours, unit),
    `${withUnit(peer, unit)} ${peerName}`,
    ratio === null ? "" : toSpreadText(ratio, suffix),
    bar === null ? "" : `${toBarText(bar)}${suffix}`,
    passes === null ? "" : passes ? "pass" : "**MISS**",
  ];
}

function toSpreadText({ median, min, max, n }: Spread, suffix: string): string {
  return `${toNumber(median)}${suffix} (${n}, ${toNumber(min)}–${toNumber(max)})`;
}

function toBarText(bar: Bar): string {
  return "atLeast" in bar ? `≥ ${bar.atLeast}` : `≤ ${bar.atMost}`;
}

function withUnit(value: number, unit: string): string {
  return `${toNumber(value)} ${unit}`.trim();
}

function toNumber(value: number): string {
  if (!Number.isFinite(value) || Number.isInteger(value)) return value.toLocaleString("en");
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
