// Names of things that live longer than a call. Made here, parsed here, opaque everywhere else.

declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

export type SessionId = Id<"session">;
export type TurnId = Id<"turn">;
export type MessageId = Id<"message">;
/** The model's own id for a call where it is unique in the session, else one of ours. */
export type CallId = Id<"call">;

/** Where new ids come from; tests pass one that counts. */
export interface Ids {
  session(): SessionId;
  turn(): TurnId;
  message(): MessageId;
  call(): CallId;
}

/** Random ids: `sess_` with 32 hexadecimal digits, the others shorter. */
export function randomIds(randomBytes: (count: number) => Uint8Array = cryptoBytes): Ids {
  const hex = (count: number): string => Buffer.from(randomBytes(count)).toString("hex");
  return {
    session: () => `sess_${hex(16)}` as SessionId,
    turn: () => `turn_${hex(6)}` as TurnId,
    message: () => `msg_${hex(6)}` as MessageId,
    call: () => `call_${hex(6)}` as CallId,
  };
}

/** A session id as a client may send it: a plain file name, so that it can never lead out of a folder. */
export function parseSessionId(text: string): SessionId | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(text) ? (text as SessionId) : undefined;
}

function cryptoBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
