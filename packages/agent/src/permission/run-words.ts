// What the words of a simple command lead to: a function, what a wrapper or a shell is given, or just the program.

import type { Function as FunctionNode } from "unbash";
import { carry } from "./carry.ts";
import { type Field, HOME, ONE, STAR, textOf, UNKNOWN } from "./field.ts";
import type { Context, Findings } from "./findings.ts";
import { type Flow, joinFlows, outputOf, UNKNOWN_FLOW } from "./flow.ts";
import { applyBuiltin, assign, bind, fork, type Scope } from "./scope.ts";
import { baseName } from "./simple-command.ts";

/** Reads what these words bring up. */
export interface Reader {
  readText(text: string, scope: Scope): Flow;
  readBody(node: FunctionNode, scope: Scope): Flow;
}

const MAX_VIA = 32;
const MAX_CALLS = 64;

/** Answers what they would print. */
export function runWords(argv: readonly Field[], context: Context, findings: Findings, reader: Reader): Flow {
  const { scope } = context;
  if (findings.isFull || scope.via.length > MAX_VIA) {
    findings.excessive = true;
    return UNKNOWN_FLOW;
  }
  const name = textOf(argv[0]);
  if (argv[0]?.sure !== true) findings.opaque.add("the name of a program is not written out");
  if (name === undefined) {
    findings.add(argv, context);
    return UNKNOWN_FLOW;
  }
  const definition = scope.functions.get(name);
  if (definition !== undefined) {
    findings.add(argv, context, { carrier: true });
    return call(definition, argv, scope, findings, reader);
  }
  return runProgram(baseName(name), argv, context, findings, reader);
}

function runProgram(
  program: string,
  argv: readonly Field[],
  context: Context,
  findings: Findings,
  reader: Reader,
): Flow {
  const { scope } = context;
  const carried = carry(program, argv, scope.input, scope.cwd);
  const isGone = carried.role === "none";
  if (carried.opaque !== undefined) findings.opaque.add(carried.opaque);
  if (!isGone) findings.add(argv, context, { carrier: carried.role === "carrier", code: carried.code });
  const via = [...scope.via, ...(carried.certain ? [] : ["?"]), carried.via];
  const assignments = [...context.assignments, ...carried.assignments];
  const flows = carried.commands.map((command) => {
    const inner: Scope = { ...scope, via };
    const flow = runWords(
      command,
      { scope: inner, assignments, redirects: isGone ? context.redirects : [] },
      findings,
      reader,
    );
    // `command cd /` moves us, too.
    if (isGone) scope.cwd = inner.cwd;
    return flow;
  });
  for (const { text, args } of carried.texts) {
    // Where a part of the text is unknown, so is what it runs.
    if (!text.sure) findings.opaque.add("a command is put together from parts that are not written out");
    const inner = fork(scope, { via, depth: scope.depth + 1 });
    assign(inner, assignments);
    if (args.length > 0) bind(inner, args);
    flows.push(reader.readText(toSource(text.shape), inner));
    if (carried.via === "eval") scope.cwd = inner.cwd;
  }
  applyBuiltin(program, argv, scope);
  return flows.length > 0 ? joinFlows(flows) : outputOf(program, argv, scope.input, scope.cwd);
}

function call(
  definition: FunctionNode,
  argv: readonly Field[],
  scope: Scope,
  findings: Findings,
  reader: Reader,
): Flow {
  const name = definition.name.value;
  if (scope.calling.includes(name)) return UNKNOWN_FLOW;
  if (scope.calling.length > MAX_CALLS) {
    findings.excessive = true;
    return UNKNOWN_FLOW;
  }
  const inner = fork(scope, { calling: [...scope.calling, name] });
  bind(inner, argv);
  const flow = reader.readBody(definition, inner);
  scope.cwd = inner.cwd;
  return flow;
}

/** A shape as source again. */
function toSource(shape: string): string {
  return shape
    .replaceAll(HOME, "$HOME")
    .replaceAll(STAR, "*")
    .replaceAll(ONE, "?")
    .replaceAll(UNKNOWN, "$" + "{__}");
}
