// A terminal's title, attention and alternate screen, wherever the output is cut: rules CO7 and CO9.
import { describe, expect, it } from 'vitest';
import { TerminalHints } from './terminal-hints.ts';

const after = (...pieces: string[]): { title: string | null; isAlternateScreen: boolean } => {
  const hints = new TerminalHints(() => {});
  for (const piece of pieces) hints.scan(Buffer.from(piece));
  return { title: hints.title, isAlternateScreen: hints.isAlternateScreen };
};

describe('TerminalHints', () => {
  it.each([
    ['plain', null],
    ['\u001b]0;one\u0007', 'one'],
    ['\u001b]2;two\u001b\\', 'two'],
    ['\u001b]0;one\u0007text\u001b]2;two\u0007text', 'two'],
    ['\u001b]0;one\u0007\u001b]0;\u0007', null],
    ['\u001b]1;icon\u0007\u001b]8;;http://x\u0007', null],
    ['\u001b]0;a\u001b[31mb', 'a'],
    ['\u001b]0; tab\u0001s \u0085\u0007', 'tabs'],
  ])('[CO7] reads %j as the title %j', (text, title) => {
    expect(after(text).title).toBe(title);
  });

  it('[CO7] recognizes a sequence that is cut at any place', () => {
    const text = 'x\u001b[?1049hy\u001b]0;ünï\u001b\\z';
    const bytes = Buffer.from(text);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const hints = new TerminalHints(() => {});
      hints.scan(bytes.subarray(0, cut));
      hints.scan(bytes.subarray(cut));
      expect([cut, hints.title, hints.isAlternateScreen]).toEqual([cut, 'ünï', true]);
    }
    expect(after(...Array.from(text)).title).toBe('ünï');
  });

  it('[CO7] tracks the start and the end of a full-screen program', () => {
    expect(after('\u001b[?25;1049h').isAlternateScreen).toBe(true);
    expect(after('\u001b[?1049h', 'text', '\u001b[?1049l').isAlternateScreen).toBe(false);
    expect(after('\u001b[?47h').isAlternateScreen).toBe(true);
    expect(after('\u001b[?2004h').isAlternateScreen).toBe(false);
  });

  it.each([
    [['\u001b[?1049h', 'text\u001bc'], false],
    [['\u001b[?1049h\u001b', 'c\u001b[?2004h'], false],
    [['\u001bc\u001b[?1049h'], true],
    [['\u001b[?1049l\u001b[?1049htext\u001bcprompt'], false],
    [['\u001b[?1049h\u001b(c'], true],
  ])('[CO7] treats a reset as the end of full screen: %j', (pieces, isAlternateScreen) => {
    expect(after(...pieces).isAlternateScreen).toBe(isAlternateScreen);
  });

  it('[CO7] drops a title that does not end, and finds the next one', () => {
    expect(after(`\u001b]0;${'a'.repeat(5000)}`, 'b\u0007', '\u001b]0;next\u0007').title).toBe('next');
  });

  const hintsOf = (...pieces: string[]): { attention: (string | null)[]; progress: unknown } => {
    const attention: (string | null)[] = [];
    const hints = new TerminalHints((text) => attention.push(text));
    for (const piece of pieces) hints.scan(Buffer.from(piece));
    return { attention, progress: hints.attention.progress };
  };

  it.each([
    ['\u001b]9;built\u0007', ['built']],
    ['\u001b]777;notify;Build;it failed\u001b\\', ['Build: it failed']],
    ['\u001b]777;precmd\u0007\u001b]9;\u0007', []],
    ['\u001b]9;9;C:\\\u0007\u001b]9;2\u0007', []],
    ['\u001b]9;a\u0001b\u0085\u0007', ['ab']],
    ['\u0007', [null]],
    ['a\u0007\u0007b', [null]],
    ['\u001b]0;title\u0007', []],
    ['\u001b]0;title\u0007\u0007', [null]],
    ['\u001b]0;title\u001b\\\u0007', [null]],
  ])('[CO9] reads %j as the notifications %j', (text, attention) => {
    expect(hintsOf(text).attention).toEqual(attention);
  });

  it('[CO9] notifies once, wherever the output is cut', () => {
    const text = 'a\u001b[?25\u001b]9;ünï\u001b\\b\u001b[?2004h\u001b]9;4;1;50\u0007';
    const bytes = Buffer.from(text);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const attention: (string | null)[] = [];
      const hints = new TerminalHints((text) => attention.push(text));
      hints.scan(bytes.subarray(0, cut));
      hints.scan(bytes.subarray(cut));
      expect([cut, attention, hints.attention.progress?.percent]).toEqual([cut, ['ünï'], 50]);
    }
    for (const bell of ['\u001b\u0007', 'x\u0007\u001b', '\u001b[?25\n\u0007']) {
      expect([bell, hintsOf(...Array.from(bell)).attention]).toEqual([bell, [null]]);
    }
  });

  it('[CO9] does not take the end of a string for a bell, however long the string is, and reports the next bell', () => {
    const long = `\u001b]52;c;${'a'.repeat(5000)}`;
    expect(hintsOf(long, '\u0007').attention).toEqual([]);
    expect(hintsOf(long, 'aaaa', 'a'.repeat(3000), 'a\u0007', '\u0007').attention).toEqual([null]);
    expect(hintsOf(long, '\u001b', '\\', '\u0007').attention).toEqual([null]);
    expect(hintsOf(long, '\u001b]9;built\u0007').attention).toEqual(['built']);
    expect(hintsOf(long, `\u0007${long}`, '\u0007').attention).toEqual([]);
  });

  it.each([
    ['4;1;42', { state: 'normal', percent: 42 }],
    ['4;1;400', { state: 'normal', percent: 100 }],
    ['4;2', { state: 'error', percent: null }],
    ['4;3;10', { state: 'indeterminate', percent: null }],
    ['4;4;7', { state: 'paused', percent: 7 }],
    ['4;0', null],
    ['4;9;1', null],
  ])('[CO9] reads %j as the progress %j', (text, progress) => {
    expect(hintsOf(`\u001b]9;${text}\u0007`)).toEqual({ attention: [], progress });
  });

  it('[CO9] notes the time at which the output with a bell or a notification was read', () => {
    const hints = new TerminalHints(() => {});
    hints.scan(Buffer.from('\u0007'), 5);
    hints.scan(Buffer.from('\u001b]9;do'), 6);
    hints.scan(Buffer.from('ne\u0007'), 7);
    expect(hints.attention).toMatchObject({ bellAtMs: 5, notification: { text: 'done', atMs: 7 } });
  });
});
