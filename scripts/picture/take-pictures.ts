// Plays the story in the built program, in a real terminal, and captures the screen twice: at the question, at the end.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { settle } from "../../test/terminal/settle.ts";
import { steadyRow } from "../../test/terminal/steady-screen.ts";
import { type Row, rowText } from "../../test/terminal/styled-screen.ts";
import { TmuxTerminal } from "../../test/terminal/tmux.ts";
import { BRANCH, FILES, PROMPT, REPLIES } from "./story.ts";
import { toSvg } from "./to-svg.ts";

export interface Picture {
  /** Of the file, without its ending. */
  readonly name: "question" | "answer";
  readonly svg: string;
}

export function pictureFile(name: Picture["name"]): URL {
  return new URL(`../../docs/pictures/${name}.svg`, import.meta.url);
}

const COLUMNS = 96;
const ROWS = 60;

export async function takePictures(): Promise<Picture[]> {
  using terminal = new TmuxTerminal({ columns: COLUMNS, rows: ROWS, env: { AGENTAO_MODEL: "scripted/shop.json" } });
  stage(terminal.cwd);
  await terminal.start();
  // Thoughts open.
  terminal.press("C-t");
  terminal.send(PROMPT);
  const question = await take(terminal, "question", "Allow:");
  terminal.press("1");
  const answer = await take(terminal, "answer", "Shall I write one?");
  return [question, answer];
}

function stage(cwd: string): void {
  const files = { ...FILES, "shop.json": JSON.stringify({ chunk: "whole", replies: REPLIES }) };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
}

async function take(terminal: TmuxTerminal, name: Picture["name"], words: string): Promise<Picture> {
  const known = existsSync(pictureFile(name)) ? readFileSync(pictureFile(name), "utf8") : undefined;
  const draw = (rows: readonly Row[]): string =>
    toSvg(fromPrompt(rows).map(steadyRow), { columns: COLUMNS, title: "agentao" });
  const isWanted = (screen: string): boolean =>
    screen.includes(words) && screen.includes(BRANCH) && !screen.includes("Working");
  // One that comes out as it is known is not waited for any longer.
  return { name, svg: draw(await settle(terminal, { isWanted, isExpected: (rows) => draw(rows) === known })) };
}

/** What the program says of itself at its start is left out. */
function fromPrompt(rows: readonly Row[]): readonly Row[] {
  const first = rows.findIndex((row) => rowText(row).includes(PROMPT.slice(0, 20)));
  return rows.slice(Math.max(0, first));
}
