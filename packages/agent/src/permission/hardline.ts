// What can never be allowed, in any mode, by anybody: destroying the machine or switching it off. A floor of known
// shapes over the parsed command; it knows what it names here and nothing else.

import { hasOption, isShortFor, operandsOf, valuesOf } from "./argument.ts";
import { isInterpreter } from "./carry.ts";
import { type ParsedCommand, parseCommand } from "./command.ts";
import { type Field, readable, textOf, UNKNOWN } from "./field.ts";
import { findStarts, isFiltered } from "./find-place.ts";
import { lentTexts } from "./lent-text.ts";
import { isRawDevice, placeOf, resolveShape } from "./place.ts";
import { programOf, type SimpleCommand } from "./simple-command.ts";

/** Programs lent to programs lent to programs. */
const MAX_LENT = 3;

/** What is wrong with it, as `hardline: …`; nothing when nothing is. */
export function hardlineOf(parsed: ParsedCommand): string | undefined {
  return floorOf(parsed, 0);
}

function floorOf(parsed: ParsedCommand, depth: number): string | undefined {
  if (parsed.excessive) return "hardline: a command too long or too deeply nested to be read";
  if (parsed.forkBomb) return "hardline: a fork bomb";
  for (const command of parsed.commands) {
    const found = harmOf(command);
    if (found !== undefined) return `hardline: ${found}`;
    for (const text of depth < MAX_LENT ? lentTexts(command) : []) {
      const lent = floorOf(parseCommand(text, command.cwd ?? ""), depth + 1);
      if (lent !== undefined) return lent;
    }
  }
  return undefined;
}

function harmOf(command: SimpleCommand): string | undefined {
  const written = command.redirects.filter(({ operator }) => operator !== "<" && operator !== "<&");
  for (const { target } of written) {
    const harm = writeHarm(target, command.cwd);
    if (harm !== undefined) return harm;
  }
  const program = programOf(command);
  const call: Call = { args: command.argv.slice(1), argv: command.argv, cwd: command.cwd };
  if (program === undefined) return command.argv.length > 0 ? nameless(call) : undefined;
  return CHECKS.get(program.replace(GNU_PREFIX, ""))?.(call) ?? byFamily(program, call);
}

interface Call {
  readonly argv: readonly Field[];
  readonly args: readonly Field[];
  readonly cwd: string | undefined;
}

/** GNU programs on other systems: `grm`. */
const GNU_PREFIX = /^g(?=(rm|mv|cp|dd|tee|shred|chmod|chown|chgrp|truncate|install|find)$)/;

type Check = (call: Call) => string | undefined;

