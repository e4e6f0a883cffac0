// What the chat server tells of the requests it got. Pure.

export const REPORT_PATH = "/report";

export interface ChatReport {
  /** Bodies of requests, the oldest first. */
  readonly asked: readonly string[];
  /** So many closed the connection before the answer was over. */
  readonly left: number;
}

/**
 * Of each request but the last, the share in percent that the next one does not begin with; the largest. Providers read
 * tools first and then the messages, whatever their order in the body, so that is what is compared.
 */
export function changedPercent(asked: readonly string[]): number {
  const read = asked.map((body) => {
    const { tools = [], messages } = JSON.parse(body) as { tools?: object[]; messages: object[] };
    return [...tools, ...messages].map((one) => JSON.stringify(one)).join("\n");
  });
  const shares = read.slice(1).map((next, at) => {
    const before = read[at] as string;
    return 1 - sharedLength(before, next) / before.length;
  });
  return shares.length === 0 ? Number.NaN : Math.max(...shares) * 100;
}

function sharedLength(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return at;
}
