// What was asked for on the command line. Pure, and small: it runs before everything else.

export type Asked =
  | { readonly type: "acp"; readonly resume?: { readonly id?: string | undefined } | undefined }
  | { readonly type: "doctor"; readonly json: boolean }
  | { readonly type: "help" }
  | { readonly type: "version" }
  /** Exit code 2. */
  | { readonly type: "wrong"; readonly problem: string };

const FLAGS = ["--acp", "--stdio", "--resume", "--help", "--version"];
const DOCTOR_FLAGS = ["--json", "--help"];

export function parseFlags(args: readonly string[]): Asked {
  if (args[0] === "doctor") return parseDoctor(args.slice(1));
  const seen = new Set<string>();
  let resumeId: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const [name = "", value] = splitFlag(args[at] ?? "");
    const flag = SHORT[name] ?? name;
    if (!flag.startsWith("-")) return wrong(`unexpected argument "${flag}"`);
    if (!FLAGS.includes(flag)) return wrong(`unknown option "${flag}"${hint(flag)}`);
    if (value !== undefined && flag !== "--resume") return wrong(`${flag} takes no value`);
    seen.add(flag);
    if (flag !== "--resume") continue;
    const next = args[at + 1];
    if (value !== undefined) resumeId = value;
    else if (next !== undefined && !next.startsWith("-")) {
      resumeId = next;
      at++;
    }
  }
  if (seen.has("--help")) return { type: "help" };
  if (seen.has("--version")) return { type: "version" };
  if (seen.has("--acp")) return { type: "acp", ...(seen.has("--resume") && { resume: { id: resumeId } }) };
  if (seen.has("--stdio")) return wrong("--stdio requires --acp");
  if (seen.has("--resume")) return wrong("--resume requires --acp");
  return args.length === 0 ? { type: "help" } : wrong("nothing to do");
}

function parseDoctor(args: readonly string[]): Asked {
  const flags = args.map((arg) => SHORT[arg] ?? arg);
  const strange = flags.find((flag) => !DOCTOR_FLAGS.includes(flag));
  if (strange !== undefined) return wrong(`doctor does not know "${strange}"`);
  return flags.includes("--help") ? { type: "help" } : { type: "doctor", json: flags.includes("--json") };
}

const SHORT: Readonly<Record<string, string>> = { "-h": "--help", "-V": "--version", "-v": "--version" };

function splitFlag(argument: string): [string, string?] {
  const at = argument.indexOf("=");
  return argument.startsWith("--") && at > 0 ? [argument.slice(0, at), argument.slice(at + 1)] : [argument];
}

function wrong(problem: string): Asked {
  return { type: "wrong", problem };
}

/** The flag that differs by the fewest letters, if it is close. */
function hint(flag: string): string {
  const [nearest] = FLAGS.map((known) => ({ known, distance: distance(flag, known) })).sort(
    (a, b) => a.distance - b.distance,
  );
  return nearest !== undefined && nearest.distance <= 3 ? `; did you mean ${nearest.known}?` : "";
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
