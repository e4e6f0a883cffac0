// Whether a command that only looks may look at what nobody should see unasked: credentials, and the environment of other
// processes, ours among them.

import { hasOption, operandsOf } from "./argument.ts";
import { canHoldCredentials, isCredential } from "./credential-path.ts";
import { type Field, HOME, ONE, STAR, UNKNOWN } from "./field.ts";
import { canBe, resolveShape } from "./place.ts";
import { mayBeProcessPath } from "./process-path.ts";
import { programOf, type SimpleCommand } from "./simple-command.ts";

/** They open no file that they are given. */
const SPEAKING = new Set(
  "echo printf basename dirname true false : sleep seq exit return test [ which whereis type set".split(" "),
);
/** They tell of files, but not what is in them; or read what they are given by another command only. */
const NAMING = new Set(
  "ls cd du df stat file realpath readlink tree find fd tr git id groups ps pgrep date".split(" "),
);
const SEARCHING = new Set(["grep", "egrep", "fgrep", "rg"]);
const HIDDEN_FOLDERS = [".ssh", ".gnupg", ".aws", ".azure", ".kube", ".config", ".docker", ".netrc", ".npmrc", ".env"];

export function reachesSecrets(command: SimpleCommand): boolean {
  const { redirects, cwd } = command;
  const sources = redirects.filter(({ operator }) => operator === "<").map(({ target }) => target);
  const isReading = !NAMING.has(programOf(command) ?? "");
  const isSearch = SEARCHING.has(programOf(command) ?? "");
  // A word that begins with something unknown can be any path, also one that a file of the project made up.
  const isOpen = ({ shape }: Field): boolean => isReading && shape.startsWith(UNKNOWN);
  const isQuiet = !isSearch && isQuietFolder(cwd);
  return [...placesIn(command), ...sources].some((field) => {
    if (OPTION.test(field.shape) || (isQuiet && isHarmlessName(field.shape))) return false;
    if (isOpen(field) || mayBeProcessPath(field, cwd) || mayBeCredential(field, cwd)) return true;
    return isSearch && isAroundSecrets(field, cwd);
  });
}

/** Options without a path in them, and names that are no credential wherever they lie: most words, and soon read. */
const OPTION = /^-[\w,.:=%+-]*$/;
const NAME = /^[A-Za-z0-9][\w.,%+-]*$/;
const TELLING_NAME = /^(id_|environ$|mcp-auth$)/;

function isHarmlessName(shape: string): boolean {
  return NAME.test(shape) && !TELLING_NAME.test(shape);
}

/** Where a plain name can only be a plain file. Commands of a line are mostly in one folder, so the last one is kept. */
function isQuietFolder(cwd: string | undefined): boolean {
  if (cwd !== lastFolder.cwd) lastFolder = { cwd, isQuiet: cwd !== undefined && isOrdinary(cwd) };
  return lastFolder.isQuiet;
}

let lastFolder: { readonly cwd: string | undefined; readonly isQuiet: boolean } = { cwd: undefined, isQuiet: false };

function isOrdinary(cwd: string): boolean {
  if (!/^\/[\w/-]+$/.test(cwd) || isCredential(cwd) || canHoldCredentials(cwd)) return false;
  return !/\/(proc|git|composer|share|library|mcp-auth)(\/|$)/i.test(cwd);
}

/** Its words but for those that are said, or searched for. */
function placesIn(command: SimpleCommand): readonly Field[] {
  const program = programOf(command) ?? "";
  const words = command.argv.slice(1);
  if (SPEAKING.has(program)) return [];
  if (!SEARCHING.has(program) || hasOption(words, "ef", ["--regexp", "--file", "--files"])) return words;
  const [pattern] = operandsOf(words);
  return words.filter((word) => word !== pattern);
}

function mayBeCredential({ shape }: Field, cwd: string | undefined): boolean {
  const value = /^-[^/=]*=?([/\uE000].*)$/s.exec(shape)?.[1] ?? shape;
  const path = resolveShape(value, cwd) ?? value;
  return isCredential(path) || path.split("/").some(canBeHidden);
}

/** A file pattern meets hidden names only where it begins with a dot. */
function canBeHidden(segment: string): boolean {
  const isPattern = [STAR, ONE, UNKNOWN].some((mark) => segment.includes(mark));
  return isPattern && segment.startsWith(".") && HIDDEN_FOLDERS.some((name) => canBe(segment, name));
}

function isAroundSecrets({ shape }: Field, cwd: string | undefined): boolean {
  const path = resolveShape(shape, cwd);
  return path !== undefined && (path === HOME || canHoldCredentials(path));
}
