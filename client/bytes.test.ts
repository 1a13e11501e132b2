// Conversion between bytes and base64.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concat, fromBase64, toBase64 } from './bytes.ts';

describe('The base64 functions', () => {
  it('encode as Node does, and decode to the same bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300, size: 'max' }), (bytes) => {
        const text = Buffer.from(bytes).toString('base64');
        expect(toBase64(bytes)).toBe(text);
        expect(Buffer.compare(fromBase64(text), bytes)).toBe(0);
      }),
    );
  });

  it('encode and decode a megabyte', () => {
    const bytes = Uint8Array.from({ length: 1_000_003 }, (_, n) => n % 251);
    expect(Buffer.compare(fromBase64(toBase64(bytes)), bytes)).toBe(0);
  });

  it('throw when the text is not base64', () => {
    expect(() => fromBase64('?')).toThrow();
  });

  it('concat joins its parts in order', () => {
    expect(concat([Uint8Array.of(1, 2), Uint8Array.of(), Uint8Array.of(3)])).toEqual(Uint8Array.of(1, 2, 3));
    expect(concat([])).toEqual(new Uint8Array());
  });
});
