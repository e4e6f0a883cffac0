// What settings say about the sandbox of commands. Pure. What cannot be understood is taken in the strictest sense, and a
// project can only make things stricter.

import { isFields } from "../json/fields.ts";
import type { SandboxPolicy } from "../machine/sandbox-policy.ts";
import { isAbsolutePath } from "./path.ts";

export interface SandboxSettings {
  readonly enabled?: boolean | undefined;
  readonly network?: boolean | undefined;
  /** The session's folders cannot be written either. */
  readonly readOnly?: boolean | undefined;
  /** Further places, absolute or below the home folder by "~/". */
  readonly writable?: readonly string[] | undefined;
}

export interface ParsedSandbox {
  readonly settings: SandboxSettings;
  /** Sentences for the person; each names the place. */
  readonly problems: readonly string[];
}

export interface SandboxChoice {
  readonly network: boolean;
  readonly readOnly: boolean;
  readonly writable: readonly string[];
  /** Nobody but the project wants it, or what the person wants is not clear: what runs in it is asked about all the same. */
  readonly isAsked: boolean;
}

const PROFILES: Readonly<Record<string, SandboxSettings>> = {
  readonly: { readOnly: true, network: false },
  "read-only": { readOnly: true, network: false },
  "workspace-write": { readOnly: false, network: true },
  "workspace-write-no-network": { readOnly: false, network: false },
};
const STRICTEST: SandboxSettings = { readOnly: true, network: false };
const MAX_WRITABLE = 64;

/**
 * `value` is that of `sandbox` in a `settings.json`, `true` for all defaults, or the whole of a `sandbox.json`, which names
 * a profile. Without a value nothing is said.
 */
export function parseSandbox(value: unknown, source: string): ParsedSandbox {
  if (value === undefined || value === null) return { settings: {}, problems: [] };
  if (typeof value === "boolean") return { settings: { enabled: value }, problems: [] };
  if (!isFields(value)) {
    return {
      settings: { enabled: true, ...STRICTEST },
      problems: [`${source} is neither true, false nor an object, so the sandbox is on and read-only.`],
    };
  }
  const problems: string[] = [];
  const refuse = (name: string, wanted: string, so: string): void => {
    problems.push(`${source}: ${name} is not ${wanted}, so ${so}.`);
  };
  const flag = (name: "enabled" | "network", strict: boolean, so: string): boolean | undefined => {
    const given = value[name] ?? undefined;
    if (given === undefined || typeof given === "boolean") return given;
    refuse(name, "true or false", so);
    return strict;
  };
  const settings = {
    ...readProfile(value, refuse),
    enabled: flag("enabled", true, "the sandbox is on"),
    writable: readWritable(value.writable, refuse),
  };
  const network = flag("network", false, "there is no network");
  return { settings: present(network === undefined ? settings : { ...settings, network }), problems };
}

/** What counts in a session; nothing where there is no sandbox. A person's later settings count more than earlier ones. */
export function chooseSandbox(
  personal: readonly ParsedSandbox[],
  project: readonly ParsedSandbox[],
  projectPath: string,
): { readonly sandbox?: SandboxChoice | undefined; readonly notices: readonly string[] } {
  const own: SandboxSettings = Object.assign({}, ...personal.map(({ settings }) => settings));
  const theirs = project.map(({ settings }) => settings);
  const isOurs = own.enabled === true;
  const isTheirs = theirs.some(({ enabled }) => enabled === true);
  const notices = [
    ...[...personal, ...project].flatMap(({ problems }) => problems),
    ...(isOurs ? theirs.flatMap((settings) => loosened(own, settings, projectPath)) : []),
  ];
  if (!isOurs && !isTheirs) return { notices };
  const isClear = personal.every(({ problems }) => problems.length === 0);
  const sandbox: SandboxChoice = {
    network: own.network === true && !theirs.some(({ network }) => network === false),
    readOnly: own.readOnly === true || theirs.some(({ readOnly }) => readOnly === true),
    writable: own.writable ?? [],
    isAsked: !isOurs || !isClear,
  };
  return { sandbox, notices };
}

/** `home` is the person's; `hidden` are further places that commands must not read. */
export function toSandboxPolicy(
  { network, readOnly, writable }: SandboxChoice,
  roots: readonly string[],
  { home, hidden }: { readonly home?: string | undefined; readonly hidden?: readonly string[] | undefined },
): SandboxPolicy {
  const further = writable.flatMap((path) => {
    if (!path.startsWith("~/")) return [path];
    return home === undefined ? [] : [`${home}${path.slice(1)}`];
  });
  return {
    network,
    readable: roots,
    writable: readOnly ? [] : [...roots, ...further],
    ...(hidden !== undefined && { hidden }),
  };
}

type Refuse = (name: string, wanted: string, so: string) => void;

function readProfile(value: Readonly<Record<string, unknown>>, refuse: Refuse): SandboxSettings {
  const name = value.profile ?? ruleProfile(value.rules) ?? value.default_profile ?? undefined;
  if (name === undefined) return {};
  const profile = typeof name === "string" && Object.hasOwn(PROFILES, name) ? PROFILES[name] : undefined;
  if (profile === undefined) refuse("the profile", Object.keys(PROFILES).join(", "), "nothing can be written");
  return profile ?? STRICTEST;
}

/** A rule for the only tool that runs commands. */
function ruleProfile(rules: unknown): unknown {
  if (!Array.isArray(rules)) return undefined;
  const rule = rules.find((one) => isFields(one) && (one.tool === "run_shell_command" || one.tool === "*"));
  return rule?.profile ?? undefined;
}

function readWritable(given: unknown, refuse: Refuse): readonly string[] | undefined {
  if (given === undefined || given === null) return undefined;
  const isPlace = (one: unknown): one is string =>
    typeof one === "string" && (isAbsolutePath(one) || one.startsWith("~/"));
  const places = Array.isArray(given) ? given.filter(isPlace) : [];
  if (!Array.isArray(given) || places.length < given.length) {
    refuse("writable", 'a list of absolute paths or such that begin with "~/"', "what is none is left out");
  }
  return places.slice(0, MAX_WRITABLE);
}

function loosened(own: SandboxSettings, theirs: SandboxSettings, path: string): string[] {
  const names = [
    ...(theirs.enabled === false ? ["enabled"] : []),
    ...(theirs.network === true && own.network !== true ? ["network"] : []),
    ...(theirs.writable !== undefined && theirs.writable.length > 0 ? ["writable"] : []),
  ];
  return names.map((name) => `${path}: sandbox.${name} is not used: a project's settings can only make it stricter.`);
}

/** Without the fields that are not there. */
function present(settings: SandboxSettings): SandboxSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
