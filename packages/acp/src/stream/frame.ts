// A frame is one JSON-RPC object on the wire. These are the shapes we send; what we receive is `unknown` until the
// connection has looked at it.

export type Id = string | number | null;

export interface RequestFrame {
  readonly jsonrpc: "2.0";
  readonly id: Id;
  readonly method: string;
  readonly params: unknown;
}

export interface NotificationFrame {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params: unknown;
}

export interface ResultFrame {
  readonly jsonrpc: "2.0";
  readonly id: Id;
  readonly result: unknown;
}

export interface ErrorFrame {
  readonly jsonrpc: "2.0";
  readonly id: Id;
  readonly error: ErrorObject;
}

export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type Frame = RequestFrame | NotificationFrame | ResultFrame | ErrorFrame;
