// The small shapes that many methods share.
import { z } from 'zod';
import { MAX_NAME_BYTES } from './console-constants.ts';

/** Limit of a path as it is sent: no system opens a longer one, though each of its 4096 bytes may be percent-encoded. */
const MAX_PATH_CHARS = 16 * 1024;

/** A text of a path. */
export const pathText = z.string().max(MAX_PATH_CHARS, `is longer than ${MAX_PATH_CHARS} characters`);

/** Standard base64 with padding. */
export const base64 = z
  .string()
  .refine(
    (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
    'must be base64 with padding',
  );

/** A `file:` URI on this host. Percent-decoding and dot segments are the server's business. */
export const fileUri = pathText.refine(
  (text) => /^file:\/\/(localhost)?\//i.test(text),
  'must be a file: URI on this host',
);

/** 24 days: a timer that is set for longer ends at once, and a longer wait is as good as that. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** No character takes more bytes of UTF-8 than this for each of its units in a string. */
const MOST_BYTES_PER_UNIT = 3;

/** Returns true when `text` has at most that many bytes in UTF-8. */
export function isWithin(text: string, bytes: number): boolean {
  return text.length * MOST_BYTES_PER_UNIT <= bytes || utf8Bytes(text) <= bytes;
}

/** Counted by hand: neither `Buffer` nor `TextEncoder` is common to all environments that import this file. */
function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Name that a client gives to something, and gets back. */
export const name = z
  .string()
  .refine((text) => isWithin(text, MAX_NAME_BYTES), `is longer than ${MAX_NAME_BYTES} bytes`);

export const count = z.number().int().min(0);

export const size = z.object({
  rows: z.number().int().min(1).max(1000),
  cols: z.number().int().min(1).max(2000),
});

/** A terminal's size in character cells. */
export type Size = Readonly<z.infer<typeof size>>;

/** The methods that take no params accept absent, null and `{}`. */
export const noParams = z.union([z.undefined(), z.null(), z.strictObject({})]);
