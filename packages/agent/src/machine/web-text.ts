// What the bytes of a response are: text in which encoding, an image, or something else. Pure.

import { detectEncoding } from "./detect-encoding.ts";

/** Where a page says its encoding, it says so within this much. */
const PROBED_BYTES = 4 * 1024;
const TEXTUAL = /^text\/|[/+](json|xml|yaml|x-yaml|toml|javascript|ecmascript|x-sh|x-ndjson|sql|graphql)$/;

export interface MediaType {
  /** Lower case, without parameters; empty where nothing was said. */
  readonly name: string;
  readonly charset?: string | undefined;
}

export function parseMediaType(header: string | undefined): MediaType {
  const [name = "", ...parameters] = (header ?? "").split(";");
  const charset = parameters.map((one) => /^\s*charset\s*=\s*["']?([^"'\s]+)/i.exec(one)?.[1]).find((one) => one);
  return { name: name.trim().toLowerCase(), ...(charset !== undefined && { charset }) };
}

export function isHtml({ name }: MediaType, text: string): boolean {
  if (name === "text/html" || name === "application/xhtml+xml") return true;
  return name === "" && /^\s*(<!doctype html|<html)/i.test(text.slice(0, 1_000));
}

/** PNG, JPEG, GIF or WebP, by how they begin. */
export function imageType(bytes: Buffer): string | undefined {
  const begins = (signature: string, at = 0): boolean =>
    bytes.subarray(at, at + signature.length).equals(Buffer.from(signature, "latin1"));
  if (begins("\x89PNG\r\n\x1a\n")) return "image/png";
  if (begins("\xff\xd8\xff")) return "image/jpeg";
  if (begins("GIF87a") || begins("GIF89a")) return "image/gif";
  return begins("RIFF") && begins("WEBP", 8) ? "image/webp" : undefined;
}

/** Nothing for what is not text, whatever it says it is. */
export function toText(bytes: Buffer, type: MediaType, { isWhole }: { readonly isWhole: boolean }): string | undefined {
  const said = markOf(bytes) ?? type.charset ?? charsetWithin(bytes, type);
  const decoder = said === undefined ? undefined : decoderFor(said);
  if (decoder !== undefined && (TEXTUAL.test(type.name) || type.charset !== undefined)) return decoder.decode(bytes);
  const detected = detectEncoding(bytes, { isWhole });
  if (detected === undefined && (!TEXTUAL.test(type.name) || bytes.subarray(0, PROBED_BYTES).includes(0))) {
    return undefined;
  }
  return (decoder ?? new TextDecoder(detected ?? "utf-8")).decode(bytes);
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : undefined;
}

function charsetWithin(bytes: Buffer, { name }: MediaType): string | undefined {
  const head = bytes.subarray(0, PROBED_BYTES).toString("latin1");
  const declared = /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  if (declared !== undefined || !/html|^$/.test(name)) return declared;
  const charset = /<meta\s[^>]{0,500}?charset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1];
  // It could not be read here if it were true.
  return charset !== undefined && /^utf-?16/i.test(charset) ? "utf-8" : charset;
}

function decoderFor(label: string) {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
