// Detach keys in typed input, in every encoding and wherever the input is split.
import { describe, expect, it } from 'vitest';
import { DetachKeys } from './detach-keys.ts';
import { UsageError } from './usage-error.ts';

/** Returns the bytes that the process gets from the chunks, up to the detach keys. */
function typed(spec: string, ...chunks: string[]): { bytes: string; isDetached: boolean } {
  const keys = new DetachKeys(spec);
  let bytes = '';
  for (const chunk of chunks) {
    const result = keys.type(Buffer.from(chunk, 'latin1'));
    bytes += result.bytes.toString('latin1');
    if (result.isDetached) return { bytes, isDetached: true };
  }
  return { bytes, isDetached: false };
}

const PASTE = '\u001b[200~a\u001c\u0010\u0011\u001b[92;5u\u001b[2b\u001b[201~';

const REPORTS: readonly (readonly [string, string])[] = [
  ['the mouse', '\u001b[<0;10;20M\u001b[<0;10;20m'],
  ['the mouse of urxvt', '\u001b[32;10;20M'],
  ['the mouse of X10', '\u001b[M !\u00e9'],
  ['the focus', '\u001b[O\u001b[I'],
  ['the cursor position', '\u001b[5;10R\u001b[?5;10R'],
  ['a status', '\u001b[0n\u001b[?997;1n'],
  ['attributes', '\u001b[?62;4c\u001b[>1;10;0c\u001bP!|00000000\u001b\\'],
  ['modes', '\u001b[?2026;2$y\u001b[4;1$y'],
  ['a size', '\u001b[48;24;80;480;800t'],
  ['keyboard flags', '\u001b[?5u'],
  ['a colour', '\u001b]11;rgb:1111/2222/3333\u001b\\\u001b]4;1;rgb:1/2/3\u0007'],
  ['a version', '\u001bP>|xterm(388)\u001b\\'],
  ['a setting', '\u001bP1$r0m\u001b\\\u001bP1+r524742=38\u001b\\'],
  ['graphics', '\u001b_Gi=31;OK\u001b\\'],
];

