// Why a text is not JSON, for the mistakes people make most. Pure.

import { findJsonFault } from "@agentao/agent";

/** A sentence with a blank before it; empty where the text is JSON, or nobody knows. */
export function jsonHint(text: string): string {
  const place = findJsonFault(text);
  if (place === undefined) return "";
  const lines = text.split("\n");
  const rest = (lines[place.line - 1] ?? "").slice(place.column - 1);
  const before = [...lines.slice(0, place.line - 1), (lines[place.line - 1] ?? "").slice(0, place.column - 1)].join(
    "\n",
  );
  if (/^(?:\/[/*]|#)/.test(rest)) return " JSON has no comments.";
  if (/^[}\]]/.test(rest) && /,\s*$/.test(before)) return " Take away the comma before it.";
  if (/^["{[\w-]/.test(rest) && /["}\]\w]\s*$/.test(before)) return " A comma or a colon is missing before it.";
  if (/^'/.test(rest)) return " JSON has double quotes.";
  if (/^[A-Za-z_$]/.test(rest)) return " Names and texts stand in double quotes.";
  if (rest.trim() === "" && place.line >= lines.length) return " It ends too early.";
  return "";
}
