// Text without what looks like a secret. For logs, spills and exports: better a word too many hidden than one too few.

const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\bsk-[A-Za-z0-9_-]{8,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{16,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{8,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /\b(?:bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi,
];

/** `name: value` and `name=value` where the name says that the value is one. The name stays. */
const ASSIGNED =
  /\b([\w-]{0,64}(?:api[_-]?key|token|secret|password|passwd|authorization)["']?\s*[:=]\s*["']?)[^\s"',;}]{4,}/gi;

export function redact(text: string): string {
  const known = SECRETS.reduce((left, secret) => left.replace(secret, "[redacted]"), text);
  return known.replace(ASSIGNED, "$1[redacted]");
}

/** The same for a text that comes in pieces: what may be cut in the middle of a secret waits for the next piece. */
export interface Redaction {
  write(piece: string): string;
  end(): string;
}

/** A line that is longer is not waited for. */
const MAX_HELD_CHARS = 8 * 1024;
/** Where none of these is, nothing has to be looked at. */
const TRIGGER =
  /key|token|secret|passw|authorization|bearer|basic|sk-|AIza|AKIA|ASIA|gh[pousr]_|xox[abprs]-|eyJ|-----BEGIN/i;

export function createRedaction(): Redaction {
  let held = "";
  const clean = (text: string): string => (TRIGGER.test(text) ? redact(text) : text);
  return {
    write(piece) {
      const text = held + piece;
      const border = text.lastIndexOf("\n") + 1;
      const isLong = text.length - border > MAX_HELD_CHARS;
      held = isLong ? "" : text.slice(border);
      return clean(isLong ? text : text.slice(0, border));
    },
    end() {
      const rest = clean(held);
      held = "";
      return rest;
    },
  };
}
