// Truncates output to a number of tokens, and counts tokens, as Codex does.

const BYTES_PER_TOKEN = 4;

export const tokensOf = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** Size of the output before `cut`, including anything dropped earlier. */
export interface Whole {
  /** Tokens of all output, retained or not. */
  readonly tokens: number;
  /** Bytes that were dropped earlier. */
  readonly omitted: number;
}

/**
 * Returns the text if it has at most `mostTokens` tokens; otherwise a warning, and about `mostTokens` tokens of its
 * beginning and end.
 */
export function cut(text: string, mostTokens: number, { tokens, omitted }: Whole): string {
  const bytes = Buffer.from(text);
  const budget = mostTokens * BYTES_PER_TOKEN;
  if (bytes.length <= budget) return text;
  const second = omitted > 0 ? `... ${omitted} bytes omitted ...` : `Total output lines: ${linesOf(text)}`;
  const removed = tokensOf(bytes.length - budget);
  const half = Math.floor(budget / 2);
  const begin = beginning(bytes, half);
  const end = ending(bytes, budget - half, begin.length);
  return `Warning: truncated output (original token count: ${tokens})\n${second}\n\n${begin.toString()}…${removed} tokens truncated…${end.toString()}`;
}

function linesOf(text: string): number {
  const ends = text.split('\n').length - 1;
  return text.endsWith('\n') || text === '' ? ends : ends + 1;
}

const isInside = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Returns the whole characters within the first `most` bytes. */
function beginning(bytes: Buffer, most: number): Buffer {
  let to = most;
  while (to > 0 && isInside(bytes[to])) to -= 1;
  return bytes.subarray(0, to);
}

/** Returns the whole characters within the last `most` bytes, and not before `from`. */
function ending(bytes: Buffer, most: number, from: number): Buffer {
  let at = bytes.length - most;
  while (at < bytes.length && isInside(bytes[at])) at += 1;
  return bytes.subarray(Math.max(at, from));
}
