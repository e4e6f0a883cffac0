// The settings and variables of a person and a project, as they are on disk.

import { join } from "node:path";
import { errorCode } from "../fault/error-code.ts";
import { fieldOf } from "../json/fields.ts";
import { openToRead } from "../machine/regular-file.ts";
import { parseDotEnv } from "./dot-env.ts";
import { chooseSandbox, type ParsedSandbox, parseSandbox } from "./sandbox.ts";
import { type ParsedSettings, parseSettings } from "./settings.ts";

const MAX_FILE_BYTES = 1024 * 1024;

export interface ConfigFiles {
  readonly personal: ParsedSettings;
  readonly project: ParsedSettings;
  readonly personalPath: string;
  readonly projectPath: string;
  readonly projectEnv: Readonly<Record<string, string>>;
  readonly sandbox: ReturnType<typeof chooseSandbox>;
  /** Which of them are there. */
  readonly read: readonly string[];
  /** Of those that cannot be read. */
  readonly problems: readonly string[];
}

/** Never rejects. */
export async function readFiles(cwd: string, home: string | undefined): Promise<ConfigFiles> {
  const [personalPath, projectPath, envPath] = [
    join(home ?? "", "settings.json"),
    join(cwd, ".agentao", "settings.json"),
    join(cwd, ".env"),
  ];
  const isHome = projectPath === personalPath;
  const [personal, project, dotEnv, ...sandboxes] = await Promise.all([
    home === undefined ? NO_FILE : readText(personalPath),
    // The home folder of a person is often opened as a project.
    isHome ? NO_FILE : readText(projectPath),
    // Some projects have a folder of this name.
    readText(envPath).then((read) => (read.isNoFile ? NO_FILE : read)),
    home === undefined ? NO_FILE : readSandbox(join(home, "sandbox.json")),
    isHome ? NO_FILE : readSandbox(join(cwd, ".agentao", "sandbox.json")),
  ]);
  const all = [
    [personalPath, personal],
    [projectPath, project],
    [envPath, dotEnv],
  ] as const;
  const own = parseSettings(personal.text ?? "", personalPath);
  const theirs = withoutCaFile(parseSettings(project.text ?? "", projectPath), projectPath);
  const [ownSandbox = {}, theirSandbox = {}] = sandboxes;
  return {
    personal: own,
    project: theirs,
    sandbox: chooseSandbox(
      [...sandboxIn(ownSandbox), own.sandbox],
      [...sandboxIn(theirSandbox), theirs.sandbox],
      projectPath,
    ),
    personalPath,
    projectPath,
    projectEnv: parseDotEnv(dotEnv.text ?? ""),
    read: all.filter(([, { text }]) => text !== undefined).map(([path]) => path),
    problems: all.flatMap(([path, { problem }]) =>
      problem === undefined ? [] : [`${path} cannot be read: ${problem}`],
    ),
  };
}

interface SandboxFile extends FileText {
  readonly path?: string | undefined;
}

async function readSandbox(path: string): Promise<SandboxFile> {
  return { ...(await readText(path)), path };
}

/** What cannot be read is taken in the strictest sense: somebody wanted a sandbox. */
function sandboxIn({ text, problem, path = "" }: SandboxFile): ParsedSandbox[] {
  if (text === undefined && problem === undefined) return [];
  try {
    return [parseSandbox(JSON.parse(text ?? ""), path)];
  } catch {
    return [parseSandbox("", path)];
  }
}

function withoutCaFile({ settings, sandbox, problems }: ParsedSettings, path: string): ParsedSettings {
  const { caFile, ...rest } = settings;
  const notice = `${path}: caFile is not used: which certificates are trusted is up to the person's own settings.`;
  return { settings: rest, sandbox, problems: caFile === undefined ? problems : [...problems, notice] };
}

export interface FileText {
  readonly text?: string | undefined;
  readonly problem?: string | undefined;
  /** It is a folder, or something stranger. */
  readonly isNoFile?: boolean | undefined;
}

const NO_FILE: FileText = {};

/** Only of regular files; nothing where there is none. */
export async function readText(path: string): Promise<FileText> {
  try {
    const handle = await openToRead(path);
    try {
      const { size } = await handle.stat();
      if (size > MAX_FILE_BYTES) return { problem: "it is larger than 1 MiB" };
      return { text: await handle.readFile("utf8") };
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const code = errorCode(cause);
    if (code === "ENOENT" || code === "ENOTDIR") return NO_FILE;
    return { problem: String(fieldOf(cause, "message")), isNoFile: code === "not-a-file" };
  }
}
