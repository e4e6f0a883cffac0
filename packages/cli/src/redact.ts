// Text without what looks like a secret. For logs: better a word too many hidden than one too few.

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
