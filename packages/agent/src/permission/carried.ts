// What a program makes others run, as far as its own words tell.

import type { Field } from "./field.ts";
import type { Unwrapped } from "./wrapper.ts";

export interface Carried {
  /** `itself`: it does something of its own; `carrier`: it only runs others; `none`: it is gone once they run. */
  readonly role: "itself" | "carrier" | "none";
  readonly via: string;
  readonly commands: readonly (readonly Field[])[];
  /** For a shell, with `$0`, `$1`, … */
  readonly texts: readonly { readonly text: Field; readonly args: readonly Field[] }[];
  readonly assignments: Unwrapped["assignments"];
  readonly opaque?: string | undefined;
  /** Runs code that is not a command line. */
  readonly code?: boolean | undefined;
  readonly certain: boolean;
}

export const NOTHING: Carried = { role: "itself", via: "", commands: [], texts: [], assignments: [], certain: true };

export function texts(via: string, found: readonly Field[]): Carried {
  return { ...NOTHING, role: "carrier", via, texts: found.map((text) => ({ text, args: [] })) };
}

export function opaque(via: string, reason: string): Carried {
  return { ...NOTHING, role: "carrier", via, opaque: reason };
}

export function joinFields(fields: readonly Field[]): Field {
  return { shape: fields.map(({ shape }) => shape).join(" "), sure: fields.every(({ sure }) => sure) };
}
