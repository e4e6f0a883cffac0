// What a command can know of those before it: variables, functions, the folder it runs in. Shapes, not values.

import type { Function as FunctionNode } from "unbash";
import { type Field, HOME, UNKNOWN, unmark } from "./field.ts";
import { type Flow, NO_FLOW } from "./flow.ts";
import { resolveShape } from "./place.ts";

export interface Scope {
  /** Values a variable may have. */
  readonly variables: Map<string, readonly string[]>;
  readonly functions: Map<string, FunctionNode>;
  cwd: string | undefined;
  readonly input: Flow;
  readonly via: readonly string[];
  /** Functions that are being read. */
  readonly calling: readonly string[];
  readonly depth: number;
}

export interface Assigned {
  readonly name: string;
  readonly value: Field;
}

const MAX_NAMES = 256;
const MAX_VALUES = 200;
const MAX_VALUE_CHARS = 64 * 1024;
const MAX_ARGUMENTS = 32;

export function createScope(cwd: string): Scope {
  return {
    variables: new Map(),
    functions: new Map(),
    cwd: unmark(cwd),
    input: NO_FLOW,
    via: [],
    calling: [],
    depth: 0,
  };
}

/** For what runs in a process of its own: it knows everything and changes nothing outside. */
export function fork(scope: Scope, changes: Partial<Scope> = {}): Scope {
  return { ...scope, variables: new Map(scope.variables), functions: new Map(scope.functions), ...changes };
}

export function lookup(name: string, scope: Scope): readonly string[] | undefined {
  const known = scope.variables.get(name === "*" ? "@" : name);
  if (known !== undefined) return known;
  if (name === "HOME") return [HOME];
  if (name === "PWD" && scope.cwd !== undefined) return [scope.cwd];
  // Outside functions nobody has given arguments.
  if (/^[1-9]$/.test(name) && scope.calling.length === 0 && !scope.variables.has("@")) return [""];
  return name === "IFS" ? [" "] : undefined;
}

/** Several assignments to one name are several values it may have. */
export function assign(scope: Scope, assigned: readonly Assigned[]): void {
  for (const name of new Set(assigned.map((one) => one.name))) {
    const values = assigned.filter((one) => one.name === name).map(({ value }) => value.shape);
    remember(scope, name, values);
  }
}

/** A variable nobody remembers is unknown, which is always true. */
export function remember(scope: Scope, name: string, values: readonly string[]): void {
  if (!scope.variables.has(name) && scope.variables.size >= MAX_NAMES) return;
  const kept = values.length <= MAX_VALUES ? values : [...values.slice(0, MAX_VALUES), UNKNOWN];
  const isShort = kept.reduce((total, value) => total + value.length, 0) <= MAX_VALUE_CHARS;
  scope.variables.set(name, isShort ? kept : [UNKNOWN]);
}

export function define(scope: Scope, name: string, node: FunctionNode): void {
  if (scope.functions.has(name) || scope.functions.size < MAX_NAMES) scope.functions.set(name, node);
}

/** `$0`, `$1`, …, and `$@` for all but the first. */
export function bind(scope: Scope, argv: readonly Field[]): void {
  for (const [index, { shape }] of argv.slice(0, MAX_ARGUMENTS).entries()) scope.variables.set(String(index), [shape]);
  scope.variables.set(
    "@",
    argv.slice(1).map(({ shape }) => shape),
  );
}

/** What a builtin changes for the commands after it. */
export function applyBuiltin(program: string, argv: readonly Field[], scope: Scope): void {
  const operands = argv.slice(1).filter(({ shape }) => !/^-./.test(shape));
  switch (program) {
    case "cd":
    case "pushd":
    case "chdir": {
      const target = operands[0]?.shape ?? HOME;
      scope.cwd = target === "-" ? undefined : resolveShape(target, scope.cwd);
      return;
    }
    case "popd":
      scope.cwd = undefined;
      return;
    case "set":
      if (argv[1]?.shape === "--") bind(scope, argv.slice(1));
      return;
    case "export":
    case "declare":
    case "typeset":
    case "local":
    case "readonly":
      for (const { shape, sure } of operands) {
        const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(shape) ?? [];
        if (name !== undefined && value !== undefined) assign(scope, [{ name, value: { shape: value, sure } }]);
      }
      return;
    case "read": {
      const words = scope.input.type === "text" ? scope.input.text.split(/\s+/).filter((word) => word !== "") : [];
      for (const { shape } of operands) remember(scope, shape, words.length > 0 ? words : [UNKNOWN]);
    }
  }
}
