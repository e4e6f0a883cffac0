// One JSON-RPC object off the wire, as loosely as tests read it.

export interface Frame {
  readonly id?: number | string;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: frames are looked into by the tests, each knowing what it asked for.
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly kind?: string } };
}

export interface Heard {
  readonly atMs: number;
  readonly frame: Frame;
}

/** Nothing for a line that is no JSON object. */
export function parseFrame(line: string): Frame | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Frame) : undefined;
  } catch {
    return undefined;
  }
}

export class RpcFailure extends Error {
  readonly code: number;
  readonly data: { readonly kind?: string } | undefined;

  constructor({ code, message, data }: NonNullable<Frame["error"]>) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
