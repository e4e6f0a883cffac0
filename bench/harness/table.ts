// Verdicts as Markdown.

import type { Verdict } from "./judge.ts";
import type { Bar, Row } from "./row.ts";

const COLUMNS = ["", "ours", "peer", "judged (runs, min–max)", "bar", ""];

export function toTable(verdicts: readonly Verdict[]): string {
  const lines = [COLUMNS, COLUMNS.map(() => "---"), ...verdicts.map(toCells)];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function toCells({ row, ours, peer, judged, min, max, runs, passes }: Verdict): string[] {
  const suffix = toSuffix(row);
  const how = row.counts === "worst" ? "worst " : "";
  return [
    row.name,
    withUnit(ours, row.unit),
    peer === undefined ? "" : `${withUnit(peer, row.unit)} ${row.peer}`,
    `${how}${toNumber(judged)}${suffix} (${runs}, ${toNumber(min)}–${toNumber(max)})`,
    row.bar === undefined ? "" : `${toBarText(row.bar)}${suffix}`,
    passes === null ? "" : passes ? "pass" : "**MISS**",
  ];
}

function toSuffix({ compared, unit }: Row): string {
  if (compared === "ratio") return " ×";
  if (compared === "less") return " × less";
  return unit === "" ? "" : ` ${unit}`;
}

function toBarText(bar: Bar): string {
  return "atLeast" in bar ? `≥ ${toNumber(bar.atLeast)}` : `≤ ${toNumber(bar.atMost)}`;
}

function withUnit(value: number, unit: string): string {
  return `${toNumber(value)} ${unit}`.trim();
}

function toNumber(value: number): string {
  if (!Number.isFinite(value) || Number.isInteger(value)) return value.toLocaleString("en");
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
