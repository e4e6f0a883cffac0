// list_directory: what is in a folder, and with recursive below it. Bounded in breadth and depth, and folders that hold
// what programs made are named but not entered.

import type { FolderEntry, FolderListing } from "../../machine/machine.ts";
import { text } from "../../message/message.ts";
import { boolean, defineInput, type InputOf, string, withDefault } from "../input.ts";
import { fenced } from "../outcome.ts";
import { absoluteIn, shortIn } from "../place.ts";
import { defineTool, type ToolRoom } from "../tool.ts";

const MAX_ENTRIES = 1_000;
/** Of one folder, when those below are listed too. */
const MAX_ENTRIES_EACH = 200;
const MAX_DEPTH = 8;

const NOT_ENTERED = new Set([
  ...[".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache", ".pytest_cache"],
  ...[".ruff_cache", "dist", "build", "target", ".next", ".nuxt", ".cache", ".gradle", ".idea", "coverage"],
]);

const input = defineInput({
  directory_path: withDefault(
    string("Path of the folder, absolute or relative to the working directory", {
      aliases: ["path", "directory", "dir", "folder"],
    }),
    ".",
  ),
  recursive: withDefault(boolean("Lists what is below, too"), false),
});

type Input = InputOf<typeof input>;

export const listDirectory = defineTool<Input>({
  name: "list_directory",
  description:
    "Lists a folder: folders first, then files with their sizes. With recursive, folders such as .git and node_modules " +
    "are named but not entered.",
  inputSchema: input.schema,
  parse: input.parse,
  plan({ directory_path }, room) {
    const path = absoluteIn(room, directory_path);
    return {
      title: `List ${shortIn(room, directory_path)}`,
      kind: "read",
      locations: [{ path }],
      effect: { type: "read", paths: [path] },
    };
  },
  async run({ directory_path, recursive }, room, signal) {
    const path = absoluteIn(room, directory_path);
    const tree = recursive ? await listTree(path, room, signal) : await listOne(path, room, signal);
    const lines = render(tree, "");
    const listing = lines.length === 0 ? "(empty)" : lines.join("\n");
    return { told: [text(`Directory: ${path}\n${listing}`)], content: [text(fenced(listing))] };
  },
});

interface Branch {
  readonly listing: FolderListing;
  /** By name, of those that were entered. */
  readonly below: Map<string, Branch>;
}

async function listOne(path: string, room: ToolRoom, signal: AbortSignal): Promise<Branch> {
  return { listing: await room.machine.listFolder(path, MAX_ENTRIES, signal), below: new Map() };
}

/** Level by level, so that what is near is not crowded out by what is deep. */
async function listTree(path: string, room: ToolRoom, signal: AbortSignal): Promise<Branch> {
  const root: Branch = { listing: await room.machine.listFolder(path, MAX_ENTRIES_EACH, signal), below: new Map() };
  let left = MAX_ENTRIES - root.listing.entries.length;
  let level = [{ path, branch: root }];
  for (let depth = 1; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { path: parent, branch } of level) {
      for (const { name } of branch.listing.entries.filter(isEntered)) {
        if (left <= 0) return root;
        const below = `${parent}/${name}`;
        const listing = await room.machine
          .listFolder(below, Math.min(MAX_ENTRIES_EACH, left), signal)
          .catch(() => undefined);
        signal.throwIfAborted();
        if (listing === undefined) continue;
        left -= listing.entries.length;
        const entered: Branch = { listing, below: new Map() };
        branch.below.set(name, entered);
        next.push({ path: below, branch: entered });
      }
    }
    level = next;
  }
  return root;
}

function isEntered({ name, type, link }: FolderEntry): boolean {
  return type === "folder" && link === undefined && !NOT_ENTERED.has(name);
}

function render({ listing, below }: Branch, indent: string): string[] {
  const isTree = below.size > 0 || indent !== "";
  const lines = listing.entries.flatMap((entry) => {
    const branch = below.get(entry.name);
    const notEntered = isTree && entry.type === "folder" && branch === undefined ? " (not listed)" : "";
    return [`${indent}${label(entry)}${notEntered}`, ...(branch === undefined ? [] : render(branch, `${indent}  `))];
  });
  const more = listing.total - listing.entries.length;
  return more > 0 ? [...lines, `${indent}… and ${more} more`] : lines;
}

function label({ name, type, bytes, link }: FolderEntry): string {
  const target = link === undefined ? "" : ` -> ${link}`;
  if (type === "folder") return `[DIR] ${name}${target}`;
  return `[FILE] ${name}${target}${bytes === undefined ? "" : ` (${bytes} bytes)`}`;
}
