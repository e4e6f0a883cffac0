// The wrappers we know, and how each is written. A wrapper that is not here is a program like any other.

/** How the words of a wrapper end and those of the command begin. */
export interface Grammar {
  /** Letters of options without a value. */
  readonly flags?: string;
  /** Letters of options with one. */
  readonly values?: string;
  /** Long options whose value is the next word. */
  readonly longValues?: readonly string[];
  readonly longFlags?: readonly string[];
  /** Words of its own before the command. */
  readonly operands?: number;
  /** A word of its own that may be there, before the command. */
  readonly optional?: RegExp;
  /** `NAME=value` words before the command are its environment. */
  readonly assignments?: boolean;
  /** Options whose value is text for a shell. */
  readonly text?: readonly string[];
  /** The rest is joined and given to a shell. */
  readonly joins?: boolean;
  /** Its options may stand after its operands. */
  readonly mixed?: boolean;
  /** It is a wrapper only with this first word. */
  readonly subcommand?: readonly string[];
}

const ARCHITECTURE =
  /^(linux(32|64)|uname26|i[3-6]86|x86_64|x86-64|amd64|arm\w*|aarch64|ppc\w*|s390x?|sparc\w*|mips\w*|riscv\w*)$/;
const ARCH: Grammar = { flags: "BFILRSTXZ3v", longFlags: ["addr-no-randomize", "verbose"], optional: ARCHITECTURE };
const USER: Grammar = {
  flags: "lmfpPTh",
  values: "gGswu",
  text: ["c", "command", "session-command"],
  longValues: ["user", "group", "supp-group", "shell", "whitelist-environment"],
  longFlags: ["login", "preserve-environment", "fast", "pty"],
  mixed: true,
};
const PLAIN: Grammar = {};

