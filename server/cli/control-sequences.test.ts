// What of a terminal's output is passed on, and what puts a terminal back afterwards.
import { describe, expect, it } from 'vitest';
import { ControlSequences } from './control-sequences.ts';

const ESC = '\u001b';

function passed(chunks: readonly string[], quietly: boolean): string {
  const sequences = new ControlSequences();
  return chunks
    .map((chunk) => Buffer.from(sequences.pass(Buffer.from(chunk, 'latin1'), quietly)).toString('latin1'))
    .join('');
}

const QUERIES: readonly (readonly [string, string])[] = [
  ['attributes', `${ESC}[c`],
  ['attributes, spelled out', `${ESC}[0c`],
  ['secondary attributes', `${ESC}[>c`],
  ['tertiary attributes', `${ESC}[=c`],
  ['status', `${ESC}[5n`],
  ['where the cursor is', `${ESC}[6n`],
  ['where the cursor is, DEC', `${ESC}[?6n`],
  ['a mode', `${ESC}[?2026$p`],
  ['the size', `${ESC}[18t`],
  ['the title', `${ESC}[21t`],
  ['the version', `${ESC}[>q`],
  ['the keyboard', `${ESC}[?u`],
  ['who it is, of old', `${ESC}Z`],
  ['who it is, of older', '\u0005'],
  ['the background', `${ESC}]11;?\u0007`],
  ['a colour of the palette', `${ESC}]4;1;?${ESC}\\`],
  ['the clipboard', `${ESC}]52;c;?\u0007`],
  ['a setting', `${ESC}P$qm${ESC}\\`],
  ['a capability', `${ESC}P+q544e${ESC}\\`],
  ['graphics', `${ESC}_Gi=31,a=q;AAAA${ESC}\\`],
];

/** What a terminal takes for the same questions. */
const HIDDEN_QUERIES: readonly (readonly [string, string, string])[] = [
  ['with the end of a line in it', `${ESC}[6\rn`, '\r'],
  ['with a bell in it', `${ESC}[\u0007c`, ''],
  ['with a DEL in it', `${ESC}[\u007f6n`, ''],
  ['with a NUL in it', `${ESC}[\u00006n`, ''],
  ['with a NUL before its bracket', `${ESC}\u0000[6n`, ''],
  ['about a mode, with a line in it', `${ESC}[?1\r$p`, '\r'],
  ['of old, with a bell in it', `${ESC}\u0007Z`, ''],
  ['that begins with a character of C1', '\u00c2\u009b6n', ''],
  ['that is a character of C1', '\u00c2\u009a', ''],
  ['about a setting, in C1', '\u00c2\u0090$qm\u00c2\u009c', ''],
  ['about a setting, with a line in it', `${ESC}P$\rqm${ESC}\\`, ''],
  ['about a colour, ended by what follows', `${ESC}]11;?${ESC}[m`, `${ESC}[m`],
  ['that writes to the clipboard', `${ESC}]52;c;aGk=\u0007`, ''],
  ['that is long', `${ESC}[6${'\u0000'.repeat(20_000)}n`, ''],
];

describe('a question', () => {
  it.each(HIDDEN_QUERIES)('[CL11] %s is left out, too', (_, query, left) => {
    expect(passed([`a${query}b`], true)).toBe(`a${left}b`);
    const cut = query.length > 100 ? [1, 9000] : Array.from(query, (_char, at) => at).slice(1);
    for (const at of cut) {
      expect(passed([`a${query.slice(0, at)}`, `${query.slice(at)}b`], true)).toBe(`a${left}b`);
    }
  });

  it.each(QUERIES)('about %s is left out when it is not to be answered', (_, query) => {
    expect(passed([`a${query}b`], true)).toBe('ab');
    expect(passed([`a${query}b`], false)).toBe(`a${query}b`);
  });

  it.each(QUERIES)('about %s is found wherever it is cut', (_, query) => {
    for (let at = 1; at < query.length; at += 1) {
      expect(passed([`a${query.slice(0, at)}`, `${query.slice(at)}b`], true)).toBe('ab');
    }
  });
});

it.each([
  ['text', 'häßlich\r\n'],
  ['colours', `${ESC}[1;38;5;9mred${ESC}[m`],
  ['a title', `${ESC}]0;what?\u0007`],
  ['a colour that is set', `${ESC}]11;#102030\u0007`],
  ['a link', `${ESC}]8;;http://x/?q${ESC}\\x${ESC}]8;;${ESC}\\`],
  ['modes', `${ESC}[?1049h${ESC}[?25l`],
  ['a cursor that is put somewhere', `${ESC}[5;10H${ESC}[2J`],
  ['a character set', `${ESC}(0qqq${ESC}(B`],
  ['a saved cursor', `${ESC}7x${ESC}8`],
])('passes on %s as it is', (_, output) => {
  expect(passed([output], true)).toBe(output);
  expect(passed(output.split(''), true)).toBe(output);
});

it('does not hold back for ever what does not end', () => {
  const endless = `${ESC}]52;c;${'A'.repeat(20_000)}`;
  expect(passed([endless.slice(0, 10_000), endless.slice(10_000)], false)).toBe(endless);
});

describe('afterwards', () => {
  const undoOf = (...chunks: string[]): string => {
    const sequences = new ControlSequences();
    for (const chunk of chunks) sequences.pass(Buffer.from(chunk, 'latin1'), false);
    return sequences.undo();
  };

  it.each([
    ['nothing is to be done after mere text', `a${ESC}[31mb`, ''],
    ['what was put back is left alone', `${ESC}[?1049h${ESC}[?1049l${ESC}[?25l${ESC}[?25h`, ''],
    ['the alternate screen is left', `${ESC}[?1049h`, `${ESC}[?1049l`],
    ['the cursor is shown', `${ESC}[?25l`, `${ESC}[?25h`],
    [
      'the mouse is let go, and a paste is plain',
      `${ESC}[?1003;1006h${ESC}[?2004h`,
      `${ESC}[?1003l${ESC}[?1006l${ESC}[?2004l`,
    ],
    ['the keyboard is as it was', `${ESC}[>1u${ESC}[>3u`, `${ESC}[<2u`],
    ['the keyboard is as it was, half undone', `${ESC}[>1u${ESC}[>3u${ESC}[<u`, `${ESC}[<1u`],
    ['xterm’s other keys are off', `${ESC}[>4;2m`, `${ESC}[>4m`],
    ['the keypad is numeric', `${ESC}=`, `${ESC}>`],
    ['the cursor has its form', `${ESC}[6 q`, `${ESC}[0 q`],
    ['all of the screen scrolls', `${ESC}[3;9r`, `${ESC}7${ESC}[r${ESC}8`],
    ['a reset has done it all', `${ESC}[?1049h${ESC}[?25l${ESC}[>1u${ESC}c`, ''],
  ])('%s', (_, output, undo) => {
    expect(undoOf(output)).toBe(undo);
    expect(undoOf(...output.split(''))).toBe(undo);
  });

  it('is told once', () => {
    const sequences = new ControlSequences();
    sequences.pass(Buffer.from(`${ESC}[?25l`), false);
    expect([sequences.undo(), sequences.undo()]).toEqual([`${ESC}[?25h`, '']);
  });
});
