// What an "always" about a call would cover, and how wide it can be said.

/** One way to say "always", as wide as its keys. */
export interface Width {
  /** `allow_always` for the first, which is the one to take where there is no choice. */
  readonly id: `allow_always${"" | "_exact" | "_folder" | "_file"}`;
  readonly keys: readonly string[];
  readonly subject: string;
}

/** What an "always" would be about. */
export interface GrantScope {
  /** All of them must be granted, each by one of its keys. */
  readonly parts: readonly (readonly string[])[];
  /** None: what this would allow cannot be told, so it can only be rejected for ever. */
  readonly widths: readonly Width[];
  readonly rejection: { readonly keys: readonly string[]; readonly subject: string };
  /** Every name of the parts, by which a rejection is recognized. */
  readonly names: readonly string[];
}
