// Detach keys in what is typed, however a terminal spells and cuts it.
import { describe, expect, it } from 'vitest';
import { DetachKeys } from './detach-keys.ts';
import { UsageError } from './usage-error.ts';

/** What the process gets of each chunk, up to the one that detaches. */
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

describe('are found', () => {
  it.each([
    ['as one byte', 'ctrl-\\', ['\u001c'], ''],
    ['among others', 'ctrl-\\', ['ab\u001ccd'], 'ab'],
    ['in two', 'ctrl-p,ctrl-q', ['\u0010\u0011'], ''],
    ['in two, apart', 'ctrl-p,ctrl-q', ['x\u0010', '\u0011'], 'x'],
    ['after a false start', 'ctrl-p,ctrl-q', ['\u0010\u0010\u0011'], '\u0010'],
    ['as kitty spells them', 'ctrl-\\', ['\u001b[92;5u'], ''],
    ['as kitty spells them, with caps lock', 'ctrl-\\', ['\u001b[92;69u'], ''],
    ['as kitty spells them, as a press', 'ctrl-\\', ['\u001b[92;5:1u'], ''],
    ['as xterm spells them', 'ctrl-\\', ['\u001b[27;5;92~'], ''],
    ['as kitty spells them, with all that can be told', 'ctrl-p', ['\u001b[112::112;5:1;16u'], ''],
    ['as kitty spells them, where the letter is another one', 'ctrl-p', ['\u001b[1079::112;5u'], ''],
    ['as kitty spells them, typed with Shift', 'ctrl-^', ['\u001b[54:94;6u'], ''],
    ['as kitty spells them, with a Shift that is not told', 'ctrl-_', ['\u001b[45;6u'], ''],
    ['as xterm spells them, typed with Shift', 'ctrl-@', ['\u001b[27;6;64~'], ''],
    ['as xterm spells them, with caps lock', 'ctrl-a', ['\u001b[27;5;65~'], ''],
    ['as kitty spells them, cut', 'ctrl-\\', ['x\u001b[9', '2;5', 'u'], 'x'],
    ['in two, as kitty spells them', 'ctrl-p,ctrl-q', ['\u001b[112;5u', '\u001b[113;5u'], ''],
    ['in two, spelled in two ways', 'ctrl-p,ctrl-q', ['\u0010', '\u001b[113;5u'], ''],
    [
      'in two, between keys that are let go',
      'ctrl-p,ctrl-q',
      ['\u001b[112;5:1u', '\u001b[112;5:3u', '\u001b[57442;5:3u', '\u001b[57442;5u', '\u001b[113;5:1u'],
      '',
    ],
    [
      'after keys that are let go, which the process is told',
      'ctrl-\\',
      ['\u001b[97;1:3u\u001c'],
      '\u001b[97;1:3u',
    ],
    ['whatever the case', 'CTRL-A', ['\u0001'], ''],
  ])('%s', (_, spec, chunks, bytes) => {
    expect(typed(spec, ...chunks)).toEqual({ bytes, isDetached: true });
  });
});

describe('leave everything else to the process', () => {
  it.each([
    ['text', 'ctrl-\\', ['häß\u001b[A\u0003']],
    ['half of them, and another key', 'ctrl-p,ctrl-q', ['\u0010', 'x']],
    ['another modifier', 'ctrl-\\', ['\u001b[92;7u']],
    ['a release', 'ctrl-\\', ['\u001b[92;5:3u']],
    ['Shift with them', 'ctrl-\\', ['\u001b[92:124;6u']],
    ['an upper-case letter', 'ctrl-a', ['\u001b[97:65;6u', '\u001b[27;6;65~']],
    ['a release as the second', 'ctrl-p,ctrl-q', ['\u001b[112;5u', '\u001b[113;5:3u', 'x']],
    ['half of them, let go, and another key', 'ctrl-p,ctrl-q', ['\u001b[112;5u', '\u001b[112;5:3u', 'x']],
    ['a paste and what reports', 'ctrl-\\', ['\u001b[200~x\u001b[201~\u001b[I\u001b[<0;1;1M\u001b[1;5A']],
    ['all, when there are none', 'none', ['\u001c\u0010\u0011']],
  ])('%s', (_, spec, chunks) => {
    expect(typed(spec, ...chunks)).toEqual({ bytes: chunks.join(''), isDetached: false });
  });

  it.each([
    ['the first of two', ['\u0010']],
    ['the first of two and its release', ['\u001b[112;5u', '\u001b[112;5:3u']],
    ['half of a key that is spelled out', ['\u001b[11']],
  ])('gives %s to nobody until it is released', (_, chunks) => {
    const keys = new DetachKeys('ctrl-p,ctrl-q');
    for (const chunk of chunks) expect(keys.type(Buffer.from(chunk)).bytes.toString()).toBe('');
    expect(keys.isHolding).toBe(true);
    expect(keys.release().toString()).toBe(chunks.join(''));
    expect(keys.isHolding).toBe(false);
    expect(keys.type(Buffer.from('\u0011')).isDetached).toBe(false);
  });

  it('gives the first of two before the key that follows', () => {
    const keys = new DetachKeys('ctrl-p,ctrl-q');
    keys.type(Buffer.from('\u0010'));
    expect(keys.type(Buffer.from('n')).bytes.toString()).toBe('\u0010n');
  });

  it('holds no Escape', () => {
    const keys = new DetachKeys('ctrl-\\');
    expect(keys.type(Buffer.from('\u001b')).bytes.toString()).toBe('\u001b');
    expect(keys.type(Buffer.from('\u001b[')).bytes.toString()).toBe('\u001b[');
  });
});

it.each(['x', 'ctrl-', 'ctrl-ab', 'alt-a', 'ctrl-p,', ''])('"%s" is refused', (spec) => {
  expect(() => new DetachKeys(spec)).toThrow(UsageError);
});

it.each([
  ['ctrl-\\', 'Ctrl-\\', true],
  ['ctrl-p,ctrl-q', 'Ctrl-P Ctrl-Q', false],
  ['none', null, false],
])('%s has a name for people: %s', (spec, name, isQuit) => {
  const keys = new DetachKeys(spec);
  expect([keys.name, keys.isQuit]).toEqual([name, isQuit]);
});
