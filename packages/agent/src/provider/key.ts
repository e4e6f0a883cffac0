// What a key can look like. It travels in a header: white space and letters beyond ASCII would break it, or the request.

export function isKey(value: string): boolean {
  return /^[\x21-\x7e]+$/.test(value);
}
