// Secrets in a stream that arrives in pieces: rule SC4.
import { expect, it } from 'vitest';
import { SECRET_VECTORS } from '../server/testing/secret-vectors.ts';
import { LONGEST_ANNOUNCEMENT, masked, maskSpans, SecretStream } from './masking.ts';

function shown(pieces: readonly string[]): string {
  const stream = new SecretStream();
  return pieces.map((piece) => maskSpans(piece, stream.next(piece))).join('');
}

it.each(SECRET_VECTORS)('[SC4] a secret is masked wherever a stream is cut: $name', (vector) => {
  const { before, secret, after = '' } = vector;
  const text = `plain text ${before}${secret}${after}\nmore of it\n`;
  for (let cut = 0; cut <= text.length; cut += 1 + Math.floor(text.length / 60)) {
    const all = shown([text.slice(0, cut), text.slice(cut)]);
    expect(all.length).toBe(text.length);
    expect(all).toContain('plain text ');
    expect(all.endsWith('\nmore of it\n')).toBe(true);
    for (const [at, letter] of Array.from(secret).entries())
      if (letter > ' ') expect(all[11 + before.length + at], `cut at ${cut}`).toBe('*');
  }
  expect(shown(Array.from(text))).toHaveLength(text.length);
});

it('[SC4] spans are those of the new piece only', () => {
  const stream = new SecretStream();
  const [vector] = SECRET_VECTORS;
  const { before, secret } = vector ?? { before: '', secret: '' };
  const text = `${before}${secret}`;
  expect(stream.next(`x ${text}`)).toEqual([{ start: 2 + before.length, end: 2 + text.length }]);
  expect(stream.next(' and ')).toEqual([]);
  expect(stream.next(text.slice(0, 10))).toEqual([{ start: before.length, end: 10 }]);
  expect(stream.next(text.slice(10))).toEqual([{ start: 0, end: text.length - 10 }]);
  expect(stream.next('\n')).toEqual([]);
});

it('[SC4] the text that announces a secret is remembered up to its maximum length, and plain text is not', () => {
  const announced = 'password=';
  expect(shown(['x'.repeat(5000), announced, 'hunter-2!', '\n'])).toBe(
    `${'x'.repeat(5000)}${announced}*********\n`,
  );
  const quoted = `Authorization: Bearer ${' '.repeat(7)}`;
  expect(shown([quoted, 'abcdefgh12345678'])).toBe(`${quoted}${'*'.repeat(16)}`);
  const header = `-----BEGIN PRIVATE KEY-----\nComment: ${'c'.repeat(190)}\nOther: ${'d'.repeat(190)}\n`;
  expect(header.length).toBeLessThan(LONGEST_ANNOUNCEMENT);
  const key = `${'Ab0+'.repeat(16)}\n`;
  expect(shown([header, key, key])).toBe(header + `${'*'.repeat(64)}\n`.repeat(2));
  expect(masked(header + key + key)).toBe(header + `${'*'.repeat(64)}\n`.repeat(2));
});
