// Lines of a log: split anywhere, overwritten as in a terminal, bounded, and always plain text.
import { describe, expect, it } from 'vitest';
import type { Stream } from '../../../protocol/process.ts';
import type { LogEntry } from './log-entry.ts';
import { LogLines } from './log-lines.ts';
import { ERASED_LINES, OVERTYPED_LINES } from '../../../text/testing/erased-lines.ts';
import { visible } from '../../../text/visible.ts';
import { MOST_LINE_CHARACTERS } from './stream-reader.ts';

class Printed {
  readonly lines: LogLines;
  #offset = 0;

  constructor(limits?: { lines: number; characters: number }) {
    this.lines = new LogLines(() => undefined, limits);
  }

  print(text: string | Uint8Array, stream: Stream = 'stdout'): this {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    this.lines.output(stream, bytes, this.#offset, null);
    this.#offset += bytes.length;
    return this;
  }

  entries(): LogEntry[] {
    const entries: LogEntry[] = [];
    for (let id = this.lines.firstId; id < this.lines.endId; id += 1) {
      const entry = this.lines.at(id);
      if (entry) entries.push(entry);
    }
    return entries;
  }

  texts(): string[] {
    return this.entries().map(({ text }) => text);
  }
}

const printed = (text: string): string[] => new Printed().print(text).texts();

describe('Printed output', () => {
  it.each([
    ['one\ntwo\n', ['one', 'two']],
    ['one\r\ntwo', ['one', 'two']],
    ['\n\na\n', ['', '', 'a']],
    ['10%\r50%\r100%\n', ['100%']],
    ['100%\r50%\n', ['50%%']],
    ['downloading\r\u001b[Kdone\n', ['done']],
    ['abc\b\bX\n', ['aXc']],
    ['abc\u001b[1GX\u001b[5Gend\n', ['Xbc end']],
    ['\u{1f389}ab\rx\n', ['x ab']],
    ['\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b\u001bPq\u001b\\c\u001b(Bd\n', ['abcd']],
    ['a\u0000b\u202ec\u0007\n', ['a\\x00b\\u202ec']],
    ['\u001b[2J\u001b[3;4H\u001b[Aup\n', ['up']],
    ['\u001b]0;never ended\nnext\n', ['', 'next']],
    ['<img src=x onerror=alert(1)>\n', ['<img src=x onerror=alert(1)>']],
    ['\u001b[31mred\u001b[0m\n\u001b[0m', ['red']],
  ])('%j is read as %j', (text, lines) => {
    expect(printed(text)).toEqual(lines);
  });

  it.each([...ERASED_LINES, ...OVERTYPED_LINES])('%j leaves %j', (text, left) => {
    expect(printed(`${text}\n`)).toEqual([left]);
  });

  it.each([
    ['git\u200bhub\u001b[8G|', 'git\\u200bhub |'],
    ['git\u200bhub\u001b[5G|', 'git\\u200bh|b'],
    ['git\u200bhub\b\b\b\b|', 'gi|hub'],
    ['\u200bgit\rX', '\\u200bXit'],
    ['git\u200b\rX', 'Xit\\u200b'],
    ['a\u0001b\u202ec\u001b[3G|', 'a\\x01b\\u202e|'],
    ['foo\u00adbar\u001b[8G|', 'foo\\xadbar|'],
    ['foo\u00adbar\u001b[4G|', 'foo|bar'],
    ['\u001b[5G\u200b|', '    \\u200b|'],
  ])(
    'takes as many cells as in a terminal when a character is hidden, and its escape is not split: %j',
    (text, left) => {
      expect(printed(`${text}\n`)).toEqual([left]);
    },
  );

  it.each([
    'a\u2800b',
    `a${'\u0301'.repeat(10)}b\u0301`,
    `${'\u{1d165}'.repeat(9)}b${'\u0301'.repeat(9)}`,
    'a\u202eb\u0000c\u{e0041}d\ufeff',
  ])('escapes the same characters as a name, wherever the bytes are split: %j', (text) => {
    const bytes = new TextEncoder().encode(text);
    for (let cut = 0; cut < bytes.length; cut += 1) {
      const parts = new Printed().print(bytes.subarray(0, cut)).print(bytes.subarray(cut));
      expect(parts.texts()).toEqual([visible(text)]);
    }
  });

  it('counts marks across control characters and sequences, which do not end a character', () => {
    expect(printed(`a${'\u0301'.repeat(8)}\u001b[1m\u0301\u0001\u0301\n\u0301`)).toEqual([
      `a${'\u0301'.repeat(8)}\\u0301\\x01\\u0301`,
      '\u0301',
    ]);
  });

  it('breaks a long line of hidden characters', () => {
    const texts = printed('\u200b'.repeat(5000));
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(MOST_LINE_CHARACTERS);
    expect(texts.join('')).toBe('\\u200b'.repeat(5000));
  });

  it('restores the colours that were saved with the cursor', () => {
    const [line] = new Printed().print('\u001b7\u001b[31mred\u001b8p\n').entries();
    expect(line).toMatchObject({
      text: 'ped',
      runs: [
        { start: 0, style: { colour: null } },
        { start: 1, style: { colour: 1 } },
      ],
    });
  });

  it('continues insert mode on the next line, and never moves the cursor back to another line', () => {
    expect(printed('\u001b[4ha\nbc\rX\u001b[4l\n')).toEqual(['a', 'Xbc']);
    expect(printed('a\u001b7b\ncd\u001b8e\n')).toEqual(['ab', 'cde']);
  });

  it('reads the same wherever its bytes are split', () => {
    const text =
      '日\u001b7e\u0301\tb\u001b8\u200bX\u001b[3b\u001b[ZY\na\u001b[1;31mré日\u{1f468}\u200d\u{1f469}\u001b[0m 10%\r20%\n\u001b]8;;x\u0007link\u001b]8;;\u0007\r\nend';
    const bytes = new TextEncoder().encode(text);
    const whole = new Printed().print(bytes).entries();
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const parts = new Printed().print(bytes.subarray(0, cut)).print(bytes.subarray(cut));
      expect(
        parts.entries().map((entry) => ({ ...entry, version: 0 })),
        `cut at ${cut}`,
      ).toEqual(whole.map((entry) => ({ ...entry, version: 0 })));
    }
  });

  it('keeps colours as runs of styles', () => {
    const [line] = new Printed().print('a\u001b[1;38;5;9mb\u001b[22;38:2::1:2:3mc\u001b[md\n').entries();
    expect(line).toMatchObject({
      text: 'abcd',
      runs: [
        { start: 0, style: { bold: false, colour: null } },
        { start: 1, style: { bold: true, colour: 9 } },
        { start: 2, style: { bold: false, colour: '#010203' } },
        { start: 3, style: { bold: false, colour: null } },
      ],
    });
  });

  it('continues a link across colours and line ends until the link ends', () => {
    const log = new Printed().print('a \u001b]8;id=1;https://x.org/;y\u001b\\\u001b[1mb\u001b[0mc\n');
    log.print('d\u001b]8;;\u0007e\u001b]0;8;;https://no\u0007\u001bP8;;https://no\u001b\\f\n');
    const links = log
      .entries()
      .map((entry) =>
        entry.kind === 'line' ? entry.runs.map(({ start, style }) => [start, style.link]) : [],
      );
    expect(links).toEqual([
      [
        [0, null],
        [2, 'https://x.org/;y'],
        [3, 'https://x.org/;y'],
      ],
      [
        [0, 'https://x.org/;y'],
        [1, null],
      ],
    ]);
  });

  it('keeps the lines of two streams in one piece, and the offset of each among all bytes', () => {
    const log = new Printed()
      .print('out ')
      .print('err 1\nerr ', 'stderr')
      .print('put\nnext\n')
      .print('2\n', 'stderr');
    expect(log.entries()).toMatchObject([
      { text: 'out put', stream: 'stdout', number: 1, offset: 0 },
      { text: 'err 1', stream: 'stderr', number: 2, offset: 4 },
      { text: 'err 2', stream: 'stderr', number: 3, offset: 10 },
      { text: 'next', stream: 'stdout', number: 4, offset: 18 },
    ]);
    expect(log.lines.idAtOffset(20)).toBe(3);
    expect(log.lines.idAtOffset(4)).toBe(1);
  });

  it('places a line that begins with an escape sequence at the first byte of the sequence', () => {
    const log = new Printed().print('one\n\u001b[31mtwo\n');
    expect(log.entries()[1]).toMatchObject({ text: 'two', offset: 4 });
  });
});

