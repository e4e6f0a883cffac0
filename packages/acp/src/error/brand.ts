// Whether a value bears a mark that copies of this library share.

export function isBranded(value: unknown, brand: symbol): boolean {
  return typeof value === "object" && value !== null && brand in value;
}
