// What is wrong with the files people write settings in, and what to do. Values are never quoted.

import { findJsonFault, parseRules, parseSandbox, parseSettings } from "@agentao/agent";
import { parseServers } from "@agentao/agent/mcp";
import { parseServers as parseAgents } from "../drive/server-config.ts";
import { readConfig } from "../io/config-text.ts";
import { isFields } from "../json/fields.ts";
import { type ConfigFile, type ConfigPlace, configFiles } from "../settings-edit/config-file.ts";
import { parseTree } from "../settings-edit/edit-settings.ts";
import { nestingOf, repeatedIn } from "../settings-edit/json-edit.ts";
import { jsonHint } from "../settings-edit/json-hint.ts";
import { type KeyPath, toKeyText } from "../settings-edit/key-path.ts";
import { knownBeside } from "../settings-edit/known-settings.ts";
import { unusedSettings } from "../settings-edit/unused-settings.ts";
import { nearest } from "../text/nearest.ts";
import { broken, type Finding, warning } from "./finding.ts";

export interface CheckedFile extends ConfigFile {
  readonly isThere: boolean;
  readonly findings: readonly Finding[];
}

export async function checkFiles(place: ConfigPlace): Promise<readonly CheckedFile[]> {
  return Promise.all(
    configFiles(place).map(async (file) => {
      const read = await readConfig(file.path);
      if (read.type === "missing") return { ...file, isThere: false, findings: [] };
      const findings =
        read.type === "text"
          ? checkText(file, read.text, place.env)
          : [broken(file.kind, `${file.path} cannot be read: ${read.why}.${untilMended(file)}`, file.path)];
      const isProjects = file.kind === "settings" && file.whose === "project";
      const unused = isProjects ? await unusedSettings(place, file.path) : [];
      const lacking = read.type === "text" ? await lackingCertificates(file, read.text) : [];
      return {
        ...file,
        isThere: true,
        findings: [...findings, ...lacking, ...unused.map((notice) => warning(file.kind, notice, file.path))],
      };
    }),
  );
}

/** Far below anything that a person writes. */
const MAX_NESTING = 100;

function checkText(file: ConfigFile, text: string, env: ConfigPlace["env"]): readonly Finding[] {
  const { kind, path } = file;
  if (text.trim() === "") return [];
  const place = findJsonFault(text);
  if (place !== undefined) {
    const where = `line ${place.line}, column ${place.column}`;
    const todo = jsonHint(text) || " Mend it there.";
    return [broken(kind, `${path} is not JSON (${where}), so it is not used.${todo}${untilMended(file)}`, path)];
  }
  if (nestingOf(text) > MAX_NESTING) {
    const todo = "Nothing that is read stands there: write it anew.";
    return [broken(kind, `${path} is nested deeper than ${MAX_NESTING} levels. ${todo}${untilMended(file)}`, path)];
  }
  return [...checkValue(file, text, env), ...repeatedNames(file, text)];
}

function repeatedNames({ kind, path }: ConfigFile, text: string): Finding[] {
  return repeatedIn(text).map((key) =>
    warning(kind, `${path}: "${toKeyText(key)}" is written twice, and only the last one counts. Take one away.`, path),
  );
}

/** Of what is JSON. */
function checkValue(file: ConfigFile, text: string, env: ConfigPlace["env"]): readonly Finding[] {
  const { kind, path } = file;
  const say = (problems: readonly string[]): Finding[] => problems.map((problem) => broken(kind, problem, path));
  switch (kind) {
    case "settings": {
      const { problems, sandbox } = parseSettings(text, path);
      return [...say([...problems, ...sandbox.problems]), ...misspelt(text, path)];
    }
    case "permissions":
      return checkRules(file, text);
    case "mcp": {
      const source = file.whose === "yours" ? "user" : "project";
      return parseServers(text, { source, path, env }).problems.map((problem) => {
        // The file is right; it is this environment that lacks something.
        const isEnvironment = problem.includes(" is not set, so it is empty there");
        return isEnvironment ? warning(kind, problem, path) : broken(kind, problem, path);
      });
    }
    case "sandbox":
      return say(parseSandbox(JSON.parse(text), path).problems);
    case "acp":
      return say(parseAgents(text, path).problems);
  }
}

/** Only the person's count. */
async function lackingCertificates({ kind, whose, path }: ConfigFile, text: string): Promise<readonly Finding[]> {
  const caFile = kind === "settings" && whose === "yours" ? parseSettings(text, path).settings.caFile : undefined;
  if (caFile === undefined || (await readConfig(caFile)).type === "text") return [];
  const todo = "Name a file of certificates, or take it away: agentao config set caFile null";
  return [broken(kind, `${path}: caFile ${caFile} cannot be read, so no provider can be reached. ${todo}`, path)];
}

/** Who cannot know what was forbidden asks. */
const ASKS = "Until it is mended, you are asked about everything but looking, whatever is allowed.";

function untilMended({ kind }: ConfigFile): string {
  return kind === "permissions" ? ` ${ASKS}` : "";
}

/** What loosens makes the gate ask more until it is mended. */
function checkRules({ path, whose }: ConfigFile, text: string): Finding[] {
  const scope = whose === "yours" ? "user" : "project";
  return parseRules(text, { source: path, scope }).problems.map(({ message, loosens }) =>
    loosens
      ? broken("permissions", `${path}: ${message} ${ASKS}`, path)
      : warning("permissions", `${path}: ${message}`, path),
  );
}

/** Names we do not know are left alone at the top, but one that is nearly ours was meant to be. Below, all are ours. */
function misspelt(text: string, path: string): Finding[] {
  const tree = parseTree(text);
  if (typeof tree === "string") return [];
  return keyPaths(tree).flatMap((key) => {
    const problem = unknownIn(key);
    return problem === undefined ? [] : [warning("settings", `${path}: ${problem}`, path)];
  });
}

/** What is wrong with the last name of a path; nothing where it may be there. */
export function unknownIn(key: KeyPath): string | undefined {
  const known = knownBeside(key);
  const name = key.at(-1) ?? "";
  if (known === undefined || known.includes(name)) return undefined;
  const close = nearest(name, known);
  if (close !== undefined) return `"${toKeyText(key)}" is not known; did you mean "${close}"?`;
  return key.length === 1 ? undefined : `"${toKeyText(key)}" is not known; known there: ${known.join(", ")}.`;
}

const MAX_KEYS = 1000;

function keyPaths(tree: unknown, above: KeyPath = []): readonly KeyPath[] {
  if (!isFields(tree)) return [];
  return Object.entries(tree)
    .flatMap(([name, value]) => [[...above, name], ...keyPaths(value, [...above, name])])
    .slice(0, MAX_KEYS);
}
