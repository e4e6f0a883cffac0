// A provider that cannot be reached: what stands in the way, and what to do about it.

import { type Fault, fault } from "../fault/fault.ts";
import { hostAndPort, isLoopback } from "./address.ts";
import type { Failure } from "./failure.ts";
import type { Provider } from "./provider.ts";
import { quote } from "./quote.ts";

export function unreachable(failure: Failure, provider: Provider, cause: unknown): Fault {
  const host = hostAndPort(provider.baseUrl);
  const codes = `${failure.codes} ${failure.sentence}`;
  const code = /\b(E[A-Z]{4,}|E[A-Z]+_[A-Z_]+|UND_ERR_\w+|[A-Z]+_[A-Z_]*CERT\w*|CERT_\w+|UNABLE_TO_\w+)\b/.exec(
    codes,
  )?.[1];
  const why = code === undefined ? "" : ` (${code})`;
  if (failure.proxy !== undefined) {
    return fault(
      "network",
      `The proxy ${failure.proxy} does not answer${why}. Check it, or the variable that names it.`,
      {
        cause,
      },
    );
  }
  if (/(?:\b|_)cert(?:ificate)?s?(?:\b|_)|self.signed|unable_to_|err_tls|err_ssl/i.test(codes)) {
    const advice = "If a proxy of your own signs it, name its certificate file.";
    return fault("network", `The certificate of ${host} is not trusted${why}. ${advice}`, { retryable: false, cause });
  }
  if (code === "ENOENT")
    return fault("network", `A file is missing:${quote(failure.sentence)}`, { retryable: false, cause });
  if (/econnrefused/i.test(codes) && isHere(provider.baseUrl)) {
    return fault("network", `Nothing answers at ${host}${why}: is the server running?`, { cause });
  }
  if (/econnreset|socket|\bterminated\b|closed|epipe|premature/i.test(codes)) {
    return fault("network", `The connection to ${host} broke${why}.`, { cause });
  }
  return fault("network", `${host} cannot be reached${why}. Check the network, and the address.`, { cause });
}

/** Also where servers listen on all of this machine's addresses, and people write that down. */
function isHere(baseUrl: string): boolean {
  return isLoopback(baseUrl) || hostAndPort(baseUrl).startsWith("0.0.0.0:");
}
