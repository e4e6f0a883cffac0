// What a walk through a command has found so far.

import type { Field } from "./field.ts";
import type { Scope } from "./scope.ts";
import type { Redirect, SimpleCommand } from "./simple-command.ts";

/** What belongs to a simple command besides its words. */
export interface Context {
  readonly scope: Scope;
  readonly assignments: SimpleCommand["assignments"];
  readonly redirects: readonly Redirect[];
}

const MAX_COMMANDS = 5_000;

export class Findings {
  readonly commands: SimpleCommand[] = [];
  readonly functions = new Set<string>();
  readonly opaque = new Set<string>();
  evaluates = false;
  forkBomb = false;
  excessive = false;

  add(
    argv: readonly Field[],
    { scope, assignments, redirects }: Context,
    { carrier = false, code = false }: { readonly carrier?: boolean; readonly code?: boolean | undefined } = {},
  ): void {
    if (this.isFull) this.excessive = true;
    if (this.excessive) return;
    const { via, cwd, input } = scope;
    this.commands.push({ argv, via, assignments, redirects, input, cwd, carrier, code });
  }

  get isFull(): boolean {
    return this.commands.length >= MAX_COMMANDS;
  }

  isUnparsed(): void {
    this.opaque.add("it cannot be parsed");
  }

  isDisputed(): void {
    this.opaque.add("shells disagree about what it means");
  }
}
