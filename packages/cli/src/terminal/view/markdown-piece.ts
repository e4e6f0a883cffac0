// Where Markdown can be cut so that a piece looks alone as it does among the others: between blocks, between the items of
// a list, between the lines of a code block. Of a text that grows, only the last pieces change.

/** Where a piece begins, which is all there is to know to go on from there. */
export interface Place {
  readonly at: number;
  /** Whether a blank line stands before it. */
  readonly isApart: boolean;
  /** The marks of the code block that it stands in. */
  readonly fence: string | undefined;
  /** The rest of a paragraph, whatever it begins with. */
  readonly isRest: boolean;
}

export interface Piece extends Place {
  readonly type: "block" | "fence-begin" | "code" | "fence-end";
  readonly text: string;
}

export const BEGINNING: Place = { at: 0, isApart: false, fence: undefined, isRest: false };

export function splitPieces(text: string, from: Place = BEGINNING): Piece[] {
  const pieces: Piece[] = [];
  let { fence } = from;
  let block: Block | undefined;
  const add = (type: Piece["type"], at: number, piece: string, isApart: boolean): void => {
    pieces.push({ type, at, text: piece, isApart, fence, isRest: from.isRest && at === from.at });
  };
  const endBlock = (end: number): void => {
    if (block !== undefined) add("block", block.at, text.slice(block.at, end).trimEnd(), block.isApart);
    block = undefined;
  };
  for (let at = from.at, end = at; at <= text.length; at = end + 1) {
    end = endOfLine(text, at);
    const line = text.slice(at, end);
    const isRest = from.isRest && at === from.at;
    const mark = isRest || block?.innerFence !== undefined ? undefined : FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      const isEnd = isFenceEnd(line, fence);
      add(isEnd ? "fence-end" : "code", at, line, false);
      if (isEnd) fence = undefined;
    } else if (mark !== undefined) {
      endBlock(at);
      add("fence-begin", at, line, true);
      fence = mark;
    } else {
      const cut = block === undefined ? undefined : cutBefore(line, block);
      if (cut !== undefined) endBlock(at);
      if (block !== undefined) goOn(block, line);
      else if (line.trim() !== "") {
        const isApart = at === from.at ? from.isApart : cut !== "together";
        block = beginBlock(line, at, isApart, isRest);
      }
    }
  }
  endBlock(text.length);
  return pieces;
}

/** The block that is being read. */
interface Block {
  readonly at: number;
  readonly isApart: boolean;
  readonly type: "text" | "list" | "other";
  /** Of the items of a list. */
  readonly mark: string | undefined;
  isAfterBlank: boolean;
  /** The number of the item that goes on an ordered list. */
  nextNumber: number | undefined;
  /** Of a code block inside of it, which is never cut. */
  innerFence: string | undefined;
}

function beginBlock(line: string, at: number, isApart: boolean, isRest: boolean): Block {
  const item = isRest ? undefined : itemOf(line);
  const type = item !== undefined ? "list" : isRest || /^[^\s>|<#]/.test(line) ? "text" : "other";
  const nextNumber = item?.number === undefined ? undefined : item.number + 1;
  const innerFence = INNER_FENCE.exec(line)?.[1];
  return { at, isApart, type, mark: item?.mark, isAfterBlank: false, nextNumber, innerFence };
}

function goOn(block: Block, line: string): void {
  block.isAfterBlank = line.trim() === "";
  if (block.innerFence === undefined) block.innerFence = INNER_FENCE.exec(line)?.[1];
  else if (isFenceEnd(line, block.innerFence)) block.innerFence = undefined;
  if (block.nextNumber !== undefined && itemOf(line)?.number !== undefined) block.nextNumber++;
}

/** Whether a piece ends before this line, and whether the next one then stands apart. */
function cutBefore(line: string, block: Block): "apart" | "together" | undefined {
  if (block.innerFence !== undefined || line === "" || /^\s/.test(line)) return undefined;
  const item = itemOf(line);
  if (block.type === "list" && item !== undefined) {
    if (item.mark !== block.mark) return block.isAfterBlank ? "apart" : "together";
    // Items are counted, whatever their numbers say.
    return item.number === block.nextNumber ? "together" : undefined;
  }
  if (block.isAfterBlank) return "apart";
  return block.type === "text" && item !== undefined && (item.number ?? 1) === 1 ? "together" : undefined;
}

/** An item of a list that begins at the margin. Another mark is another list. */
function itemOf(line: string): { readonly mark: string; readonly number: number | undefined } | undefined {
  const found = /^(\d{0,9})([-*+.)]) +\S/.exec(line);
  const [, digits = "", mark = ""] = found ?? [];
  const isNumbered = mark === "." || mark === ")";
  if (found === null || isNumbered !== (digits !== "") || /^(?:[-*] *){3,}$/.test(line)) return undefined;
  return { mark, number: isNumbered ? Number(digits) : undefined };
}

const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/;
const INNER_FENCE = /^\s*(?:(?:[-*+>]|\d{1,9}[.)]) *)*(`{3,}(?=[^`]*$)|~{3,})/;

function isFenceEnd(line: string, fence: string): boolean {
  return /^[\s>]*(`{3,}|~{3,})\s*$/.exec(line)?.[1]?.startsWith(fence) === true;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}
