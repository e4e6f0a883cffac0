// What a JSON value off the wire is, as far as JSON-RPC can tell.

import { type Fields, isFields } from "../json/fields.ts";

export type FrameShape =
  | { readonly type: "request"; readonly id: string | number; readonly method: string; readonly params: unknown }
  | { readonly type: "notification"; readonly method: string; readonly params: unknown }
  | { readonly type: "result"; readonly id: unknown; readonly result: unknown }
  | { readonly type: "error"; readonly id: unknown; readonly error: unknown }
  | { readonly type: "none"; readonly problem: string };

export function toShape(value: unknown): FrameShape {
  if (Array.isArray(value)) return none("it is a batch, which ACP does not have");
  if (!isFields(value)) return none("it is not an object");
  if (value.jsonrpc !== "2.0") return none('"jsonrpc" is not "2.0"');
  if ("method" in value) return toCall(value);
  if (!("id" in value)) return none('it has neither "method" nor "id"');
  const hasError = value.error !== undefined && value.error !== null;
  if (hasError && "result" in value && value.result !== null) return none('it has both "result" and "error"');
  if (hasError) return { type: "error", id: value.id, error: value.error };
  if (!("result" in value)) return none('it has neither "result" nor "error"');
  return { type: "result", id: value.id, result: value.result };
}

function toCall({ method, params, ...rest }: Fields): FrameShape {
  if (typeof method !== "string") return none('"method" is not a string');
  if (!("id" in rest)) return { type: "notification", method, params };
  const { id } = rest;
  if (typeof id === "string" || Number.isInteger(id)) return { type: "request", id: id as string, method, params };
  return none('the "id" of a request is a string or an integer');
}

function none(problem: string): FrameShape {
  return { type: "none", problem };
}

/** The same for 1 and 1, different for 1 and "1". */
export function keyOf(id: unknown): string {
  return JSON.stringify(id) ?? "";
}
