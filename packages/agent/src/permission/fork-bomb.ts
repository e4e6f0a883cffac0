// A function that starts itself in the background, or twice in a pipe.

import { forEachChild, type SyntaxNode } from "unbash";

export function isForkBomb(name: string, body: SyntaxNode): boolean {
  let found = false;
  const look = (node: SyntaxNode): void => {
    if (node.type === "Statement" && node.background === true && calls(name, node)) found = true;
    if (node.type === "Pipeline" && node.commands.filter((command) => calls(name, command)).length > 1) found = true;
    forEachChild(node, look);
  };
  look(body);
  return found;
}

function calls(name: string, node: SyntaxNode): boolean {
  if (node.type === "Command" && node.name?.value === name) return true;
  let found = false;
  forEachChild(node, (child) => {
    found ||= calls(name, child);
  });
  return found;
}
