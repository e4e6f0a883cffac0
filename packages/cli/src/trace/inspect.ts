// A recording, for a person: a line per frame, what is wrong below it, and totals at the end.

import { type Fields, isFields } from "../json/fields.ts";
import { cleanLine } from "../text/plain.ts";
import { keyOf, toShape } from "./frame-shape.ts";
import type { BreachRule, RecordedEnd, RecordedFrame, RecordedLine } from "./recording.ts";

export interface InspectOptions {
  /** Whole frames, not only their names. */
  readonly full?: boolean | undefined;
  readonly onlyBreaches?: boolean | undefined;
}

interface Total {
  count: number;
  bytes: number;
  breaches: number;
  readonly latencies: number[];
}

/** Latencies kept for each method; beyond it they are counted only. */
const MAX_LATENCIES = 100_000;
const WIDTH = 100;

export class Inspection {
  readonly #options: InspectOptions;
  readonly #totals = new Map<string, Total>();
  readonly #breaches = new Map<BreachRule, number>();
  #hasEnd = false;

  constructor(options: InspectOptions = {}) {
    this.#options = options;
  }

  /** What to print for a line of a recording; nothing for one that is not wanted. */
  see(line: RecordedLine): string {
    switch (line.type) {
      case "start":
        return `${line.ts}  ${cleanLine(line.command.join(" "))}\n`;
      case "frame":
        return this.#frame(line);
      case "end":
        this.#hasEnd = true;
        return toEnd(line);
    }
  }

  totals(): string {
    const rows = [...this.#totals].sort(([, a], [, b]) => b.count - a.count);
    const head = ["method", "frames", "bytes", "median ms", "slowest ms", "breaches"];
    const cells = rows.map(([method, { count, bytes, breaches, latencies }]) => {
      const sorted = latencies.toSorted((a, b) => a - b);
      const times = [sorted[Math.floor((sorted.length - 1) / 2)], sorted.at(-1)].map((ms) => ms?.toFixed(1) ?? "");
      return [method, String(count), String(bytes), ...times, breaches === 0 ? "" : String(breaches)];
    });
    const torn = this.#hasEnd ? "" : "The recording has no end: what recorded it was killed, or is still running.\n";
    return `${torn}\n${toTable([head, ...cells])}${tellBreaches(this.#breaches)}\n`;
  }

  #frame(line: RecordedFrame): string {
    const { breaches = [] } = line;
    this.#count(line);
    for (const { rule } of breaches) this.#breaches.set(rule, (this.#breaches.get(rule) ?? 0) + 1);
    if (this.#options.onlyBreaches && breaches.length === 0) return "";
    const arrow = line.from === "client" ? "→" : "←";
    const latency = line.latencyMs === undefined ? "" : `  ${line.latencyMs.toFixed(1)} ms`;
    const wrong = breaches.map(({ rule, message }) => `              ! ${rule}: ${cleanLine(message)}\n`).join("");
    const whole = this.#options.full
      ? `              ${cleanLine(JSON.stringify(line.frame ?? line.text) ?? "")}\n`
      : "";
    return `${(line.atMs / 1000).toFixed(3).padStart(10)}s ${arrow} ${cleanLine(describe(line))}${latency}\n${whole}${wrong}`;
  }

  #count(line: RecordedFrame): void {
    const name = cleanLine(methodOf(line));
    const total = this.#totals.get(name) ?? { count: 0, bytes: 0, breaches: 0, latencies: [] };
    this.#totals.set(name, total);
    total.count++;
    total.bytes += line.bytes ?? 0;
    total.breaches += line.breaches?.length ?? 0;
    if (line.latencyMs !== undefined && total.latencies.length < MAX_LATENCIES) total.latencies.push(line.latencyMs);
  }
}

function tellBreaches(breaches: ReadonlyMap<BreachRule, number>): string {
  if (breaches.size === 0) return "No breaches.";
  const rules = [...breaches].sort(([, a], [, b]) => b - a).map(([rule, count]) => `${rule} ${count}`);
  const all = [...breaches.values()].reduce((sum, count) => sum + count, 0);
  return `Breaches: ${all} (${rules.join(", ")}).`;
}

/** What a frame belongs to: its method, or the one it answers. */
function methodOf({ frame, method }: RecordedFrame): string {
  const shape = toShape(frame);
  return method ?? ("method" in shape ? shape.method : "(no frame)");
}

function describe({ frame, text, method }: RecordedFrame): string {
  const shape = toShape(frame);
  switch (shape.type) {
    case "request":
      return `${shape.method} ${keyOf(shape.id)}${detail(shape.method, shape.params)}`;
    case "notification":
      return `${shape.method}${detail(shape.method, shape.params)}`;
    case "result":
      return `${method ?? "?"} ${keyOf(shape.id)} = ${bound(JSON.stringify(shape.result) ?? "")}`;
    case "error":
      return `${method ?? "?"} ${keyOf(shape.id)} failed: ${bound(JSON.stringify(shape.error) ?? "")}`;
    case "none":
      return `no frame: ${bound(text ?? JSON.stringify(frame) ?? "")}`;
  }
}

function detail(method: string, params: unknown): string {
  if (!isFields(params)) return "";
  if (method === "session/update" && isFields(params.update)) return ` ${describeUpdate(params.update)}`;
  if (method === "session/prompt") return ` ${bound(JSON.stringify(params.prompt) ?? "")}`;
  return ` ${bound(JSON.stringify(params) ?? "")}`;
}

function describeUpdate({ sessionUpdate, ...rest }: Fields): string {
  const { content } = rest;
  const said =
    isFields(content) && typeof content.text === "string" ? JSON.stringify(content.text) : JSON.stringify(rest);
  return `${String(sessionUpdate)} ${bound(said)}`;
}

function toEnd({ atMs, by, exitCode, signal, unanswered }: RecordedEnd): string {
  const how = signal === null ? `exit code ${exitCode ?? "unknown"}` : signal;
  const open = unanswered.map(
    ({ from, method, id }) => `              unanswered: ${method} ${keyOf(id)} of the ${from}\n`,
  );
  return `${(atMs / 1000).toFixed(3).padStart(10)}s end, by the ${by}; the agent: ${how}\n${open.join("")}`;
}

function bound(text: string): string {
  return text.length <= WIDTH ? text : `${text.slice(0, WIDTH)}… (${text.length} characters)`;
}

/** The first column to the left, the others to the right. */
function toTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => `${row.map(pad).join("  ").trimEnd()}\n`).join("");
}
