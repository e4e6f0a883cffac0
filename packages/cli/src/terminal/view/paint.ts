// Colours by what they mean. Without colour every function answers its text as it is.

import picocolors from "picocolors";

type Style = (text: string) => string;

export interface Paint {
  readonly hasColour: boolean;
  readonly quiet: Style;
  readonly strong: Style;
  readonly slanted: Style;
  readonly underlined: Style;
  readonly struck: Style;
  readonly accent: Style;
  readonly good: Style;
  readonly bad: Style;
  readonly warn: Style;
  readonly code: Style;
}

export function createPaint(hasColour: boolean): Paint {
  const colours = picocolors.createColors(hasColour);
  return {
    hasColour,
    quiet: colours.dim,
    strong: colours.bold,
    slanted: colours.italic,
    underlined: colours.underline,
    struck: colours.strikethrough,
    accent: colours.cyan,
    good: colours.green,
    bad: colours.red,
    warn: colours.yellow,
    code: colours.magenta,
  };
}

/** Whether a terminal with this environment gets colour: `NO_COLOR` and dumb terminals do not. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0";
  return env.TERM !== "dumb";
}
