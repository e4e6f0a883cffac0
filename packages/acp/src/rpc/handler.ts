// Handlers as people write them, by name; and the routes a connection looks up, by method.

import { decodeAny } from "../decode/decode.ts";
import type { Method, Side } from "../v1/method.ts";
import type { ParamsOf, ResultOf } from "../v1/protocol.ts";
import type { NotificationRoute, RequestRoute, Routes } from "./connection.ts";
import type { RequestContext } from "./request-context.ts";

export type Awaitable<T> = T | Promise<T>;

/** A result without required fields may be left out: nothing means `{}`. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that returns nothing has the type void
type Answer<Result> = object extends Result ? Result | void : Result;

export type RequestHandlers<Requests> = {
  [Name in keyof Requests]?:
    | ((params: ParamsOf<Requests[Name]>, context: RequestContext) => Awaitable<Answer<ResultOf<Requests[Name]>>>)
    | undefined;
};

export type NotificationHandlers<Notifications> = {
  [Name in keyof Notifications]?: ((params: Notifications[Name]) => Awaitable<void>) | undefined;
};

/** Methods outside the protocol, by their names on the wire (which begin with `_`). Params come as they are. */
export interface ExtensionHandlers {
  readonly extRequests?: { readonly [method: string]: RequestHandler } | undefined;
  readonly extNotifications?: { readonly [method: string]: NotificationHandler } | undefined;
}

export type RequestHandler = (params: unknown, context: RequestContext) => unknown;
export type NotificationHandler = (params: unknown) => unknown;

/** Routes for the methods of one side that have a handler. */
export class RouteTable implements Routes {
  readonly #requests = new Map<string, RequestRoute>();
  readonly #notifications = new Map<string, NotificationRoute>();
  readonly #protocol = new Set<string>();

  /** Adds the methods of a side. `handlerOf` answers nothing for those that are not handled. */
  addSide(side: Side, methods: readonly Method[], handlerOf: (row: Method) => RequestHandler | undefined): void {
    for (const row of methods) {
      const handle = row.side === side ? handlerOf(row) : undefined;
      if (handle === undefined) continue;
      if (row.kind === "request") this.#addRequest(row, handle);
      else this.#addNotification(row, handle as NotificationHandler);
    }
  }

  addExtensions({ extRequests = {}, extNotifications = {} }: ExtensionHandlers): void {
    for (const [method, handle] of Object.entries(extRequests)) {
      if (this.#protocol.has(method)) throw new TypeError(`${method} belongs to the protocol: write a handler for it`);
      this.#requests.set(method, { params: decodeAny, handle });
    }
    for (const [method, handle] of Object.entries(extNotifications)) {
      this.#notifications.set(method, { params: decodeAny, handle });
    }
  }

  request(method: string): RequestRoute | undefined {
    return this.#requests.get(method);
  }

  notification(method: string): NotificationRoute | undefined {
    return this.#notifications.get(method);
  }

  #addRequest({ method, params }: Method, handle: RequestHandler): void {
    this.#protocol.add(method);
    this.#requests.set(method, { params, handle });
  }

  /** A notification that is sent as a request is handled too, and answered with `{}`. */
  #addNotification({ method, params }: Method, handle: NotificationHandler): void {
    this.#notifications.set(method, { params, handle });
    if (this.#requests.has(method)) return;
    this.#requests.set(method, { params, handle: async (decoded) => void (await handle(decoded)) });
  }
}
