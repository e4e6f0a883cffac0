// What a file is that is no text, by its first bytes, whatever its name.

export type FileKind =
  | { readonly type: "image"; readonly mimeType: string }
  | { readonly type: "pdf" }
  | { readonly type: "binary"; readonly name?: string | undefined };

const IMAGES: readonly (readonly [mimeType: string, signature: string, at?: number])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["image/webp", "WEBP", 8],
];

/** Worth naming: a model then knows which command looks into it. */
const OTHERS: readonly (readonly [name: string, signature: string, at?: number])[] = [
  ["gzip archive", "\x1f\x8b"],
  ["zip archive", "PK\x03\x04"],
  ["xz archive", "\xfd7zXZ\0"],
  ["zstd archive", "\x28\xb5\x2f\xfd"],
  ["tar archive", "ustar", 257],
  ["ELF program", "\x7fELF"],
  ["WebAssembly module", "\0asm"],
  ["SQLite database", "SQLite format 3\0"],
];

export function kindOf(head: Uint8Array): FileKind {
  const image = IMAGES.find(([, signature, at]) => begins(head, signature, at));
  if (image !== undefined) return { type: "image", mimeType: image[0] };
  if (begins(head, "%PDF-")) return { type: "pdf" };
  return { type: "binary", name: OTHERS.find(([, signature, at]) => begins(head, signature, at))?.[0] };
}

function begins(head: Uint8Array, signature: string, at = 0): boolean {
  return [...signature].every((character, offset) => head[at + offset] === character.charCodeAt(0));
}
