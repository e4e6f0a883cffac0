// What both sides are made to say: one word as a prompt, and the answer to it. The scenario file plays it to the program,
// the chat server to the floor agent. Pure.

export const DELTAS = 5_000;
export const DELTA = "words ";
export const ROUNDS = 20;
export const PLAIN_DELTAS = 8;
export const PLAIN = "A sentence of some forty characters. ";

/** Says which process it is, and does not end when asked to. */
const STUBBORN = "trap '' TERM INT HUP; echo $$ > shell.pid; while :; do sleep 0.2; done";

/** The file that is read in a round, relative to the working directory; each has a text of its own. */
export function roundFile(round: number): string {
  return `round-${round}.txt`;
}

export function roundText(round: number): string {
  return `This is round ${round} of ${ROUNDS}.\n${"Some more of it, as files have more than one line.\n".repeat(20)}`;
}

/** A scenario file. Usage is told, not estimated: an estimate counts the whole history, which a real model's does not. */
export function toScenario(): string {
  const usage = { usage: { inputTokens: 900, outputTokens: 40 } };
  const reply = (lastUserText: string, ...steps: object[]) => ({
    when: { lastUserText: `^${lastUserText}$` },
    steps: [...steps, usage],
  });
  const read = (round: number) => ({ call: { name: "read_file", input: { file_path: roundFile(round) } } });
  const run = (command: string) => ({ call: { name: "run_shell_command", input: { command } } });
  const rounds = Array.from({ length: ROUNDS }, (_, round) => ({
    when: { lastUserText: "^rounds$", lastResult: `round ${round} of` },
    steps: [round + 1 < ROUNDS ? read(round + 1) : { text: DELTA }, usage],
  }));
  const scenario = {
    chunk: "whole",
    replies: [
      reply("plain", { repeat: { count: PLAIN_DELTAS, step: { text: PLAIN } } }),
      reply("deltas", { repeat: { count: DELTAS, step: { text: DELTA } } }),
      reply("rounds", read(0)),
      ...rounds,
      reply("slow", { repeat: { count: 10_000, step: [{ text: DELTA }, { delayMs: 5 }] } }),
      reply("stall", { text: DELTA }, { stall: true }),
      reply("shell", run(STUBBORN)),
      reply("ask", run("touch asked.txt")),
      reply("read", read(0)),
      { when: { lastResult: "" }, steps: [{ text: DELTA }, usage] },
    ],
  };
  return JSON.stringify(scenario);
}
