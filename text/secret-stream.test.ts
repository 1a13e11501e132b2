// Secrets in streams that arrive in pieces: rules SC4 and SC9.
import { describe, expect, it } from 'vitest';
import { SECRET_VECTORS } from '../server/testing/secret-vectors.ts';
import { masked, maskSpans } from './masking.ts';
import { LONGEST_ANNOUNCEMENT } from './secret-spans.ts';
import { SecretStream, SecretStreams } from './secret-streams.ts';

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

/** Returns the pieces of one stream as they are shown; a null piece is missing output. */
function shownFrom(seq: number, pieces: readonly (string | null)[]): string {
  const streams = new SecretStreams();
  const show = (piece: string | null): string => {
    if (piece !== null) return maskSpans(piece, streams.next('stdout', seq, piece));
    streams.cut();
    return '';
  };
  return pieces.map(show).join('');
}

it.each(SECRET_VECTORS)(
  '[SC9] the rest of a secret is masked where its beginning is missing: $name',
  (vector) => {
    const { secret } = vector;
    for (let cut = 1; cut < secret.length; cut += 1 + Math.floor(secret.length / 20)) {
      const rest = secret.slice(cut);
      const stars = rest.replace(/^\S+/, (word) => '*'.repeat(word.length));
      for (const at of [0, 1, Math.floor(rest.length / 2)]) {
        const pieces = [rest.slice(0, at), `${rest.slice(at)} plain text\n`];
        for (const all of [shownFrom(2, pieces), shownFrom(1, [null, ...pieces])]) {
          expect(all.slice(0, rest.search(/\s|$/))).toBe(stars.slice(0, rest.search(/\s|$/)));
          expect(all.endsWith(' plain text\n')).toBe(true);
        }
      }
    }
  },
);

it('[SC9] only the first word after missing output is masked, in each stream', () => {
  expect(shownFrom(1, ['one two ', 'three\n'])).toBe('one two three\n');
  expect(shownFrom(2, ['one two ', 'three\n'])).toBe('*** two three\n');
  expect(shownFrom(1, ['one two ', null, 'three four\n', 'five\n'])).toBe('one two ***** four\nfive\n');
  const streams = new SecretStreams();
  const show = (stream: string, piece: string): string => maskSpans(piece, streams.next(stream, 5, piece));
  expect([show('stdout', 'one two'), show('stderr', 'three four'), show('stdout', ' five')]).toEqual([
    '*** two',
    '***** four',
    ' five',
  ]);
});

describe('A secret in the content of a control sequence', () => {
  const SECRET = 'aZ9bY8cX7dW6eV5fU4gT';
  it.each([
    ['the address of a link', '\u001b]8;;http://a.example/?access_token=', '\u001b\\text\u001b]8;;\u001b\\'],
    ['a title', '\u001b]0;mysql --password=', '\u0007$ '],
    ['a title with an 8-bit sequence', '\u009d2;db_password=', '\u009c $ '],
    ['a title with an 8-bit sequence in UTF-8', '\u00c2\u009d2;db_password=', '\u0007$ '],
    ['a notification', '\u001b]777;notify;t;TOKEN_SECRET=', '\u001b\\'],
    ['a control within the opening', '\u001b\u0001]0;password=', '\u0007'],
    ['a title with a letter that ends like an 8-bit control', '\u001b]0;\u00c3\u009c password=', '\u0007'],
    ['a device control string', '\u001bP1$rpassword=', '\u001b\\'],
    ['an application command', '\u001b_Gi=1;password=', '\u001b\\'],
    ['a string that does not end', '\u001b]0;password=', ''],
  ])('[SC4] is masked in %s, wherever the output is cut', (_, before, after) => {
    for (const inside of [SECRET, `${SECRET.slice(0, 7)}\u0001${SECRET.slice(7)}`]) {
      const whole = `one\n${before}${inside}${after}`;
      const expected = `one\n${before}${inside.replaceAll(/\w/g, '*')}${after}`;
      expect(shown([whole])).toBe(expected);
      for (let at = 1; at < whole.length; at += 1)
        expect(shown([whole.slice(0, at), whole.slice(at)])).toBe(expected);
      expect(shown(whole.split(''))).toBe(expected);
    }
  });

  it.each([
    '\u001bPq',
    '\u001bP1$r',
    '\u001bP0;1z',
    '\u001bP\u0001q',
    '\u0090q',
    '\u00c2\u0090z',
    '\u001b_G',
    '\u001b]l',
  ])(
    '[SC4] is masked directly after the letter of the introducer %j, wherever the output is cut',
    (opener) => {
      for (const secret of [`ghp_${'aZ9b'.repeat(9)}`, `AKIA${'Z2Y3'.repeat(4)}`]) {
        const whole = `one\n${opener}${secret}\u001b\\two`;
        const isMasked = (pieces: readonly string[]): void => {
          const all = shown(pieces);
          expect(all).toHaveLength(whole.length);
          expect(all).not.toMatch(/aZ9baZ9b|Z2Y3Z2Y3/);
          expect(all.slice(-5)).toBe('\u001b\\two');
        };
        isMasked([whole]);
        for (let at = 1; at < whole.length; at += 1) isMasked([whole.slice(0, at), whole.slice(at)]);
        isMasked(whole.split(''));
      }
    },
  );

  it('is still found in a string that follows a long one', () => {
    const long = `\u001b]1337;File=:${'QUJD'.repeat(30_000)}`;
    const pieces = [long, `${long.slice(-500)}\u0007`, `\u001b]0;password=${SECRET}`, '\u0007end'];
    expect(shown(pieces)).toBe(pieces.join('').replace(SECRET, '*'.repeat(SECRET.length)));
  });
});

it.each([
  ['a stray 8-bit byte', ['\u0090', '\u0098', '\u009b', '\u009d', '\u009e', '\u009f', '\u00c2\u009d']],
  ['a string that never ends', ['\u001b]', '\u001bP', '\u001bX', '\u001b^', '\u001b_', '\u001b]8;;\u009d']],
  ['an unfinished sequence', ['\u001b', '\u001b[', '\u001b[1;', '\u001b\n', '\u001b[\n']],
])('[SC4] a secret is masked after %s, near and far, wherever the output is cut', (_, odd) => {
  const token = `ghp_${'aZ9b'.repeat(9)}`;
  const isMasked = (pieces: readonly string[]): void => {
    const all = shown(pieces);
    expect(all).toHaveLength(pieces.join('').length);
    expect(all).not.toMatch(/hunter2x9|hunter|(?:aZ9b){2}/);
  };
  for (const byte of odd) {
    for (const text of [
      `caf${byte} \nDB_PASSWORD=hunter2x9 one\n${token} two\n`,
      `caf${byte}${token} two\n`,
      `x ${byte}DB_PASSWORD=hunter2x9 one\n`,
    ]) {
      isMasked([text]);
      for (let at = 1; at < text.length; at += 1) isMasked([text.slice(0, at), text.slice(at)]);
      isMasked(text.split(''));
    }
    const far = `${byte} ${'some words '.repeat(9000)}`;
    isMasked([far, 'DB_PASSWORD=hunter2x9 one\n', token]);
    isMasked([`${far}DB_PASSWORD=hunt`, 'er2x9 one\n', token]);
  }
});

it('[SC4] a secret is masked in a string whose first part ends like an 8-bit control', () => {
  const pieces = ['\u001b]0;pass\u0001word=ab\u00c3\u009c', 'defgh\u0007'];
  expect(shown(pieces)).toBe('\u001b]0;pass\u0001word=*********\u0007');
});