describe('Detach keys are found', () => {
  it.each([
    ['as one byte', 'ctrl-\\', ['\u001c'], ''],
    ['among others', 'ctrl-\\', ['ab\u001ccd'], 'ab'],
    ['as two keys', 'ctrl-p,ctrl-q', ['\u0010\u0011'], ''],
    ['as two keys, in two chunks', 'ctrl-p,ctrl-q', ['x\u0010', '\u0011'], 'x'],
    ['after a false start', 'ctrl-p,ctrl-q', ['\u0010\u0010\u0011'], '\u0010'],
    ['in kitty’s encoding', 'ctrl-\\', ['\u001b[92;5u'], ''],
    ['in kitty’s encoding, with caps lock', 'ctrl-\\', ['\u001b[92;69u'], ''],
    ['in kitty’s encoding, as a press', 'ctrl-\\', ['\u001b[92;5:1u'], ''],
    ['in xterm’s encoding', 'ctrl-\\', ['\u001b[27;5;92~'], ''],
    ['in kitty’s encoding, with all its fields', 'ctrl-p', ['\u001b[112::112;5:1;16u'], ''],
    ['in kitty’s encoding, with another keyboard layout', 'ctrl-p', ['\u001b[1079::112;5u'], ''],
    ['in kitty’s encoding, typed with Shift', 'ctrl-^', ['\u001b[54:94;6u'], ''],
    ['in kitty’s encoding, with Shift but without the shifted key', 'ctrl-_', ['\u001b[45;6u'], ''],
    ['in xterm’s encoding, typed with Shift', 'ctrl-@', ['\u001b[27;6;64~'], ''],
    ['in xterm’s encoding, with caps lock', 'ctrl-a', ['\u001b[27;5;65~'], ''],
    ['in kitty’s encoding, cut', 'ctrl-\\', ['x\u001b[9', '2;5', 'u'], 'x'],
    ['as two keys in kitty’s encoding', 'ctrl-p,ctrl-q', ['\u001b[112;5u', '\u001b[113;5u'], ''],
    ['as two keys in two encodings', 'ctrl-p,ctrl-q', ['\u0010', '\u001b[113;5u'], ''],
    [
      'as two keys among releases',
      'ctrl-p,ctrl-q',
      ['\u001b[112;5:1u', '\u001b[112;5:3u', '\u001b[57442;5:3u', '\u001b[57442;5u', '\u001b[113;5:1u'],
      '',
    ],
    ['after a release, which the process gets', 'ctrl-\\', ['\u001b[97;1:3u\u001c'], '\u001b[97;1:3u'],
    ['in either case', 'CTRL-A', ['\u0001'], ''],
    ['when they overlap', 'ctrl-a,ctrl-a,ctrl-b', ['\u0001', '\u0001', '\u0001', '\u0002'], '\u0001'],
    [
      'when they overlap twice',
      'ctrl-a,ctrl-b,ctrl-a,ctrl-c',
      ['\u0001\u0002\u0001\u0002\u0001\u0003'],
      '\u0001\u0002',
    ],
    [
      'when they overlap, in kitty’s encoding',
      'ctrl-a,ctrl-a,ctrl-b',
      ['\u001b[97;5u\u001b[97;5:3u', '\u001b[97;5u\u001b[97;5:3u', '\u0001', '\u001b[98;5u'],
      '\u001b[97;5u\u001b[97;5:3u',
    ],
    ['after a paste', 'ctrl-\\', [`${PASTE}\u001c`], PASTE],
    [
      'after a paste that is cut',
      'ctrl-\\',
      ['\u001b[200~a\u001b[20', '1~\u001c'],
      '\u001b[200~a\u001b[201~',
    ],
    ['after Alt and a bracket', 'ctrl-\\', ['\u001b]', '1;', '\u001c'], '\u001b]1;'],
    ['as Escape', 'ctrl-[,ctrl-q', ['\u001b', '\u0011'], ''],
  ])('%s', (_, spec, chunks, bytes) => {
    expect(typed(spec, ...chunks)).toEqual({ bytes, isDetached: true });
  });

  it.each(REPORTS)('around a report of %s, which is passed to the process', (_, report) => {
    const [first, second] = ['\u0010', '\u0011'];
    const detached = { bytes: report, isDetached: true };
    expect(typed('ctrl-p,ctrl-q', `${first}${report}${second}`)).toEqual(detached);
    expect(typed('ctrl-p,ctrl-q', first, report, second)).toEqual(detached);
    expect(typed('ctrl-p,ctrl-q', first, ...report.split(''), second)).toEqual(detached);
  });
});

describe('A paste', () => {
  it('[CL6] never detaches, and is passed on complete, wherever it is split', () => {
    for (const spec of ['ctrl-\\', 'ctrl-p,ctrl-q', 'ctrl-[']) {
      if (spec !== 'ctrl-[')
        expect(typed(spec, ...PASTE.split(''))).toEqual({ bytes: PASTE, isDetached: false });
      for (let at = 2; at < PASTE.length; at += 1)
        expect(typed(spec, PASTE.slice(0, at), PASTE.slice(at))).toEqual({ bytes: PASTE, isDetached: false });
    }
  });

  it('separates two detach keys', () => {
    const output = `\u0010${PASTE}\u0011`;
    expect(typed('ctrl-p,ctrl-q', output)).toEqual({ bytes: output, isDetached: false });
  });

  it('ends only with its end sequence, and is not held back', () => {
    const keys = new DetachKeys('ctrl-\\');
    expect(keys.type(Buffer.from('\u001b[200~a\u001b[20')).bytes.toString()).toBe('\u001b[200~a\u001b[20');
    expect(keys.isHolding).toBe(false);
    expect(keys.release().toString()).toBe('');
    expect(keys.type(Buffer.from('1~\u001c'))).toMatchObject({ bytes: Buffer.from('1~'), isDetached: true });
  });
});

