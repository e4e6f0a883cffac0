// Parameters put into a text: `{{ name }}`. Nothing is evaluated, and a name that nobody gave is refused.

export type Rendered =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "refused"; readonly problem: string };

const PLACE = /\{\{-?([^{}]*?)-?\}\}/g;

export function renderTemplate(template: string, values: ReadonlyMap<string, string>): Rendered {
  const odd = /\{%|\{#|\{\{/.exec(template.replace(PLACE, ""))?.[0];
  if (odd !== undefined) return refused(`only {{ name }} is understood, not ${odd}`);
  let problem: string | undefined;
  const text = template.replace(PLACE, (_, inner: string) => {
    const name = inner.trim();
    if (!/^[A-Za-z_]\w*$/.test(name)) problem ??= `only {{ name }} is understood, not {{${inner}}}`;
    else if (!values.has(name)) problem ??= `nothing is given for {{ ${name} }}`;
    return values.get(name) ?? "";
  });
  return problem === undefined ? { type: "text", text } : refused(problem);
}

function refused(problem: string): Rendered {
  return { type: "refused", problem };
}
