// The pictures of the README are what the program shows today. `npx vitest run -u` on this file takes them anew.

import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { pictureFile, takePictures } from "../../scripts/picture/take-pictures.ts";
import { toSvg } from "../../scripts/picture/to-svg.ts";
import { parseScreen } from "./styled-screen.ts";
import { hasTmux } from "./tmux.ts";

const ESC = "\u001b";

describe.skipIf(!hasTmux)("the pictures of the README (need tmux)", { timeout: 90_000 }, () => {
  test("are taken from the program as it is", async () => {
    for (const { name, svg } of await takePictures()) {
      await expect(svg).toMatchFileSnapshot(fileURLToPath(pictureFile(name)));
    }
  });
});

test("every character is drawn in its cell, wide ones in two, and boxes as lines", () => {
  const rows = parseScreen(`${ESC}[1;36ma b  <c${ESC}[0m日本\n┌─┐\n${ESC}[7m ${ESC}[0m`);
  const drawn = toSvg(rows, { columns: 10, title: "a & b" }).split("\n");
  expect(drawn[0]).toContain('viewBox="0 0 128 126"');
  expect(drawn.find((part) => part.includes("middle"))).toContain(">a &amp; b</text>");
  expect(drawn.slice(drawn.findIndex((part) => part.startsWith("<g")) + 1, -3)).toEqual([
    '<text x="0" y="15" textLength="25.2" fill="#56cfe1" font-weight="bold">a b</text>',
    '<text x="42" y="15" textLength="16.8" fill="#56cfe1" font-weight="bold">&lt;c</text>',
    '<text x="58.8" y="15" textLength="16.8">日</text>',
    '<text x="75.6" y="15" textLength="16.8">本</text>',
    '<path d="M4.2 30H21M4.2 30V40M21 30V40" stroke="#d9dee7" fill="none"/>',
    '<rect x="0" y="40" width="8.4" height="20" fill="#d9dee7"/>',
  ]);
});
