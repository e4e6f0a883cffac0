// Whether what the agent sends is valid by the official schema, as it is, without any of the tolerance of receivers.

import { readSchema } from "../../scripts/generate-acp/schema.ts";
import { validators } from "../schema-reference.ts";

type Kind = "Request" | "Response" | "Notification";

const schema = readSchema("stable");
const { official } = validators(schema);

const definitions = new Map(
  Object.entries(schema.$defs).flatMap(([name, node]): [string, string][] => {
    const kind = /(Request|Response|Notification)$/.exec(name)?.[0];
    return node["x-method"] === undefined || kind === undefined ? [] : [[`${kind} ${node["x-method"]}`, name]];
  }),
);

/** What each kind of update is, besides its tag. One at a time they are compiled in a fraction of the time of all. */
const updates = new Map(
  (schema.$defs.SessionUpdate?.oneOf ?? []).map((branch) => [
    branch.properties?.sessionUpdate?.const,
    branch.allOf?.[0]?.$ref?.replace("#/$defs/", ""),
  ]),
);

/** True, too, for methods the schema does not have. */
export function isValid(kind: Kind, method: string, value: unknown): boolean {
  if (method === "session/update") {
    const { update } = value as { update: { readonly sessionUpdate: string } };
    return official(updates.get(update.sessionUpdate) ?? "SessionUpdate", update);
  }
  const definition = definitions.get(`${kind} ${method}`);
  return definition === undefined || official(definition, value);
}
