// Which texts the model knows, by a fingerprint: so that a file that changed since is not overwritten blindly.

import type { SeenFiles } from "./tool.ts";

/** The files that were seen longest ago are forgotten first. */
const MAX_FILES = 10_000;

export function createSeenFiles(): SeenFiles {
  const fingerprints = new Map<string, string>();
  return {
    note(path, text) {
      fingerprints.delete(path);
      fingerprints.set(path, fingerprintOf(text));
      const [oldest] = fingerprints.size > MAX_FILES ? fingerprints.keys() : [];
      if (oldest !== undefined) fingerprints.delete(oldest);
    },
    fingerprint: (path) => fingerprints.get(path),
  };
}

/** Notices accidents, not attacks: length and 64 bits of two FNV-like sums over the code units. */
export function fingerprintOf(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 15);
  }
  return `${text.length}-${(a >>> 0).toString(36)}-${(b >>> 0).toString(36)}`;
}