it.each(REPORTS)(
  'a report of %s is not a key, and does not prolong the time that a key is held back',
  (_, report) => {
    const keys = new DetachKeys('ctrl-p,ctrl-q');
    expect(keys.type(Buffer.from('\u0010')).hasKey).toBe(true);
    expect(keys.type(Buffer.from(report, 'latin1')).hasKey).toBe(false);
    expect(keys.release().toString()).toBe('\u0010');
  },
);

describe('Detach keys pass on', () => {
  it.each([
    ['text', 'ctrl-\\', ['häß\u001b[A\u0003']],
    ['half of them and another key', 'ctrl-p,ctrl-q', ['\u0010', 'x']],
    ['a key with another modifier', 'ctrl-\\', ['\u001b[92;7u']],
    ['a release', 'ctrl-\\', ['\u001b[92;5:3u']],
    ['a key with Shift', 'ctrl-\\', ['\u001b[92:124;6u']],
    ['an upper-case letter', 'ctrl-a', ['\u001b[97:65;6u', '\u001b[27;6;65~']],
    ['a release as the second', 'ctrl-p,ctrl-q', ['\u001b[112;5u', '\u001b[113;5:3u', 'x']],
    ['half of them, released, and another key', 'ctrl-p,ctrl-q', ['\u001b[112;5u', '\u001b[112;5:3u', 'x']],
    ['a paste and reports', 'ctrl-\\', ['\u001b[200~x\u001b[201~\u001b[I\u001b[<0;1;1M\u001b[1;5A']],
    ['everything when there are none', 'none', ['\u001c\u0010\u0011']],
  ])('%s', (_, spec, chunks) => {
    expect(typed(spec, ...chunks)).toEqual({ bytes: chunks.join(''), isDetached: false });
  });

  it.each([
    ['the first of two', ['\u0010']],
    ['the first of two and its release', ['\u001b[112;5u', '\u001b[112;5:3u']],
    ['half of a key’s sequence', ['\u001b[11']],
  ])('%s only when it is released', (_, chunks) => {
    const keys = new DetachKeys('ctrl-p,ctrl-q');
    for (const chunk of chunks) expect(keys.type(Buffer.from(chunk)).bytes.toString()).toBe('');
    expect(keys.isHolding).toBe(true);
    expect(keys.release().toString()).toBe(chunks.join(''));
    expect(keys.isHolding).toBe(false);
    expect(keys.type(Buffer.from('\u0011')).isDetached).toBe(false);
  });

  it('the first of two before the next key', () => {
    const keys = new DetachKeys('ctrl-p,ctrl-q');
    keys.type(Buffer.from('\u0010'));
    expect(keys.type(Buffer.from('n')).bytes.toString()).toBe('\u0010n');
  });

  it('an Escape at once', () => {
    const keys = new DetachKeys('ctrl-\\');
    expect(keys.type(Buffer.from('\u001b')).bytes.toString()).toBe('\u001b');
    expect(keys.type(Buffer.from('\u001b[')).bytes.toString()).toBe('\u001b[');
  });
});

it.each(['x', 'ctrl-', 'ctrl-ab', 'alt-a', 'ctrl-p,', ''])('the detach keys "%s" are rejected', (spec) => {
  const expected = `--detach-keys ${spec}: expected keys such as ctrl-a or ctrl-p,ctrl-q, or none`;
  expect(() => new DetachKeys(spec)).toThrow(new UsageError(expected));
});

it.each([
  ['ctrl-\\', 'Ctrl-\\', true],
  ['ctrl-p,ctrl-q', 'Ctrl-P Ctrl-Q', false],
  ['none', null, false],
])('the detach keys %s are shown as: %s', (spec, name, isQuit) => {
  const keys = new DetachKeys(spec);
  expect([keys.name, keys.isQuit]).toEqual([name, isQuit]);
});
