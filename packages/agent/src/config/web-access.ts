// What the environment says about the web: proxies, and addresses that are allowed although they are not public.

import type { WebQuery } from "../machine/machine.ts";
import { proxyFor } from "../provider/proxy.ts";

/** How the web is reached from a session with this environment. */
export function webAccess(
  env: Readonly<Record<string, string | undefined>>,
): Pick<WebQuery, "allowedRanges" | "proxyFor"> {
  return {
    allowedRanges: (env.AGENTAO_WEB_FETCH_ALLOW_CIDRS ?? "").split(/[\s,]+/).filter((range) => range !== ""),
    proxyFor: (url) => proxyFor(url, env),
  };
}
