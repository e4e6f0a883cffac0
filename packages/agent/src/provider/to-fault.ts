// Whatever a provider, a library or a connection throws, as a fault: what a person reads, and whether to try again.

import { type Fault, fault } from "../fault/fault.ts";
import { hostAndPort } from "./address.ts";
import { OverlongError } from "./event-bound.ts";
import { causesOf, type Failure, readFailure } from "./failure.ts";
import { kindOf, statusOf } from "./failure-kind.ts";
import { PlainAnswerError } from "./plain-answer.ts";
import type { Provider } from "./provider.ts";
import { MAX_SENTENCE, quote } from "./quote.ts";
import { redactFor } from "./redact.ts";
import { retryAfterMs } from "./retry-after.ts";
import { StallError } from "./stall.ts";
import { unreachable } from "./unreachable.ts";

/** `model` is the model's name as the provider knows it. */
export function toFault(thrown: unknown, provider: Provider, model: string, now: number = Date.now()): Fault {
  const found = judge(thrown, provider, model, now);
  // Once more: with its white space folded, a sentence may say what it did not say before.
  return { ...found, message: redactFor(provider, found.message) };
}

/** Before anything is sent: there is no key to send. */
export function missingKey(provider: Provider): Fault {
  return fault("auth", `${provider.name} needs a key: set ${provider.keyVariable}.`);
}

/** Before anything is sent: what is there instead of a key could not be sent. */
export function badKey(provider: Provider): Fault {
  const problem = "it has white space in it, or letters that no key has";
  return fault(
    "auth",
    `The key in ${provider.keyVariable} is not used: ${problem}. Set ${provider.keyVariable} again.`,
  );
}

function judge(thrown: unknown, provider: Provider, model: string, now: number): Fault {
  const own = ownFailure(causesOf(thrown), provider);
  return own ?? judgeFailure(clean(readFailure(thrown), provider), provider, model, now);
}

/** What we found out ourselves. */
function ownFailure(causes: readonly unknown[], provider: Provider): Fault | undefined {
  for (const cause of causes) {
    if (cause instanceof StallError) return stall(cause, provider);
    if (cause instanceof OverlongError) {
      const message = `${provider.name} sent something that cannot be understood: ${cause.message}.`;
      return fault("model", message, { retryable: false });
    }
    if (cause instanceof PlainAnswerError && cause.kind === "page") {
      const message = `${provider.name} answered with a web page instead of an answer; check the address (${hostAndPort(provider.baseUrl)}), and whether somebody in between wants you to log in.`;
      return fault("bad-request", message);
    }
    if (cause instanceof PlainAnswerError && cause.kind === "whole") {
      const message = `${provider.name} at ${hostAndPort(provider.baseUrl)} does not stream its answers, and only streamed ones are read in this protocol.`;
      return fault("bad-request", message);
    }
  }
  return undefined;
}

/** Without secrets from here on: later, sentences are folded and cut. */
function clean(failure: Failure, provider: Provider): Failure {
  return {
    ...failure,
    codes: redactFor(provider, failure.codes),
    sentence: redactFor(provider, failure.sentence),
  };
}

function judgeFailure(failure: Failure, provider: Provider, model: string, now: number): Fault {
  const cause = toCause(failure);
  const said = `${failure.codes} ${failure.sentence}`.toLowerCase();
  const own = quote(failure.sentence);
  const status = failure.status ?? statusOf(failure.codes, said);
  const kind = kindOf(status, said, failure);
  switch (kind) {
    case "key":
      return fault("auth", refusedKey(status, own, provider), { cause });
    case "credit":
      return fault(
        "rate-limit",
        `There is no credit or quota left at ${provider.name}.${own} Trying again will not help.`,
        {
          retryable: false,
          cause,
        },
      );
    case "rate": {
      const retryable = !/request too large/.test(said);
      const wait = retryAfterMs(failure.headers, failure.body, now);
      return fault("rate-limit", `${provider.name} limits how much may be asked.${own}`, {
        retryable,
        ...after(wait),
        cause,
      });
    }
    case "overflow":
      return fault("overflow", `The conversation does not fit ${model}.${own}`, { cause });
    case "busy": {
      const wait = retryAfterMs(failure.headers, failure.body, now);
      return fault("overloaded", `${provider.name} cannot answer now${inBrackets(status)}.${own}`, {
        ...after(wait),
        cause,
      });
    }
    case "slow":
      return fault("stalled", `${provider.name} did not answer in time.`, { cause });
    case "network":
      return unreachable(failure, provider, cause);
    case "no-model": {
      const where = `Check the name, and the address (${hostAndPort(provider.baseUrl)}).`;
      return fault("bad-request", `${provider.name} knows no model "${model}"${inBrackets(status)}.${own} ${where}`, {
        cause,
      });
    }
    case "refused":
      return fault("bad-request", `${provider.name} refuses the request${inBrackets(status)}.${own}`, { cause });
    case "nonsense":
      return fault("model", `${provider.name} sent something that cannot be understood.${own}`, {
        retryable: true,
        cause,
      });
    case "unknown":
      return fault("internal", `The request to ${provider.name} failed.${own}`, { cause });
  }
}

function refusedKey(status: number | undefined, own: string, provider: Provider): string {
  const place = isUsualHost(provider) ? "" : ` at ${hostAndPort(provider.baseUrl)}`;
  if (provider.apiKey === undefined || provider.apiKey === "") {
    return `${provider.name}${place} wants a key${inBrackets(status)}, and there is none: set ${provider.keyVariable}.${own}`;
  }
  const what = status === 403 ? "refuses access with" : "refuses";
  return `${provider.name}${place} ${what} the key in ${provider.keyVariable}${inBrackets(status)}.${own}`;
}

function isUsualHost({ id, baseUrl }: Provider): boolean {
  const host = hostAndPort(baseUrl);
  return host.includes(id) || (/^(google|gemini)$/.test(id) && host.includes(".googleapis.com"));
}

function stall(stalled: StallError, provider: Provider): Fault {
  const seconds = Math.max(1, Math.round(stalled.waitedMs / 1000));
  const message = stalled.hadBegun
    ? `${provider.name} fell silent in the middle of its answer: nothing came for ${seconds} s.`
    : `${provider.name} did not begin to answer within ${seconds} s.`;
  return fault("stalled", message, { cause: { waitedMs: stalled.waitedMs } });
}

function inBrackets(status: number | undefined): string {
  return status === undefined ? "" : ` (${status})`;
}

function after(ms: number | undefined): { retryAfterMs?: number } {
  return ms === undefined ? {} : { retryAfterMs: ms };
}

/** Small: a cause may be written down. */
function toCause({ status, codes, sentence }: Failure): unknown {
  return {
    ...(status !== undefined && { status }),
    codes: codes.slice(0, 200),
    sentence: sentence.slice(0, MAX_SENTENCE),
  };
}
