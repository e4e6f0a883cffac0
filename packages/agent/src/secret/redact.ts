// Text without what looks like a secret, wherever it is written down or said: logs, spills, exports, the record of a
// request, a provider's error. Better a word too many hidden than one too few; what code is full of stays readable.

export const HIDDEN = "[redacted]";

/** Hidden as a whole. */
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|xai|nvapi|pplx|csk|glpat|xox[abprs])-[A-Za-z0-9_*-]{8,}/g,
  /\b(?:gh[pousr]|github_pat|gsk|tgp)_[A-Za-z0-9_*-]{16,}/g,
  // Names of columns and functions begin like this, too; they have no numbers.
  /\b(?:sk|pk|rk|hf|r8|fw)[-_](?=[A-Za-z_*-]{0,64}\d)[A-Za-z0-9_*-]{16,}/g,
  /\bAIza[A-Za-z0-9_*-]{8,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g,
  /\beyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]+)+/g,
  /\b(?:bearer|basic)\s+[A-Za-z0-9._~+/=*-]{8,}/gi,
];

/** Hidden after what names it: the first group stays. What is hidden already is not hidden again, with more around it. */
const NAMED: readonly RegExp[] = [
  // https://name:password@host
  /(:\/\/[^\s/:@]{0,100}:)[^\s/@]{1,200}(?=@)/g,
  // ?api_key=value, up to the next parameter
  /([?&][\w-]{0,64}(?:key|token|secret|password|sig|signature)=)(?!\[redacted\])[^\s"'&#]{4,}/gi,
  // DEPLOY_KEY=value, --key=value; `primary_key=True` is no secret
  /(\b[A-Z0-9_]{0,64}_KEY=["']?|--(?:[\w-]{0,64}-)?key=["']?)(?!\[redacted\])[^\s"',;}]{4,}/g,
  /\b([\w-]{0,64}(?:api[_-]?key|token|secret|credentials?|password|passwd|authorization)["']?\s*[:=]\s*["']?)(?!\[redacted\])[^\s"',;}]{4,}/gi,
];

/** To be asked before white space is folded or anything is cut off: what is left of a key would not be known as one. */
export function redact(text: string): string {
  const known = SECRETS.reduce((left, secret) => left.replace(secret, HIDDEN), text);
  return NAMED.reduce((left, named) => left.replace(named, `$1${HIDDEN}`), known);
}

/** The same for a text that comes in pieces: what may be cut in the middle of a secret waits for the next piece. */
export interface Redaction {
  write(piece: string): string;
  end(): string;
}

/** A line, or a private key, that is longer is not waited for. */
const MAX_HELD_CHARS = 8 * 1024;
/** Where none of these is, nothing has to be looked at. */
const TRIGGER =
  /key|token|secret|credential|passw|authorization|bearer|basic|[?&]sig|:\/\/[^\s/:@]{0,100}:[^\s/@]{1,200}@|\b(?:sk|xai|nvapi|pplx|csk|glpat|xox[abprs]|pk|rk|hf|r8|fw|tgp|gsk|gh[pousr]|github_pat)[-_]|AIza|AKIA|ASIA|eyJ/i;

export function createRedaction(): Redaction {
  let held = "";
  const clean = (text: string): string => (TRIGGER.test(text) ? redact(text) : text);
  return {
    write(piece) {
      const text = held + piece;
      const lines = text.lastIndexOf("\n") + 1;
      const border = startOfOpenKey(text.slice(0, lines)) ?? lines;
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

/** Where a private key begins that does not end in this text. */
function startOfOpenKey(text: string): number | undefined {
  const start = text.lastIndexOf("-----BEGIN ");
  const isOpen = start !== -1 && OPEN_KEY.test(text.slice(start));
  return isOpen ? start : undefined;
}

const OPEN_KEY = /^-----BEGIN [A-Z ]*PRIVATE KEY-----(?![\s\S]*-----END [A-Z ]*PRIVATE KEY-----)/;
