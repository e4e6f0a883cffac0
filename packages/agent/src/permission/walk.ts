// Walks the syntax tree of a command and finds what it can run.

import {
  type Command,
  type CompoundCommand,
  type Function as FunctionNode,
  type ParsedScript,
  parse,
  type Statement,
  type TestCommand,
} from "unbash";
import { type Field, UNKNOWN } from "./field.ts";
import type { Context, Findings } from "./findings.ts";
import { type Flow, joinFlows, NO_FLOW, UNKNOWN_FLOW } from "./flow.ts";
import { isForkBomb } from "./fork-bomb.ts";
import { isTooNested } from "./nesting.ts";
import { type Reader, runWords } from "./run-words.ts";
import { assign, define, fork, lookup, remember, type Scope } from "./scope.ts";
import { isSettledTest, toLines } from "./test-expression.ts";
import { Words } from "./words.ts";

/** Nothing longer can be given to a shell on Linux. */
const MAX_CHARS = 256 * 1024;
/** Text in text in text. */
const MAX_DEPTH = 16;
const MAX_PIECES = 1_000;
const LEADING_KEYWORDS = /^\s*((if|then|elif|else|while|until|do|time|!|\[\[)\s+)*/;
/**
 * Control characters and blanks beyond ASCII are read differently by different shells; those that turn or hide text are
 * read differently by people.
 */
const STRANGE_CHARS =
  /[^\P{Cc}\t\n]|[^\P{Z} ]|[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

export class Walk implements Reader {
  readonly #findings: Findings;
  readonly #words: Words;

  constructor(findings: Findings) {
    this.#findings = findings;
    this.#words = new Words(findings, (script, scope) => this.#script(script, scope));
  }

  readText(text: string, scope: Scope): Flow {
    if (text.length > MAX_CHARS || scope.depth > MAX_DEPTH || isTooNested(text)) {
      this.#findings.excessive = true;
      return UNKNOWN_FLOW;
    }
    if (STRANGE_CHARS.test(text)) this.#findings.opaque.add("it contains control characters");
    try {
      const script = parse(text);
      if (script.errors !== undefined && script.errors.length > 0) this.#readPieces(text, scope);
      return this.#script(script, scope);
    } catch {
      // The parser does not throw; the stack may be too small for what it found.
      this.#findings.excessive = true;
      return UNKNOWN_FLOW;
    }
  }

  readBody(node: FunctionNode, scope: Scope): Flow {
    return node.body.type === "CompoundList" ? this.#list(node.body.commands, scope) : this.#node(node.body, scope);
  }

  /** Where the whole makes no sense, a shell may still find some in a part of it. */
  #readPieces(text: string, scope: Scope): void {
    const pieces = text.split(/[;&|(){}`\n]+/).map((piece) => piece.replace(LEADING_KEYWORDS, ""));
    for (const piece of pieces.slice(0, MAX_PIECES)) this.#list(parse(piece).commands, fork(scope));
  }

  #script(script: ParsedScript, scope: Scope): Flow {
    if (script.errors !== undefined && script.errors.length > 0) this.#findings.isUnparsed();
    return this.#list(script.commands, scope);
  }

  #list(statements: readonly Statement[], scope: Scope): Flow {
    return joinFlows(statements.map((statement) => this.#node(statement.command, scope)));
  }

  #node(node: Statement["command"], scope: Scope): Flow {
    // Refused already: nothing more can come of it.
    if (this.#findings.excessive) return UNKNOWN_FLOW;
    switch (node.type) {
      case "Command":
        return this.#command(node, scope);
      case "Pipeline":
        return this.#pipeline(node.commands, scope);
      case "AndOr":
        return joinFlows(node.commands.map((command) => this.#node(command, scope)));
      case "Redirected": {
        const { redirects, input = scope.input } = this.#words.redirects(node.redirects, scope);
        const inner = { ...scope, input };
        const flow = this.#node(node.command, inner);
        scope.cwd = inner.cwd;
        this.#findings.add([], { scope, assignments: [], redirects }, { carrier: true });
        return flow;
      }
      case "Function":
        return this.#define(node, scope);
      case "Coproc":
        this.#findings.isDisputed();
        if (node.body.type === "CompoundList") return this.#list(node.body.commands, fork(scope));
        return this.#node(node.body, fork(scope));
      default:
        return this.#compound(node, scope);
    }
  }

  #pipeline(nodes: readonly Statement["command"][], scope: Scope): Flow {
    const [only] = nodes;
    if (nodes.length === 1 && only !== undefined) return this.#node(only, scope);
    let flow = scope.input;
    for (const node of nodes) flow = this.#node(node, fork(scope, { input: flow }));
    return flow;
  }

  #compound(node: CompoundCommand, scope: Scope): Flow {
    switch (node.type) {
      case "Subshell":
        return this.#list(node.body.commands, fork(scope));
      case "BraceGroup":
        return this.#list(node.body.commands, scope);
      case "If": {
        const branches = [node.clause, node.then, ...node.elif.flatMap((elif) => [elif.clause, elif.then])];
        if (node.else !== undefined) branches.push(node.else);
        return joinFlows(branches.map((branch) => this.#list(branch.commands, scope)));
      }
      case "For":
      case "Select": {
        const listed = node.wordlist?.flatMap((word) => this.#words.fields(word, scope)).map(({ shape }) => shape);
        const name = node.name.value;
        remember(scope, name, listed ?? lookup("@", scope) ?? [UNKNOWN]);
        this.#findings.add([], {
          scope,
          assignments: [{ name, value: { shape: UNKNOWN, sure: false } }],
          redirects: [],
        });
        return this.#loop(() => this.#list(node.body.commands, scope), scope);
      }
      case "While":
        return this.#loop(() => {
          this.#list(node.clause.commands, scope);
          return this.#list(node.body.commands, scope);
        }, scope);
      case "ArithmeticFor":
        this.#findings.evaluates = true;
        for (const part of [node.initialize, node.test, node.update])
          if (part !== undefined) this.#words.visit(part, scope);
        return this.#loop(() => this.#list(node.body.commands, scope), scope);
      case "Case":
        this.#words.visit(node.word, scope);
        for (const item of node.items) for (const word of item.pattern) this.#words.visit(word, scope);
        return joinFlows(node.items.map((item) => this.#list(item.body.commands, scope)));
      case "TestCommand":
        return this.#test(node, scope);
      case "ArithmeticCommand":
        this.#findings.evaluates = true;
        this.#words.visit(node, scope);
        // Where `((` is no arithmetic, it opens two subshells.
        return this.#otherwise(node.body, scope);
    }
  }

  /** What a body assigns reaches its beginning the second time round. */
  #loop(body: () => Flow, scope: Scope): Flow {
    const state = (): string => [scope.cwd, ...scope.variables].flat(2).join("\n");
    const before = state();
    const flow = body();
    if (before !== state()) body();
    return flow;
  }

  /** Other shells read `[[ a || b ]]` as two commands, and `<` in it as a redirection. */
  #test(node: TestCommand, scope: Scope): Flow {
    this.#words.visit(node, scope);
    if (isSettledTest(node.expression)) return NO_FLOW;
    this.#findings.evaluates = true;
    return this.#otherwise(toLines(node.expression), scope);
  }

  /** What another shell would run. */
  #otherwise(text: string, scope: Scope): Flow {
    this.#findings.isDisputed();
    this.readText(text, fork(scope, { depth: scope.depth + 1 }));
    return NO_FLOW;
  }

  /** Read as it is, whether it is called or not; a call reads it again, with its arguments. */
  #define(node: FunctionNode, scope: Scope): Flow {
    const name = node.name.value;
    if (isForkBomb(name, node.body)) this.#findings.forkBomb = true;
    this.#findings.functions.add(name);
    define(scope, name, node);
    this.readBody(node, fork(scope, { calling: [...scope.calling, name] }));
    return NO_FLOW;
  }

  #command(node: Command, scope: Scope): Flow {
    const assignments = node.prefix.flatMap((part) =>
      part.type === "Assignment" ? this.#words.assignment(part, scope) : [],
    );
    const { redirects, input = scope.input } = this.#words.redirects(node.redirects, scope);
    if (node.name === undefined) {
      assign(scope, assignments);
      this.#findings.add([], { scope, assignments, redirects });
      return UNKNOWN_FLOW;
    }
    const args = node.args.flatMap((argument) => this.#words.argument(argument, scope));
    const inner = { ...scope, input };
    const context: Context = { scope: inner, assignments, redirects };
    const flows = this.#words.readings(node.name, args, scope).map((argv) => this.#run(argv, context));
    scope.cwd = inner.cwd;
    this.#otherRedirection(node, context);
    return flows.length === 1 ? (flows[0] as Flow) : joinFlows(flows);
  }

  #run(argv: readonly Field[], context: Context): Flow {
    return runWords(argv, context, this.#findings, this);
  }

  /** `a &> b c`: where `&>` is no redirection, `a` goes to the background and `c` is a command. */
  #otherRedirection(node: Command, context: Context): void {
    const at = node.suffix.findIndex((part) => part.type === "Redirect" && part.operator.startsWith("&>"));
    const after = at < 0 ? [] : node.suffix.slice(at + 1);
    const argv = after.flatMap((part) =>
      part.type === "Word" || part.type === "Assignment" ? this.#words.argument(part, context.scope) : [],
    );
    if (argv.length === 0) return;
    this.#findings.isDisputed();
    this.#run(argv, { ...context, assignments: [] });
  }
}
