// Writes the pictures of the README from the built program: `npm run build && npx tsx scripts/picture/main.ts`.

import { mkdirSync, writeFileSync } from "node:fs";
import { hasTmux } from "../../test/terminal/tmux.ts";
import { pictureFile, takePictures } from "./take-pictures.ts";

if (!hasTmux) throw new Error("tmux is needed to take pictures of a terminal");
mkdirSync(new URL(".", pictureFile("question")), { recursive: true });
for (const { name, svg } of await takePictures()) {
  writeFileSync(pictureFile(name), svg);
  console.log(`wrote docs/pictures/${name}.svg`);
}
