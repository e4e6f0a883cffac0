// What a server that is started here finds in its environment: what every program needs, and what was configured for it.

const NEEDED = new Set(["PATH", "HOME", "LANG", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "TZ"]);
/** Without these, programs on Windows do not start. */
const NEEDED_ON_WINDOWS = new Set(
  "APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATHEXT PROGRAMDATA PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR".split(
    " ",
  ),
);

/** Keys of ours, and of other servers, stay out. */
export function childEnv(
  ours: Readonly<Record<string, string | undefined>>,
  configured: Readonly<Record<string, string>>,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(ours)) {
    if (value !== undefined && isNeeded(name)) env[name] = value;
  }
  return { ...env, ...configured };
}

function isNeeded(name: string): boolean {
  const upper = name.toUpperCase();
  return NEEDED.has(name) || upper === "PATH" || /^(XDG_|LC_)/.test(name) || NEEDED_ON_WINDOWS.has(upper);
}