describe('A bounded log', () => {
  it('drops the oldest lines and counts them', () => {
    const log = new Printed({ lines: 100, characters: 1_000_000 });
    for (let line = 1; line <= 5000; line += 1) log.print(`${line}\n`);
    const entries = log.entries();
    expect(entries.length).toBeLessThanOrEqual(100 + 1024);
    expect(entries.at(-1)).toMatchObject({ text: '5000', number: 5000 });
    expect(log.lines.droppedLines).toBe(5000 - entries.length);
    expect(log.lines.at(log.lines.firstId)).toMatchObject({ number: log.lines.droppedLines + 1 });
  });

  it('counts a long line once when it is cleared or dropped', () => {
    const long = `${'x'.repeat(4 * MOST_LINE_CHARACTERS)}\n`;
    const log = new Printed().print(long).print('short\n');
    log.lines.clear();
    expect(log.lines.droppedLines).toBe(2);
    const limits = { lines: 100, characters: 3 * MOST_LINE_CHARACTERS };
    const small = new Printed(limits).print(long.repeat(3));
    expect(small.lines.evictedLines).toBe(3);
  });

  it('drops lines because of many style changes, which take more memory than characters', () => {
    const log = new Printed({ lines: 100_000, characters: 10_000 });
    for (let line = 0; line < 100; line += 1) log.print(`${'\u001b[31mx\u001b[32my'.repeat(10)}\n`);
    expect(log.lines.endId - log.lines.firstId).toBeLessThan(10);
  });

  it('drops lines beyond the character limit', () => {
    const log = new Printed({ lines: 100_000, characters: 1000 });
    for (let line = 0; line < 50; line += 1) log.print(`${'x'.repeat(99)}\n`);
    expect(log.entries()).toHaveLength(10);
  });

  it('breaks an endless line, and counts its parts as one line', () => {
    const log = new Printed().print('x'.repeat(MOST_LINE_CHARACTERS * 2 + 5)).print('y\nnext\n');
    expect(log.entries()).toMatchObject([
      { number: 1, continues: false },
      { number: 1, continues: true },
      { number: 1, continues: true, text: 'xxxxxy' },
      { number: 2, continues: false, text: 'next' },
    ]);
  });

  it('finds a long line by the offset of its start', () => {
    const log = new Printed()
      .print('a\n')
      .print('x'.repeat(MOST_LINE_CHARACTERS * 2 + 5))
      .print('y\nnext\n');
    expect(log.lines.idAtOffset(MOST_LINE_CHARACTERS)).toBe(1);
    expect(log.lines.idAtOffset(2)).toBe(1);
  });

  it('does not split a character', () => {
    const log = new Printed().print('x'.repeat(MOST_LINE_CHARACTERS - 1)).print('\u{1f389}y\n');
    expect(log.texts()).toEqual(['x'.repeat(MOST_LINE_CHARACTERS - 1), '\u{1f389}y']);
  });

  it('joins the rest of a line only when no other output came between', () => {
    const long = 'x'.repeat(MOST_LINE_CHARACTERS);
    expect(new Printed().print(`${long}rest\n`).lines.text()).toBe(`${long}rest\n`);
    const log = new Printed().print(long).print('err\n', 'stderr').print('rest\n');
    expect(log.lines.text()).toBe(`${long}\nerr\nrest\n`);
  });

  it('continues a line that was dropped while it was unfinished', () => {
    const log = new Printed({ lines: 10, characters: 1_000_000 }).print('begun ');
    for (let line = 0; line < 2000; line += 1) log.print(`${line}\n`, 'stderr');
    expect(log.print('ended\n').entries().at(-1)).toMatchObject({ text: 'ended', continues: true });
  });
});

it('the line count includes only printed lines, not the page’s markers', () => {
  const log = new Printed().print('a\nb');
  log.lines.divide('reconnected');
  log.lines.gap(10);
  expect(log.print('c\n').lines.lineCount).toBe(3);
});

it('a gap is shown with its size, ends the open line, and restarts the numbering', () => {
  const log = new Printed().print('a\nbeg\u001b[31');
  log.lines.gap(4096);
  log.print('un\nnext\n');
  expect(log.entries()).toMatchObject([
    { text: 'a', number: 1 },
    { text: 'beg', number: 2 },
    { kind: 'divider', text: '4.1 kB skipped' },
    { text: 'un', number: 1, isAfterGap: true },
    { text: 'next', number: 2, isAfterGap: true },
  ]);
});
