// What this machine has that tools use: a sandbox, ripgrep, a terminal.

import { probeSandbox } from "@agentao/agent";
import type { Io } from "../io/io.ts";
import { findProgram } from "./find-program.ts";
import { type Finding, fine, warning } from "./finding.ts";

type Env = Io["env"];

/** `isWanted` when settings switch it on. */
export async function examineSandbox({ isWanted }: { readonly isWanted: boolean }): Promise<Finding> {
  const probe = await probeSandbox();
  const state = isWanted ? "Settings switch it on." : "Settings do not switch it on.";
  if (probe.available) return fine("sandbox", `Commands can be confined by ${probe.type} (${probe.program}). ${state}`);
  if (!isWanted) return fine("sandbox", `Commands cannot be confined here: ${probe.why}. ${state}`);
  const todo = process.platform === "linux" ? " Install bubblewrap, and allow unprivileged user namespaces." : "";
  return warning(
    "sandbox",
    `Settings switch the sandbox on, but commands cannot be confined here: ${probe.why}.${todo}`,
  );
}

export async function examineSearch(env: Env): Promise<Finding> {
  const own = await import("@vscode/ripgrep").then(
    ({ rgPath }) => rgPath,
    () => undefined,
  );
  const found = (own && (await findProgram(own, env))) ?? (await findProgram("rg", env));
  if (found !== undefined) return fine("search", `ripgrep: ${found}.`);
  return warning("search", "ripgrep was not found, so files are searched more slowly. Install ripgrep (rg).");
}

/** What decides whether the interactive program looks right. */
export function examineTerminal({ env, stdin, stdout }: Pick<Io, "env" | "stdin" | "stdout">): Finding {
  if (stdin.isTTY !== true || stdout.isTTY !== true) return fine("terminal", "Input or output is not a terminal.");
  const colors = env.NO_COLOR
    ? "no colours (NO_COLOR)"
    : /truecolor|24bit/i.test(env.COLORTERM ?? "")
      ? "all colours"
      : "colours";
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "";
  const facts = `${env.TERM || "no TERM"}, ${stdout.columns ?? "?"} columns, ${colors}, ${locale || "no locale"}`;
  if (env.TERM === "dumb" || !env.TERM) {
    return warning("terminal", `${facts}. Set TERM, such as xterm-256color, to use agentao interactively.`);
  }
  if (process.platform !== "win32" && !/utf-?8/i.test(locale)) {
    return warning("terminal", `${facts}. Set LANG to one of UTF-8, such as C.UTF-8, or letters may look wrong.`);
  }
  return fine("terminal", `${facts}.`);
}
