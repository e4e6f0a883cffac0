// What a model can be called. Names come from people, files, clients and servers, and are shown and written down.

const MAX_CHARACTERS = 200;

export function isModelName(name: string): boolean {
  return name.length <= MAX_CHARACTERS && name.trim() !== "" && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
}
