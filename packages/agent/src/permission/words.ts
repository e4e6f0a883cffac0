// What the words of a command amount to: names, arguments, assignments and redirections, with the commands inside of them.

import {
  type Assignment,
  type CommandArgument,
  forEachChild,
  type ParsedScript,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
} from "unbash";
import { type Expander, expandBody, expandValue, expandWord } from "./expand.ts";
import { type Field, literal, UNKNOWN } from "./field.ts";
import type { Findings } from "./findings.ts";
import { bodyFlow, type Flow, UNKNOWN_FLOW } from "./flow.ts";
import { type Assigned, fork, lookup, remember, type Scope } from "./scope.ts";
import type { Redirect } from "./simple-command.ts";

/** Walks a script inside of a word, and answers what it writes. */
export type RunScript = (script: ParsedScript, scope: Scope) => Flow;

export class Words {
  readonly #findings: Findings;
  readonly #run: RunScript;

  constructor(findings: Findings, run: RunScript) {
    this.#findings = findings;
    this.#run = run;
  }

  /** Every list of words the name and its arguments may amount to. */
  readings(name: Word, args: readonly Field[], scope: Scope): (readonly Field[])[] {
    const lists = expandWord(name, this.#expander(scope)).map((fields) => [...fields, ...args]);
    return lists.flatMap((argv) => {
      const [first, ...others] = argv;
      if (first === undefined) return [];
      if (!first.shape.includes(UNKNOWN)) return [argv];
      // A variable that is not set is nothing: `r${x}m` is `rm`, and `$x rm` is, too.
      const without = first.shape.replaceAll(UNKNOWN, "");
      const guess = without === "" ? others : [{ shape: without, sure: false }, ...others];
      return guess.length === 0 ? [argv] : [argv, guess];
    });
  }

  assignment(part: Assignment, scope: Scope): Assigned[] {
    const { name, value, index, append } = part;
    if (index !== undefined) this.#findings.evaluates = true;
    if (index !== undefined) this.visit(index, scope);
    if (append) this.#findings.isDisputed();
    if (value.type === "ArrayValue" && !append && index === undefined) {
      remember(
        scope,
        `${name}[@]`,
        value.elements.flatMap((element) => this.fields(element, scope)).map(({ shape }) => shape),
      );
      return [{ name, value: { shape: UNKNOWN, sure: false } }];
    }
    if (value.type === "ArrayValue" || append || index !== undefined) {
      this.visit(value, scope);
      return [{ name, value: { shape: UNKNOWN, sure: false } }];
    }
    return expandValue(value, this.#expander(scope)).map((field) => ({ name, value: field }));
  }

  argument(argument: CommandArgument, scope: Scope): readonly Field[] {
    if (argument.type === "Word") return this.fields(argument, scope);
    return this.assignment(argument, scope).map(({ name, value }) => ({ ...value, shape: `${name}=${value.shape}` }));
  }

  fields(word: Word, scope: Scope): readonly Field[] {
    return expandWord(word, this.#expander(scope)).flat();
  }

  redirects(list: readonly Redirection[], scope: Scope): { redirects: Redirect[]; input?: Flow } {
    const redirects: Redirect[] = [];
    let input: Flow | undefined;
    for (const redirection of list) {
      if (redirection.descriptor?.type === "FileDescriptorVariable") this.#findings.evaluates = true;
      if (redirection.type === "HereDoc") {
        const { parts, text } = redirection.body;
        if (redirection.closing === undefined) this.#findings.isUnparsed();
        input = bodyFlow(parts === undefined ? [literal(text)] : expandBody(parts, this.#expander(scope)));
      } else if (redirection.target === undefined) {
        this.#findings.isUnparsed();
      } else if (redirection.type === "HereString") {
        input = bodyFlow(expandValue(redirection.target, this.#expander(scope)));
      } else {
        const { operator } = redirection;
        const targets = expandValue(redirection.target, this.#expander(scope));
        redirects.push(...targets.map((target) => ({ operator, target })));
        const written = targets.find(({ output }) => output !== undefined)?.output;
        if (operator.startsWith("<")) input = written === undefined ? UNKNOWN_FLOW : { type: "text", text: written };
      }
    }
    return { redirects, ...(input !== undefined && { input }) };
  }

  visit(node: SyntaxNode, scope: Scope): void {
    if (node.type === "Script") this.#run(node, fork(scope));
    else forEachChild(node, (child) => this.visit(child, scope));
  }

  #expander(scope: Scope): Expander {
    const findings = this.#findings;
    return {
      lookup: (name) => lookup(name, scope),
      output: (script) => {
        if (script === undefined) findings.isUnparsed();
        const flow = script === undefined ? UNKNOWN_FLOW : this.#run(script, fork(scope));
        return flow.type === "text" ? flow.text : undefined;
      },
      visit: (node) => forEachChild(node, (child) => this.visit(child, scope)),
      words: (source) => {
        const [first] = parse(`: ${source}`).commands;
        return first?.command.type === "Command" ? first.command.args.filter((word) => word.type === "Word") : [];
      },
      evaluates: () => {
        findings.evaluates = true;
      },
      disputed: () => findings.isDisputed(),
    };
  }
}
