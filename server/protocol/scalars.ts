// The small shapes that many methods share.
import { z } from 'zod';
import { MAX_NAME_BYTES } from './console-constants.ts';

/** Standard base64 with padding. */
export const base64 = z
  .string()
  .refine(
    (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
    'must be base64 with padding',
  );

/** A `file:` URI on this host. Percent-decoding and dot segments are the server's business. */
export const fileUri = z
  .string()
  .refine((text) => /^file:\/\/(localhost)?\//i.test(text), 'must be a file: URI on this host');

/** Neither `Buffer` nor `TextEncoder` is common to everyone who reads this file. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** What a client calls something, and is called back. */
export const name = z
  .string()
  .refine((text) => utf8Bytes(text) <= MAX_NAME_BYTES, `is longer than ${MAX_NAME_BYTES} bytes`);

export const count = z.number().int().min(0);

export const size = z.object({
  rows: z.number().int().min(1).max(1000),
  cols: z.number().int().min(1).max(2000),
});

/** A terminal's size in character cells. */
export type Size = Readonly<z.infer<typeof size>>;

/** The methods that take no params accept absent, null and `{}`. */
export const noParams = z.union([z.undefined(), z.null(), z.strictObject({})]);
