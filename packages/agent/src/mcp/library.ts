// The protocol library, loaded when the first server is there: a session without servers does not pay for it.

export type Library = typeof import("@modelcontextprotocol/client");

export function loadLibrary(): Promise<Library> {
  return import("@modelcontextprotocol/client");
}