export const WRAPPERS: Readonly<Record<string, Grammar>> = {
  sudo: {
    flags: "AbBEeHiKklNnPSsVv",
    values: "aCcDghpRrTtUu",
    assignments: true,
    longValues: ["user", "group", "host", "prompt", "chdir", "chroot", "role", "type", "close-from", "command-timeout"],
    longFlags: ["preserve-env", "non-interactive", "login", "shell", "background", "set-home", "stdin", "askpass"],
  },
  doas: { flags: "Lns", values: "aCu" },
  env: {
    flags: "i0v",
    values: "uC",
    assignments: true,
    text: ["S", "split-string"],
    longValues: ["unset", "chdir"],
    longFlags: ["ignore-environment", "null", "debug"],
  },
  nice: { flags: "0123456789", values: "n", longValues: ["adjustment"] },
  ionice: { flags: "t", values: "cnpPu", longValues: ["class", "classdata"], longFlags: ["ignore"] },
  chrt: { flags: "abdefiormRv", values: "TPD", operands: 1 },
  taskset: { flags: "ac", operands: 1, longFlags: ["cpu-list", "all-tasks"] },
  timeout: {
    flags: "fpv",
    values: "ks",
    operands: 1,
    longValues: ["kill-after", "signal"],
    longFlags: ["foreground", "preserve-status", "verbose"],
  },
  stdbuf: { values: "ioe", longValues: ["input", "output", "error"] },
  exec: { flags: "cl", values: "a" },
  command: { flags: "p" },
  builtin: PLAIN,
  nohup: PLAIN,
  setsid: { flags: "cfw", longFlags: ["ctty", "fork", "wait"] },
  time: {
    flags: "apqvl",
    values: "fo",
    longValues: ["format", "output"],
    longFlags: ["append", "portability", "verbose"],
  },
  busybox: PLAIN,
  toybox: PLAIN,
  flock: {
    flags: "enosuxFv",
    values: "wE",
    operands: 1,
    text: ["c", "command"],
    longValues: ["timeout", "wait", "conflict-exit-code"],
    longFlags: ["nonblock", "nb", "exclusive", "shared", "close", "no-fork", "verbose", "unlock"],
  },
  setarch: ARCH,
  linux32: ARCH,
  linux64: ARCH,
  i386: ARCH,
  i686: ARCH,
  x86_64: ARCH,
  uname26: ARCH,
  unshare: {
    flags: "imnpuUCTfrc",
    values: "RwSG",
    longFlags: [
      "fork",
      "mount",
      "pid",
      "net",
      "user",
      "ipc",
      "uts",
      "cgroup",
      "time",
      "map-root-user",
      "map-current-user",
    ],
    longValues: ["root", "wd", "setuid", "setgid"],
  },
  su: USER,
  runuser: USER,
  sg: { operands: 1, text: ["c"], joins: true },
  chroot: { operands: 1, longFlags: ["skip-chdir"] },
  nsenter: { flags: "mnuipCUTaFrwZ", values: "tSG", longValues: ["target", "setuid", "setgid"] },
  setpriv: { longFlags: ["clear-groups", "keep-groups", "no-new-privs", "init-groups", "nnp"] },
  prlimit: { flags: "v" },
  pkexec: { longValues: ["user"] },
  gosu: { operands: 1 },
  "su-exec": { operands: 1 },
  tini: { flags: "svwg", values: "pe" },
  "dumb-init": { flags: "cv", values: "r" },
  fakeroot: { flags: "uh", values: "lsib" },
  strace: { flags: "cCdDfFhikqrtTvVwxyYzZn", values: "aAbeEIoOpPsSuUX" },
  ltrace: { flags: "cCfhiLrStTV", values: "aADeFlnopsuwx" },
  watch: { flags: "bcCdegprtwx", values: "nq", longValues: ["interval", "equexit"], joins: true },
  script: { flags: "aefqVh", values: "EIOBTmo", text: ["c", "command"], mixed: true },
  "systemd-run": {
    flags: "tPqdGrS",
    values: "EpuMH",
    longFlags: ["user", "scope", "pty", "wait", "collect", "quiet", "system", "pipe", "shell", "no-block"],
    longValues: ["unit", "property", "setenv", "description", "slice", "uid", "gid", "machine", "host"],
  },
  npx: {
    flags: "yq",
    values: "pw",
    text: ["c", "call"],
    longValues: ["package"],
    longFlags: ["yes", "no", "no-install"],
  },
  bunx: { flags: "y", longFlags: ["bun", "silent"] },
  caffeinate: { flags: "dimsu", values: "tw" },
  chronic: { flags: "ve" },
  unbuffer: { flags: "p" },
  rlwrap: { flags: "aciHnNoprRsv" },
  torsocks: { flags: "idqv" },
  proxychains: { flags: "q", values: "f" },
  proxychains4: { flags: "q", values: "f" },
  "xvfb-run": {
    flags: "al",
    values: "efnpsw",
    longFlags: ["auto-servernum"],
    longValues: ["server-args", "server-num"],
  },
  "dbus-run-session": PLAIN,
  "cross-env": { assignments: true },
  entr: { flags: "acdnprxz", text: ["s"] },
  "ssh-agent": { flags: "cDdks", values: "aEOPt" },
  parallel: { flags: "0kmqtuvXr", values: "aCdIjLnNPS" },
  uv: { subcommand: ["run"], longValues: ["with", "python", "project", "directory", "extra", "group"], values: "p" },
  poetry: { subcommand: ["run"] },
  pipenv: { subcommand: ["run"] },
  pdm: { subcommand: ["run"] },
  hatch: { subcommand: ["run"] },
  rye: { subcommand: ["run"] },
  bundle: { subcommand: ["exec"] },
  conda: { subcommand: ["run"], values: "np", longValues: ["name", "prefix", "cwd"] },
  mise: { subcommand: ["exec", "x"], longValues: ["cd", "env"] },
  asdf: { subcommand: ["exec"] },
  direnv: { subcommand: ["exec"], operands: 1 },
  npm: { subcommand: ["exec", "x"], flags: "yq", values: "pw", text: ["c", "call"], longValues: ["package"] },
  pnpm: { subcommand: ["exec", "dlx"] },
  yarn: { subcommand: ["exec", "dlx"] },
};
