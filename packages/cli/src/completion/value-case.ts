// What follows an option that takes a value, as branches of a shell's `case`. Bash and zsh write them alike.

import type { Place } from "./collect.ts";
import { type Offer, offerOf } from "./offer.ts";
import { quoted } from "./shell-word.ts";

/** `act` is what the shell does with an offer. */
export function valueCases({ path, options }: Place, act: (offer: Offer) => string): string[] {
  return options
    .filter(({ value }) => value !== undefined)
    .map((option) => {
      const names = [option.name, ...(option.short === undefined ? [] : [option.short])];
      const offer = offerOf(option);
      const acts = [...(offer === undefined ? [] : [act(offer)]), "return"];
      return `    ${names.map((name) => quoted(`${path} ${name}`)).join("|")}) ${acts.join("; ")} ;;`;
    });
}
