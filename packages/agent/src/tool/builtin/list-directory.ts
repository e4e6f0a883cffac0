// list_directory: what is in a folder, and with recursive below it. Bounded in breadth and depth; folders that hold what
// programs made, or that ignore files leave out, are named but not entered.

import { toShown } from "../../machine/find-name.ts";
import type { FolderEntry, FolderTree } from "../../machine/machine.ts";
import { text } from "../../message/message.ts";
import { boolean, defineInput, type InputOf, string, withDefault } from "../input.ts";
import { fenced } from "../outcome.ts";
import { absoluteIn, titleIn } from "../place.ts";
import { defineTool, type ToolRoom } from "../tool.ts";

const MAX_ENTRIES = 1_000;
const TREE_LIMITS = { entries: MAX_ENTRIES, entriesEach: 200, depth: 8 };

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
    "and those that ignore files name are not entered.",
  inputSchema: input.schema,
  parse: input.parse,
  plan({ directory_path }, room) {
    const path = absoluteIn(room, directory_path);
    return {
      title: `List ${titleIn(room, directory_path)}`,
      kind: "read",
      locations: [{ path }],
      effect: { type: "read", paths: [path] },
    };
  },
  async run({ directory_path, recursive }, room, signal) {
    const path = absoluteIn(room, directory_path);
    const tree = recursive ? await room.machine.listTree(path, TREE_LIMITS, signal) : await listOne(path, room, signal);
    const lines = render(tree, "", recursive);
    const ignored = tree.ignored > 0 ? [`(ignored files that are not listed: ${tree.ignored})`] : [];
    const listing = lines.length === 0 ? "(empty)" : lines.join("\n");
    return { told: [text([`Directory: ${path}`, listing, ...ignored].join("\n"))], content: [text(fenced(listing))] };
  },
});

async function listOne(path: string, room: ToolRoom, signal: AbortSignal): Promise<FolderTree> {
  return { listing: await room.machine.listFolder(path, MAX_ENTRIES, signal), below: new Map(), ignored: 0 };
}

function render({ listing, below }: FolderTree, indent: string, isTree: boolean): string[] {
  const lines = listing.entries.flatMap((entry) => {
    const branch = below.get(entry.name);
    const notEntered = isTree && entry.type === "folder" && branch === undefined ? " (not listed)" : "";
    return [
      `${indent}${label(entry)}${notEntered}`,
      ...(branch === undefined ? [] : render(branch, `${indent}  `, isTree)),
    ];
  });
  const more = listing.total - listing.entries.length;
  return more > 0 ? [...lines, `${indent}… and ${more} more`] : lines;
}

function label({ name, type, bytes, link }: FolderEntry): string {
  const target = link === undefined ? "" : ` -> ${toShown(link)}`;
  if (type === "folder") return `[DIR] ${toShown(name)}${target}`;
  return `[FILE] ${toShown(name)}${target}${bytes === undefined ? "" : ` (${bytes} bytes)`}`;
}
