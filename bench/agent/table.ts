// Verdicts as Markdown.

import type { Verdict } from "./judge.ts";

const COLUMNS = ["", "ours", "floor", "judged (runs, min–max)", "bar", ""];

export function toTable(verdicts: readonly Verdict[]): string {
  const lines = [COLUMNS, COLUMNS.map(() => "---"), ...verdicts.map(toCells)];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function toCells({ name, unit, ours, floor, compared, counts, judged, min, max, runs, atMost, passes }: Verdict) {
  const suffix = compared === "ratio" ? " ×" : unit === "" ? "" : ` ${unit}`;
  const how = counts === "worst" ? "worst " : "";
  return [
    name,
    withUnit(ours, unit),
    floor === undefined ? "" : withUnit(floor, unit),
    `${how}${toNumber(judged)}${suffix} (${runs}, ${toNumber(min)}–${toNumber(max)})`,
    atMost === undefined ? "" : `≤ ${toNumber(atMost)}${suffix}`,
    passes === null ? "" : passes ? "pass" : "**MISS**",
  ];
}

function withUnit(value: number, unit: string): string {
  return `${toNumber(value)} ${unit}`.trim();
}

function toNumber(value: number): string {
  if (!Number.isFinite(value) || Number.isInteger(value)) return value.toLocaleString("en");
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