const CHECKS = new Map<string, Check>(
  Object.entries({
    rm: removes,
    srm: removes,
    rimraf: ({ args, cwd }) => deletion(operandsOf(args), cwd),
    find: finds,
    rsync: (call) => (deletesExtra(call.args) ? deletion(call.args.slice(-1), call.cwd) : copies(call)),
    mv: (call) => moves(call) ?? copies(call),
    cp: copies,
    install: copies,
    ln: copies,
    scp: copies,
    tee: (call) => firstHarm(operandsOf(call.args), call.cwd),
    sponge: (call) => firstHarm(operandsOf(call.args), call.cwd),
    truncate: (call) => firstHarm(operandsOf(call.args), call.cwd),
    dd: duplicates,
    dcfldd: duplicates,
    ddrescue: (call) => firstHarm(operandsOf(call.args).slice(1, 2), call.cwd),
    curl: (call) => firstHarm(valuesOf(call.args, /^(-o|--output)$/, /^(?:-o|--output=)(.+)$/), call.cwd),
    wget: (call) =>
      firstHarm(valuesOf(call.args, /^(-O|--output-document)$/, /^(?:-O|--output-document=)(.+)$/), call.cwd),
    shred: onDevice("overwrites"),
    wipefs: (call) => (hasOption(call.args, "ao", ["--all", "--offset"]) ? onDevice("wipes")(call) : undefined),
    blkdiscard: onDevice("discards"),
    fdisk: unlessOnly(/^(-[lsxvVh]|--list.*|--help|--version)$/),
    sfdisk: unlessOnly(/^(-[lLdJsgFVvh]|--list.*|--dump|--json|--show-.*|--verify|--help|--version)$/),
    cfdisk: unlessOnly(/^(-[hV]|--help|--version)$/),
    gdisk: unlessOnly(/^-l$/),
    sgdisk: unlessOnly(/^(-[pvVhO]|-i\d*|--print|--verify|--info.*|--help|--version)$/),
    parted: (call) => (says(call, /^print$/) && !says(call, PARTED) ? undefined : onDevice("partitions")(call)),
    partx: (call) => (hasOption(call.args, "d", ["--delete"]) ? onDevice("partitions")(call) : undefined),
    pvcreate: onDevice("overwrites"),
    badblocks: (call) => (hasOption(call.args, "w", []) ? onDevice("overwrites")(call) : undefined),
    hdparm: (call) =>
      call.args.some(({ shape }) => shape.startsWith("--security-erase")) ? onDevice("erases")(call) : undefined,
    nvme: (call) => (says(call, /^(format|sanitize|write-zeroes)$/) ? onDevice("erases")(call) : undefined),
    mdadm: (call) => (hasOption(call.args, "", ["--zero-superblock"]) ? onDevice("wipes")(call) : undefined),
    cryptsetup: (call) => (says(call, /^(luksformat|erase|lukserase)$/i) ? "erases an encrypted device" : undefined),
    diskutil: (call) => (says(call, DISKUTIL) ? "erases a disk" : undefined),
    chmod: changesAll,
    chown: changesAll,
    chgrp: changesAll,
    setfacl: changesAll,
    chattr: changesAll,
    kill: kills,
    killall5: () => "kills every process",
    shutdown: (call) => (says(call, /^(-c|--help|--version)$/) ? undefined : "switches the machine off"),
    reboot: switchesOff,
    halt: switchesOff,
    poweroff: switchesOff,
    init: (call) => (says(call, /^[06s1]$/i) ? "switches the machine off" : undefined),
    telinit: (call) => (says(call, /^[06s1]$/i) ? "switches the machine off" : undefined),
    "runit-init": (call) => (says(call, /^[06]$/) ? "switches the machine off" : undefined),
    "openrc-shutdown": switchesOff,
    systemctl: controls,
    loginctl: controls,
    kexec: (call) => (hasOption(call.args, "e", ["--exec"]) ? "switches the machine off" : undefined),
  }),
);

const PARTED = /^(mk\w+|rm|resizepart|set|disk_set|name|toggle|rescue)$/;
const DISKUTIL = /^(erase\w*|partitiondisk|zerodisk|randomdisk|secureerase|reformat|deletecontainer|deletevolume)$/i;

/** Families of programs that are told by their name. */
function byFamily(program: string, call: Call): string | undefined {
  if (isInterpreter(program)) return forks(call);
  if (!/^(mkfs(\.\w+)?|mke2fs|mkswap|mkntfs|mkdosfs|newfs(_\w+)?)$/.test(program)) return undefined;
  return asksForHelp(call.args) ? undefined : "makes a file system";
}

/** The program is not written out, but what it is given is what only a deletion is given. */
function nameless({ args, cwd }: Call): string | undefined {
  const clusters = args.map(textOf).filter((word) => word !== undefined && /^-[a-zA-Z]+$/.test(word));
  const isForced = /[rR]/.test(clusters.join("")) && clusters.join("").includes("f");
  return isForced ? deletion(operandsOf(args), cwd) : undefined;
}

/** Recursive deletion. Forced or not: nobody is there to be asked by `rm`. */
function removes({ args, cwd }: Call): string | undefined {
  const recursive = hasOption(args, "rR", ["--recursive"]) || args.some(({ shape }) => shape.startsWith(UNKNOWN));
  return recursive ? deletion(operandsOf(args), cwd) : undefined;
}

function deletion(targets: readonly Field[], cwd: string | undefined): string | undefined {
  for (const target of targets) {
    const place = placeOf(target, cwd);
    if (place?.type === "system") return `deletes a system folder (${place.name})`;
    if (place?.type === "home") return `deletes a home folder (${place.name})`;
  }
  return undefined;
}

/** In system folders a filter is no excuse; in a home folder it makes the difference. */
function finds({ argv, args, cwd }: Call): string | undefined {
  const deletes = args.some(({ shape }, at) => {
    if (shape === "-delete") return true;
    return /^-(exec|ok)(dir)?$/.test(shape) && /(^|\/)(rm|unlink|shred)$/.test(args[at + 1]?.shape ?? "");
  });
  if (!deletes) return undefined;
  const starts = findStarts(argv).filter((start) => placeOf(start, cwd)?.type === "system" || !isFiltered(argv));
  return deletion(starts, cwd);
}

