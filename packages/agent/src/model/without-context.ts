// What a person said, without what agentao told the model beside it: models that live by rules do not need that.

export function withoutContext(said: string): string {
  return said.replace(/(?:^|\n\n)<context>\n[\s\S]*?\n<\/context>/g, "").trim();
}
