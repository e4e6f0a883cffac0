// `fetch` over connections we opened ourselves: through a proxy, with other certificates, with more patience.

import type { Dispatcher } from "undici";

type Init = Omit<RequestInit, "dispatcher"> & { readonly dispatcher: Dispatcher };
type FetchWith = (url: string | URL, init: Init) => Promise<Response>;

/** Node's own `fetch` and the library's are one code and two sets of types: they meet here. */
export async function fetchThrough(dispatcher: Dispatcher, url: string | URL, init: RequestInit): Promise<Response> {
  const { fetch } = await import("undici");
  return (fetch as unknown as FetchWith)(url, { ...init, dispatcher });
}
