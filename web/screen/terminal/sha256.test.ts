// Hashes match the published vectors, and those of Node for other data, split anywhere.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Sha256 } from './sha256.ts';

const of = (...parts: readonly Uint8Array[]): string => {
  const digest = new Sha256();
  for (const part of parts) digest.update(part);
  return digest.hex();
};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

it.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
  ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
])('Sha256 returns the published hash of %.20s', (text, hex) => expect(of(bytes(text))).toBe(hex));

it('Sha256 agrees with Node for every length around a block, whole and in pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200, size: 'max' }), { maxLength: 6 }), (parts) => {
      const expected = createHash('sha256').update(Buffer.concat(parts)).digest('hex');
      expect(of(...parts)).toBe(expected);
    }),
  );
});

it('Sha256 can be continued after its hash was read', () => {
  const digest = new Sha256();
  digest.update(bytes('a'));
  digest.hex();
  digest.update(bytes('bc'));
  expect(digest.hex()).toBe(of(bytes('abc')));
  expect(digest.bytes).toBe(3);
});