function deletesExtra(args: readonly Field[]): boolean {
  return args.some(({ shape }) => shape.startsWith("--delete-") || isShortFor(shape, "--delete"));
}

function moves({ args, cwd }: Call): string | undefined {
  const operands = operandsOf(args);
  const sources = hasOption(args, "t", ["--target-directory"]) ? operands : operands.slice(0, -1);
  for (const source of sources) {
    const place = placeOf(source, cwd);
    if (place !== undefined) return `moves a ${place.type} folder away (${place.name})`;
  }
  return undefined;
}

function copies({ args, cwd }: Call): string | undefined {
  const into = valuesOf(args, /^(-t|--target-directory)$/, /^(?:-t|--target-directory=)(.+)$/);
  return firstHarm([...operandsOf(args).slice(-1), ...into], cwd);
}

function duplicates({ args, cwd }: Call): string | undefined {
  return firstHarm(valuesOf(args, /(?!)/, /^of=(.+)$/s), cwd);
}

function firstHarm(targets: readonly Field[], cwd: string | undefined): string | undefined {
  for (const target of targets) {
    const harm = writeHarm(target, cwd);
    if (harm !== undefined) return harm;
  }
  return undefined;
}

function writeHarm(target: Field, cwd: string | undefined): string | undefined {
  if (isRawDevice(target, cwd)) return `writes to a raw device (${readable(target)})`;
  return resolveShape(target.shape, cwd) === "/proc/sysrq-trigger" ? "switches the machine off" : undefined;
}

function onDevice(verb: string): Check {
  return ({ args, cwd }) => {
    const device = args.find((field) => isRawDevice(field, cwd));
    return device === undefined ? undefined : `${verb} a raw device (${readable(device)})`;
  };
}

/** Those that only list, print or explain are no harm. */
function unlessOnly(harmless: RegExp): Check {
  return (call) => {
    const options = call.args.filter(({ shape }) => shape.startsWith("-"));
    return options.length > 0 && options.every(({ shape }) => harmless.test(shape))
      ? undefined
      : onDevice("partitions")(call);
  };
}

function changesAll({ args, cwd }: Call): string | undefined {
  if (!hasOption(args, "R", ["--recursive"])) return undefined;
  for (const target of operandsOf(args)) {
    const place = placeOf(target, cwd);
    if (place?.type === "system" && !place.holdsData) return `changes the rights of a system folder (${place.name})`;
  }
  return undefined;
}

/** `-1` is everybody, unless it is the signal. */
function kills({ args }: Call): string | undefined {
  const words = args.map(({ shape }) => shape);
  const [first, ...others] = words;
  const isSignal = first !== undefined && /^-/.test(first) && first !== "--";
  const operands = isSignal ? others : words;
  const everybody = operands.includes("-1") || (words.length === 1 && first === "-1");
  return everybody ? "kills every process" : undefined;
}

function switchesOff({ args }: Call): string | undefined {
  return asksForHelp(args) ? undefined : "switches the machine off";
}

function controls(call: Call): string | undefined {
  const off =
    /^(poweroff|reboot|halt|kexec|soft-reboot|rescue|emergency|exit|(poweroff|reboot|halt|kexec|rescue|emergency|shutdown)\.target|runlevel[016]\.target)$/;
  return says(call, off) && !says(call, /^(status|show|cat|help|list-\w+|is-\w+|--help)$/)
    ? "switches the machine off"
    : undefined;
}

/** The one-line fork bombs of other languages. */
function forks({ args }: Call): string | undefined {
  const code = args
    .map(({ shape }) => shape)
    .join(" ")
    .slice(0, 2_000);
  const bomb =
    /\bfork\b[\s(){};]{0,9}\bwhile\b[\s(]{0,9}\bfork\b|\bwhile\b[\s(:]{0,9}(1|true)\b.{0,30}\bfork\b|\bloop\b[\s{]{0,9}fork\b/i;
  return bomb.test(code) ? "a fork bomb" : undefined;
}

function says({ args }: Call, word: RegExp): boolean {
  return args.some((field) => word.test(field.shape));
}

function asksForHelp(args: readonly Field[]): boolean {
  return args.length > 0 && args.every(({ shape }) => /^(--help|--version|-h|-V)$/.test(shape));
}
