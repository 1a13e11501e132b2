// Small schemas shared by many methods.
import { z } from 'zod';
import { MAX_NAME_BYTES } from './console-constants.ts';
import { numberText } from './number-text.ts';

/** Maximum length of a path: the system's 4096 bytes, each of which may be percent-encoded. */
const MAX_PATH_CHARS = 16 * 1024;

export const pathText = z
  .string()
  .max(MAX_PATH_CHARS, `is longer than ${numberText(MAX_PATH_CHARS)} characters`);

/** Standard base64 with padding. */
export const base64 = z
  .string()
  .refine(
    (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
    'must be base64 with padding',
  );

/** A `file:` URI on this host. The server handles percent-decoding and dot segments. */
export const fileUri = pathText.refine(
  (text) => /^file:\/\/(localhost)?\//i.test(text),
  'must be a file: URI on this host',
);

/** 24 days: `setTimeout` fires immediately for longer delays, and no caller waits that long. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const MOST_BYTES_PER_UNIT = 3;

/** Returns true when `text` is at most `bytes` long in UTF-8. */
export function isWithin(text: string, bytes: number): boolean {
  return text.length * MOST_BYTES_PER_UNIT <= bytes || utf8Bytes(text) <= bytes;
}

/**
 * Returns the length in bytes of the text in UTF-8. No library is used, because neither `Buffer` nor `TextEncoder`
 * exists in every environment that imports this file.
 */
function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Name, ID or key in a request, of at most `MAX_NAME_BYTES` bytes. */
export const name = z
  .string()
  .refine((text) => isWithin(text, MAX_NAME_BYTES), `is longer than ${numberText(MAX_NAME_BYTES)} bytes`);

export const count = z.number().int().min(0);

export const size = z.object({
  rows: z.number().int().min(1).max(1000),
  cols: z.number().int().min(1).max(2000),
});

/** Terminal size in character cells. */
export type Size = Readonly<z.infer<typeof size>>;

/** Methods without params accept absent params, null and `{}`. */
export const noParams = z.union([z.undefined(), z.null(), z.strictObject({})]);
