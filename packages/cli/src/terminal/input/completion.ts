// What the editor offers while somebody types: commands after a slash, files of the project after an @.

import { type AutocompleteItem, type AutocompleteProvider, fuzzyFilter } from "@earendil-works/pi-tui";
import { fit } from "../view/lines.ts";
import { folderEntries, isWay } from "./folder-entries.ts";
import { createPathSearch, type PathSearch } from "./path-search.ts";
import type { ProjectFiles } from "./project-files.ts";

export interface OfferedCommand {
  readonly name: string;
  readonly description: string;
  readonly hint?: string | undefined;
}

export interface OfferedAgent {
  readonly name: string;
  readonly description: string;
}

/** Where what is offered comes from. */
export interface CompletionSource {
  commands(): readonly OfferedCommand[];
  readonly files: ProjectFiles;
  /** Those that a line can be for. */
  agents(): Promise<readonly OfferedAgent[]>;
}

const MAX_OFFERED = 20;
/** The list cuts what is wider, and does not say so. */
const MAX_LABEL_WIDTH = 30;

export function createCompletion({ commands, files, agents }: CompletionSource): AutocompleteProvider {
  const fileItems = createFileItems(files);
  return {
    async getSuggestions(lines, cursorLine, cursorCol, { signal }) {
      const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
      const word = wordBefore(before, cursorLine);
      if (word === undefined) return null;
      if (word.startsWith("/")) return offer(commandItems(commands(), word.slice(1)), word);
      // Only a line as a whole is for an agent.
      const isAddress = cursorLine === 0 && before === word;
      const known = isAddress ? agentItems(await agents(), word.slice(1)) : [];
      const items = [...known, ...(await fileItems(word.slice(1)))];
      return signal.aborted ? null : offer(items, word);
    },
    applyCompletion(lines, cursorLine, cursorCol, item, prefix) {
      const line = lines[cursorLine] ?? "";
      // Keys that came in one piece with the choice have typed on: what was offered is no longer about this word.
      if (wordBefore(line.slice(0, cursorCol), cursorLine) !== prefix) return { lines, cursorLine, cursorCol };
      const start = cursorCol - prefix.length;
      // A folder may be only the way to what is meant.
      const text = item.value.endsWith("/") ? item.value : `${item.value} `;
      const rest = line.slice(cursorCol).replace(/^ /, "");
      const changed = [...lines];
      changed[cursorLine] = `${line.slice(0, start)}${text}${rest}`;
      return { lines: changed, cursorLine, cursorCol: start + text.length };
    },
    shouldTriggerFileCompletion: () => false,
  };
}

/** The command or the @ word that ends at the cursor. */
export function wordBefore(before: string, line: number): string | undefined {
  if (line === 0 && /^\/[\w-]*$/.test(before)) return before;
  return /(?:^|\s)(@(?:"[^"]*|[^\s"]*))$/.exec(before)?.[1];
}

/** A path as it is written after an @. */
function quotePath(path: string): string {
  return /[\s"]/.test(path) ? `@"${path}"` : `@${path}`;
}

function offer(items: AutocompleteItem[], prefix: string) {
  return items.length === 0 ? null : { items, prefix };
}

function commandItems(commands: readonly OfferedCommand[], typed: string): AutocompleteItem[] {
  const begun = commands.filter(({ name }) => name.startsWith(typed));
  const others = fuzzyFilter([...commands], typed, ({ name }) => name).filter((one) => !begun.includes(one));
  return [...begun, ...others].map(({ name, description, hint }) => ({
    value: `/${name}`,
    label: hint === undefined ? `/${name}` : fit(`/${name} ${hint}`, MAX_LABEL_WIDTH),
    description,
  }));
}

function agentItems(agents: readonly OfferedAgent[], typed: string): AutocompleteItem[] {
  return fuzzyFilter([...agents], typed, ({ name }) => name).map(({ name, description }) => ({
    value: `@${name}`,
    label: `@${name}`,
    description: description === "" ? "agent" : `agent: ${description}`,
  }));
}

function createFileItems(files: ProjectFiles): (typed: string) => Promise<AutocompleteItem[]> {
  let known: { readonly list: readonly string[]; readonly search: PathSearch } | undefined;
  const search = async (wanted: string): Promise<readonly string[]> => {
    const list = await files.list();
    if (known?.list !== list) known = { list, search: createPathSearch(list) };
    return known.search(wanted, MAX_OFFERED);
  };
  return async (typed) => {
    const wanted = typed.replace(/^"/, "");
    const found = isWay(wanted) ? await folderEntries(wanted, files.folder(), MAX_OFFERED) : await search(wanted);
    return found.map((path) => ({ value: quotePath(path), label: path }));
  };
}
