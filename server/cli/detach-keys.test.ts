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
    ['all, when there are none', 'none', ['\u001c\u0010\u0011']],
  ])('%s', (_, spec, chunks) => {
    expect(typed(spec, ...chunks)).toEqual({ bytes: chunks.join(''), isDetached: false });
  });

  it('gives the first of two to nobody until the next key', () => {
    const keys = new DetachKeys('ctrl-p,ctrl-q');
    expect(keys.type(Buffer.from('\u0010'))).toEqual({ bytes: Buffer.alloc(0), isDetached: false });
    expect(keys.type(Buffer.from('n')).bytes.toString()).toBe('\u0010n');
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
