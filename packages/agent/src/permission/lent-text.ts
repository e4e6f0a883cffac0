// Commands that a program is lent by an option or a variable, to page, edit, connect or filter with. They are looked at
// only for what can never be allowed: for everything else the option itself is reason enough to ask.

import { valuesOf } from "./argument.ts";
import { type Field, readable } from "./field.ts";
import { programOf, type SimpleCommand } from "./simple-command.ts";

const VARIABLE =
  /^(GIT_(PAGER|EDITOR|SEQUENCE_EDITOR|SSH|SSH_COMMAND|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|PROMPT_COMMAND|PS[0-4]|LESSOPEN|LESSCLOSE|SHELL|RUSTC_WRAPPER|CC|CXX)$/;

/** Options whose value is the next word, and those that hold it themselves. */
type Options = readonly [separate: RegExp, attached: RegExp];

const NONE = /(?!)/;
const SSH: Options = [NONE, /^(?:-o)?\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.+)$/is];
const EDITOR: Options = [NONE, /^(?:\+|-c|--cmd)?:?!(.+)$/s];

const LENT = new Map<string, Options>(
  Object.entries({
    git: [
      /^(-x|--extcmd|--(tree|index|msg|env|parent|commit|tag-name)-filter|--upload-pack|--receive-pack)$/,
      /^--(?:extcmd|upload-pack|receive-pack|exec)=(.+)$/s,
    ],
    tar: [
      /^(-I|-F|--to-command|--use-compress-program|--info-script|--rsh-command)$/,
      /^(?:--(?:to-command|use-compress-program|info-script|rsh-command)=|(?:--checkpoint-action=)?exec=)(.+)$/s,
    ],
    man: [/^(-P|--pager)$/, /^(?:-P|--pager=)(.+)$/s],
    rg: [/^(--pre|--hostname-bin)$/, /^(?:--pre|--hostname-bin)=(.+)$/s],
    rsync: [/^(-e|--rsh|--rsync-path)$/, /^(?:-e|--rsh=|--rsync-path=)(.+)$/s],
    sort: [/^--compress-program$/, /^--compress-program=(.+)$/s],
    make: [NONE, /^(?:SHELL|CC|CXX)=(.+)$/s],
    sed: [NONE, /(?:^|[\d;$/}])\s{0,9}e\s{1,9}(.+)$/s],
    ssh: SSH,
    scp: SSH,
    sftp: SSH,
    vim: EDITOR,
    vi: EDITOR,
    nvim: EDITOR,
    ex: EDITOR,
    view: EDITOR,
    less: EDITOR,
    more: EDITOR,
  } satisfies Record<string, Options>),
);

/** Settings of git that name a program. */
const GIT_SETTING =
  /^[\w.-]*(?:pager|editor|command|external|textconv|cmd|program|fsmonitor|helper|clean|smudge|driver)=!?(.+)$/is;

const EXPORTS = new Set(["export", "declare", "typeset", "readonly", "local"]);

export function lentTexts(command: SimpleCommand): readonly string[] {
  const program = programOf(command) ?? "";
  const args = command.argv.slice(1);
  const [separate, attached] = LENT.get(program) ?? [NONE, NONE];
  const variables = [...command.assignments, ...(EXPORTS.has(program) ? args.flatMap(toAssignment) : [])];
  const values = variables.filter(({ name }) => VARIABLE.test(name)).map(({ value }) => value);
  const settings = program === "git" ? valuesOf(args, /^-c$/, /^-c(.+)$/s).flatMap(toSetting) : [];
  return [...valuesOf(args, separate, attached), ...settings, ...values].map(readable);
}

function toSetting(field: Field): Field[] {
  const shape = GIT_SETTING.exec(field.shape)?.[1];
  return shape === undefined ? [] : [{ ...field, shape }];
}

function toAssignment(field: Field): { name: string; value: Field }[] {
  const at = field.shape.indexOf("=");
  return at < 1 ? [] : [{ name: field.shape.slice(0, at), value: { ...field, shape: field.shape.slice(at + 1) } }];
}
