// What terminals send, as keys of a list.

import { matchesKey } from "@earendil-works/pi-tui";
import type { ChoiceKey } from "../question/choice-list.ts";

export function toChoiceKey(data: string): ChoiceKey | undefined {
  if (matchesKey(data, "up") || matchesKey(data, "ctrl+p")) return "up";
  if (matchesKey(data, "down") || matchesKey(data, "ctrl+n")) return "down";
  if (matchesKey(data, "pageUp")) return "page-up";
  if (matchesKey(data, "pageDown")) return "page-down";
  if (matchesKey(data, "enter")) return "enter";
  if (matchesKey(data, "space")) return "space";
  if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) return "escape";
  return /^[1-9]$/.test(data) ? (data as ChoiceKey) : undefined;
}
