// What a person and a project say about models, with where each word comes from: a project may name things, but it must
// not get a person's keys.

import type { ModelFacts } from "../model/known-models.ts";
import type { Protocol } from "./provider.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

export interface ProviderSettings {
  readonly name?: string | undefined;
  readonly protocol?: Protocol | undefined;
  readonly baseUrl?: string | undefined;
  /** The key itself, or `$VARIABLE`. */
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly models?: Readonly<Record<string, ModelFacts>> | undefined;
  readonly temperature?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

export interface ModelSettings {
  /** The file, as it is named to the person. */
  readonly source: string;
  readonly model?: string | undefined;
  readonly providers: Readonly<Record<string, ProviderSettings>>;
}

export interface Surroundings {
  /** Of the process. */
  readonly env: Variables;
  /** Of the project's `.env`. Fills what is unset or blank. */
  readonly projectEnv?: Variables | undefined;
  readonly personal?: ModelSettings | undefined;
  readonly project?: ModelSettings | undefined;
}

/** Whose word it is. */
export type Origin = "person" | "project";

export interface Found<Value = string> {
  readonly value: Value;
  readonly origin: Origin;
  /** A variable or a file, as it is named to the person. */
  readonly from: string;
}

/** The first of the names that is set, in the process before the project. */
export function findVariable(surroundings: Surroundings, names: readonly string[]): Found | undefined {
  return findVariables(surroundings, names)[0];
}

export function findVariables({ env, projectEnv = {} }: Surroundings, names: readonly string[]): readonly Found[] {
  return [
    ...names.map((name) => toFound(env, name, "person", name)),
    ...names.map((name) => toFound(projectEnv, name, "project", `${name} of .env`)),
  ].filter((found) => found !== undefined);
}

function toFound(variables: Variables, name: string, origin: Origin, from: string): Found | undefined {
  const value = Object.hasOwn(variables, name) ? variables[name]?.trim() : undefined;
  return value === undefined || value === "" ? undefined : { value, origin, from };
}

/** Of the project before those of the person. */
export function settingsOf(
  { personal, project }: Surroundings,
  ids: readonly string[],
): readonly Found<ProviderSettings>[] {
  const files = [
    { file: project, origin: "project" },
    { file: personal, origin: "person" },
  ] as const;
  return files.flatMap(({ file, origin }) =>
    ids
      .filter((id) => file !== undefined && Object.hasOwn(file.providers, id))
      .map((id) => ({ value: file?.providers[id] ?? {}, origin, from: file?.source ?? "" })),
  );
}
