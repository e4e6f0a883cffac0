// Styles as colours: a dark window, which can be read on light and on dark pages.

export const GROUND = "#12161e";
export const FRAME = "#3b4351";
export const PLAIN = "#d9dee7";
export const QUIET = "#8891a0";

const COLOURS: Readonly<Record<string, string>> = {
  black: "#4c5463",
  red: "#ff7b72",
  green: "#6fdd8b",
  yellow: "#e8b849",
  blue: "#79b8ff",
  magenta: "#d2a8ff",
  cyan: "#56cfe1",
  white: PLAIN,
};

/** Of the characters. */
export function colourOf(style: string): string {
  const words = style.split(" ");
  if (words.includes("reverse")) return GROUND;
  const colour = words.map(toColour).find((one) => one !== undefined);
  return colour ?? (words.includes("dim") ? QUIET : PLAIN);
}

/** Behind them; nothing is the window's own. */
export function groundOf(style: string): string | undefined {
  const words = style.split(" ");
  if (words.includes("reverse")) return PLAIN;
  const ground = words.find((word) => word.startsWith("on-"));
  return ground === undefined ? undefined : toColour(ground.slice("on-".length));
}

/** Of the palette of 256, or as it was given. */
function toColour(word: string): string | undefined {
  if (word.startsWith("#")) return word;
  const index = /^colour-(\d+)$/.exec(word)?.[1];
  if (index !== undefined) return index256(Number(index));
  return COLOURS[word.replace("bright-", "")];
}

function index256(index: number): string {
  if (index >= 232) return toHex([0, 0, 0].map(() => 8 + (index - 232) * 10));
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return toHex([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level));
}

function toHex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
