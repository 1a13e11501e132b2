// Secrets in output that xterm.js draws differently than other terminals: rule SC4.
import { describe, expect, it } from 'vitest';
import { SECRET_VECTORS } from '../server/testing/secret-vectors.ts';
import { findSecrets, masked, maskSpans } from './masking.ts';
import { SecretStream } from './secret-streams.ts';

const TOKEN = `ghp_${'aB3'.repeat(12)}`;

const bytes = (text: string): string => Buffer.from(text).toString('latin1');

function shown(pieces: readonly string[]): string {
  const stream = new SecretStream();
  return pieces.map((piece) => maskSpans(piece, stream.next(piece))).join('');
}

/** Splits a secret into groups of at most five letters, so that a test can put hidden output between the groups. */
const groupsOf = (text: string): readonly string[] => text.match(/.{1,5}|\s+/g) ?? [];

/** Returns the letters of the secret that are shown. */
function leaked(pieces: readonly string[], groups: readonly string[], between: string): string {
  const all = shown(pieces);
  expect(all).toHaveLength(pieces.join('').length);
  let at = pieces.join('').indexOf(groups.join(between));
  const letters = groups.map((group) => {
    const own = all.slice(at, at + group.length);
    at += group.length + between.length;
    return own;
  });
  return letters.join('').replaceAll(/[*\s]/g, '');
}

/** `cuts`: number of places to cut the output at; 0 where a cut could leave a letter that is not overprinted yet. */
function expectMasked(between: string, { opening = '', cuts = 8 } = {}): void {
  for (const { name, before, secret, after = '' } of SECRET_VECTORS) {
    const groups = groupsOf(secret);
    const whole = `${opening}x ${before}${groups.join(between)}${after} end`;
    expect(leaked([whole], groups, between), name).toBe('');
    for (let cut = 0; cut < cuts; cut += 1) {
      const at = 1 + Math.floor((cut * whole.length) / cuts);
      expect(leaked([whole.slice(0, at), whole.slice(at)], groups, between), `${name} at ${at}`).toBe('');
    }
    // The beginning of a text in front of a secret may be split as well.
    const split = before.slice(0, 2) + between + before.slice(2);
    expect(leaked([`${opening}x ${split}${secret}${after} end`], [secret], ''), name).toBe('');
  }
}

const ODD_BYTES = [
  '\u00ff',
  '\u00fe',
  '\u00f5',
  '\u00c0',
  '\u00c1',
  '\u00c3',
  '\u00e2',
  '\u00a1',
  '\u00bf',
  '\u00a0',
  '\u0080',
  '\u0084',
  '\u0090',
  '\u0098',
  '\u009b',
  '\u009c',
  '\u009d',
  '\u009e',
  '\u009f',
  '\u00e2\u0080',
  '\u00f0\u009f',
  '\u00f0\u009f\u0098',
  '\u00c0\u0080',
  '\u00e0\u0080\u0080',
  '\u00ed\u00a0\u0080',
  '\u00f4\u0090\u0080\u0080',
  '\u00ff\u001b[1m\u00e2',
];

describe('[SC4] A secret is masked, wherever the output is cut, with bytes that are not valid UTF-8', () => {
  it.each(ODD_BYTES)('%j', (between) => expectMasked(between));

  it('and far apart', () => {
    const groups = groupsOf(`ghp_${'aZ9b'.repeat(9)}`).slice(1);
    const between = '\u00e2\u0080\u00ff'.repeat(12_000);
    const pieces = [`x ghp_a${between}`, ...groups.map((group) => group + between)];
    expect(shown(pieces)).not.toMatch(/aZ9b|Z9ba/);
  });

  it('but decoded text keeps its letters', () => {
    const text = `ghp_${'aZ9b'.repeat(4)}é${'aZ9b'.repeat(5)}`;
    expect(masked(text)).toBe(text);
    expect(findSecrets(bytes(text), { isWhole: true, isBytes: true }).spans).toEqual([]);
  });
});

describe('[SC4] A secret is masked with letters that are overprinted', () => {
  it.each([
    ['within a colour', '.\u001b[\bm'],
    ['within its parameters', '.\u001b[3\b1m'],
    ['within a character set', '.\u001b(\bB'],
    ['two within a colour', '..\u001b[\b\bm'],
    ['within an 8-bit colour', '.\u00c2\u009b\bm'],
    ['beyond ASCII', bytes('é\b')],
    ['three bytes', bytes('€\b')],
    ['wide', bytes('中\b\b')],
    ['wide, of two units', bytes('😀\b\b')],
    ['wide and coloured', bytes('中\b\u001b[1m\b')],
  ])('%s', (_, between) => expectMasked(between, { cuts: 0 }));

  it('but half a wide letter leaves a blank', () => {
    const text = bytes(`ghp_${'aZ9b'.repeat(4)}中\b${'aZ9b'.repeat(5)}`);
    expect(findSecrets(text, { isWhole: true, isBytes: true }).spans).toEqual([]);
  });
});

describe('[SC4] A secret is masked, wherever the output is cut, after a string that ends early', () => {
  it.each([
    ...Array.from(']PX^_', (kind) => `\u001b${kind}0;a\u00c2\u009c`),
    ...Array.from(']PX^_', (kind) => `\u001b${kind}0;a\u00c2\u0080`),
    `\u001bX${bytes('é')}`,
    `\u001b^a${bytes('日')}`,
    `\u001bP1${bytes('é')}`,
    `\u001b_${bytes('é')}`,
    `\u001b[3${bytes('é')}`,
    `\u001b${bytes('é')}`,
    '\u001bPq\u0007 a b\u001b\\',
    '\u001b_G\u0007 a b\u001b\\',
    `\u00c2\u009d0;${bytes('“')} a b\u0007`,
  ])('%j', (between) => {
    expectMasked(between);
    expectMasked(between, { opening: 'X\u001b[2J', cuts: 0 });
  });
});

describe('[SC4] A secret is masked, wherever the output is cut, with sequences that move nothing', () => {
  it.each([
    '\u001b[S',
    '\u001b[3T',
    '\u001b[L',
    '\u001b[2M',
    '\u001b[5;3r',
    '\u00c2\u009bS',
    '\u001b[L\u00ff',
  ])('%j', (between) => expectMasked(between));

  it.each(['\u001b[\u000fb', '\u001b[\u00073b', '\u00c2\u009b\u0000b'])(
    'a repetition of nothing: %j',
    (between) => expectMasked(between),
  );
});

it('[SC7] a search of odd bytes takes time in proportion to their length', () => {
  for (const part of [
    '\u00ff',
    '\u00e2\u0080',
    '\u001bX\u00c3',
    '\u001b[L',
    '\u001b[1<',
    '中\b\b',
    '\u001b]\u009c',
    '\u00ffeyJ.',
  ]) {
    // The separator ends a string that the last part may have opened.
    const text = `${part.repeat(20_000)}\u0018\n ${TOKEN} end`;
    expect(maskSpans(text, findSecrets(text, { isBytes: true }).spans)).toMatch(/ ghp_\*{36} end$/);
  }
});

it('[SC7] retains little of a stream of bytes that are not UTF-8', () => {
  const piece = '\u00ff'.repeat(16_384);
  let before = '';
  for (const each of ['hello world ', ...Array<string>(12).fill(piece)])
    before = findSecrets(before + each, { isBytes: true }).rest().text;
  expect(before.length).toBeLessThan(65_536);
});
