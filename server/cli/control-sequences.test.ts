// Output of a process that reaches a terminal, by the part that the terminal plays.
import { describe, expect, it } from 'vitest';
import { freshTerminal, seen, written } from '../testing/seen-terminal.ts';
import { ControlSequences } from './control-sequences.ts';
import { TerminalChanges } from './terminal-changes.ts';

type Part = Parameters<ControlSequences['pass']>[1];

const ESC = '\u001b';

function passed(part: Part, ...chunks: readonly (string | Uint8Array)[]): string {
  const stream = new ControlSequences(new TerminalChanges(), () => 80);
  const passedOn = chunks.map((chunk) =>
    stream.pass(typeof chunk === 'string' ? Buffer.from(chunk) : chunk, part),
  );
  return Buffer.concat(passedOn).toString();
}

/** Expects this result from the whole output, and when it arrives byte by byte. */
function expectPassed(part: Part, output: string, expected: string): void {
  expect(passed(part, output)).toBe(expected);
  const bytes = Array.from(Buffer.from(output), (byte) => Uint8Array.of(byte));
  expect(passed(part, ...bytes)).toBe(expected);
}

const ANSWERED: readonly (readonly [string, string])[] = [
  ['for its attributes', `${ESC}[c`],
  ['for its attributes, with zeros', `${ESC}[000c`],
  ['for its secondary attributes', `${ESC}[>c`],
  ['for its tertiary attributes', `${ESC}[=c`],
  ['for its attributes, in the old form', `${ESC}Z`],
  ['for its attributes, in C1', '\u009a'],
  ['for its answerback', '\u0005'],
  ['for its status', `${ESC}[5n`],
  ['where the cursor is', `${ESC}[6n`],
  ['where the cursor is, with zeros', `${ESC}[?0006n`],
  ['for its parameters', `${ESC}[1x`],
  ['for a mode', `${ESC}[?2026$p`],
  ['for an ANSI mode', `${ESC}[4$p`],
  ['for its size', `${ESC}[018t`],
  ['for its size in pixels', `${ESC}[14;2t`],
  ['for its title', `${ESC}[21t`],
  ['for its version', `${ESC}[>0q`],
  ['for its keyboard', `${ESC}[?u`],
  ['for its graphics', `${ESC}[?1;1;0S`],
  ['for a checksum', `${ESC}[1;1;1;1;9;9*y`],
  ['for where its tabs are', `${ESC}[2$w`],
  ['for its key formats', `${ESC}[?4m`],
  ['for the background', `${ESC}]11;?\u0007`],
  ['for a colour of the palette', `${ESC}]4;1;?${ESC}\\`],
  ['for colours by their names', `${ESC}]21;foreground=?${ESC}\\`],
  ['for the clipboard', `${ESC}]52;c;?\u0007`],
  ['for the clipboard, with zeros', `${ESC}]0052;c;?\u0007`],
  ['for a notification', `${ESC}]99;i=1:p=?;${ESC}\\`],
  ['for the size of a cell', `${ESC}]1337;ReportCellSize\u0007`],
  ['for a variable', `${ESC}]1337;ReportVariable=c2Vzc2lvbi5uYW1l\u0007`],
  ['for the colour of the selection', `${ESC}]17;?\u0007`],
  ['for a colour after one that it sets', `${ESC}]10;red;?\u0007`],
  ['for the format of keys', `${ESC}[?4f`],
  ['for the pointer', `${ESC}]22;?__current__${ESC}\\`],
  ['for its font', `${ESC}]50;?${ESC}\\`],
  ['for a setting', `${ESC}P$qm${ESC}\\`],
  ['for a capability', `${ESC}P+q544e${ESC}\\`],
  ['for graphics of kitty', `${ESC}_Gi=31,a=q;AAAA${ESC}\\`],
  ['with a NUL in it', `${ESC}[6\u0000n`],
  ['with a DEL in it', `${ESC}[\u007f6n`],
  ['with a NUL before its bracket', `${ESC}\u0000[6n`],
  ['in C1', '\u009b6n'],
  ['for a setting, in C1', '\u0090$qm\u009c'],
  ['that is long', `${ESC}[6${'\u0000'.repeat(20_000)}n`],
];

const ACTING: readonly (readonly [string, string])[] = [
  ['writes to the clipboard', `${ESC}]52;c;aGk=\u0007`],
  ['writes to the clipboard, in C1', '\u009d52;c;aGk=\u009c'],
  ['writes to the clipboard, for kitty', `${ESC}]5522;type=write${ESC}\\`],
  ['shows a notification', `${ESC}]9;hello\u0007`],
  ['shows a notification, for urxvt', `${ESC}]777;notify;a;b\u0007`],
  ['shows a notification, for kitty', `${ESC}]99;;hello${ESC}\\`],
  ['opens a file', `${ESC}]1337;File=inline=0:aGk=\u0007`],
  ['draws a picture', `${ESC}_Ga=T,f=100;AAAA${ESC}\\`],
  ['draws a sixel', `${ESC}Pq#0;2;0;0;0~-${ESC}\\`],
  ['defines a key', `${ESC}P1;1|17/41${ESC}\\`],
  ['resizes the window', `${ESC}[8;5;5t`],
  ['makes the window small', `${ESC}[2t`],
  ['puts a title on a stack', `${ESC}[22;0t`],
  ['rings', '\u0007'],
  ['stops the output', '\u0013'],
  ['locks the keyboard', `${ESC}[2h`],
  ['sends to a printer', `${ESC}[5i`],
  ['turns on highlight mouse tracking', `${ESC}[1;1;1;1;9T`],
  ['erases the scrollback', `${ESC}[3J`],
  ['erases the scrollback with a number that wraps around', `${ESC}[4294967299J`],
  ['leaves UTF-8', `${ESC}%@`],
  ['requests 8-bit answers', `${ESC} G`],
  ['switches to VT52 mode', `${ESC}[?2l`],
  ['restores modes', `${ESC}[?1003r`],
  ['lights a lamp', `${ESC}[1q`],
  ['switches to 132 columns', `${ESC}[?3h`],
  ['switches to Tektronix mode', `${ESC}[?38h`],
  ['starts a log', `${ESC}[?46h`],
  ['waits for the mouse (highlight tracking)', `${ESC}[?1001h`],
  ['shows controls', `${ESC}[3h`],
  ['shows a notification that begins as a progress', `${ESC}]9;4;1;50;hello\u0007`],
  ['shows a notification that is a number', `${ESC}]9;42\u0007`],
  ['ends nothing', `${ESC}\\`],
  ['links to a file', `${ESC}]8;;file:///etc/passwd${ESC}\\`],
  ['links to a program', `${ESC}]8;;ssh://-oProxyCommand=x${ESC}\\`],
];

const CONTROLLED: readonly (readonly [string, string])[] = [
  ['focus reports', `${ESC}[?1004h`],
  ['colour scheme reports', `${ESC}[?2031h`],
  ['size reports', `${ESC}[?2048h`],
  ['a title', `${ESC}]0;vim – file${ESC}\\`],
  ['another background', `${ESC}]11;#102030${ESC}\\`],
  ['other colours', `${ESC}]4;1;rgb:00/11/22;2;red${ESC}\\`],
  ['two other colours at once', `${ESC}]10;#102030;;red${ESC}\\`],
  ['another colour of the selection', `${ESC}]17;#102030${ESC}\\${ESC}]19;white${ESC}\\`],
  ['other colours of the mouse', `${ESC}]13;red${ESC}\\${ESC}]14;#fff${ESC}\\`],
  ['reset colours', `${ESC}]117${ESC}\\${ESC}]104;1${ESC}\\`],
  ['another pointer', `${ESC}]22;text${ESC}\\${ESC}]22;>wait${ESC}\\${ESC}]22;${ESC}\\`],
  ['a progress', `${ESC}]9;4;1;50${ESC}\\${ESC}]9;4;3${ESC}\\${ESC}]9;4;0;${ESC}\\`],
  ['local echo', `${ESC}[12l${ESC}[12h`],
  ['an unknown mode', `${ESC}[?31337h${ESC}[?2099l${ESC}[77h`],
];

const TYPED: readonly (readonly [string, string])[] = [
  ['mouse modes', `${ESC}[?1000;1006h`],
  ['bracketed paste', `${ESC}[?2004h`],
  ['the cursor key mode', `${ESC}[?1h`],
  ['the keypad mode', `${ESC}=`],
  ['kitty’s keyboard flags', `${ESC}[>1u`],
  ['modifyOtherKeys', `${ESC}[>4;2m`],
  ['the format of other keys', `${ESC}[>4;1f`],
];

const DRAWN: readonly (readonly [string, string])[] = [
  ['text', 'häßlich 漢字 🙂\r\n\tx\b'],
  ['colours', `${ESC}[1;38;5;9mred${ESC}[4:3;38:2::1:2:3m${ESC}[m`],
  ['a moved cursor', `${ESC}[5;10H${ESC}[2J${ESC}[K${ESC}[?25l`],
  ['the other screen', `${ESC}[?1049h`],
  ['a character set', `${ESC}(0qqq${ESC}(B\u000eq\u000f`],
  ['a saved cursor', `${ESC}7x${ESC}8${ESC}[s${ESC}[u`],
  ['margins and scrolling', `${ESC}[2;5r${ESC}M${ESC}D${ESC}[3S${ESC}[2T`],
  ['insertion and erasing', `${ESC}[4h${ESC}[3@${ESC}[2P${ESC}[4X${ESC}[2L${ESC}[M`],
  ['tab stops', `${ESC}[3g${ESC}H`],
  ['rectangles', `${ESC}[65;1;1;4;4$x${ESC}[1;1;2;2$z`],
  ['reverse wrapping', `${ESC}[?45h`],
  ['the shape of the cursor', `${ESC}[6 q`],
  ['a link to the web', `${ESC}]8;id=1;https://x.example/?q=1${ESC}\\x${ESC}]8;;${ESC}\\`],
];

describe('A terminal that watches', () => {
  it.each(ANSWERED)('[CL11] does not get %s', (_, output) => {
    expectPassed('watching', `a${output}b`, 'ab');
  });
  it.each(ACTING)('[CL12] gets nothing that %s', (_, output) => {
    expectPassed('watching', `a${output}b`, 'ab');
  });
  it.each([...TYPED, ...CONTROLLED])('[CL12] does not get %s', (_, output) => {
    expectPassed('watching', `a${output}b`, 'ab');
  });
  it.each(DRAWN)('[CL12] gets %s unchanged', (_, output) => {
    expectPassed('watching', output, output);
  });

  it('[CL12] gets only the drawing modes of a sequence with several', () => {
    expectPassed('watching', `${ESC}[?1000;25;1049;2004h`, `${ESC}[?25;1049h`);
  });

  it('[CL12] gets as many combining marks on a letter as any script needs', () => {
    expect(passed('watching', `a${'\u0301'.repeat(150_000)}b`)).toBe(`a${'\u0301'.repeat(32)}b`);
    expect(passed('watching', 'กี่ ẫ שָּׁ')).toBe('กี่ ẫ שָּׁ');
  });

  it('[CL12] gets invalid UTF-8 as replacement characters', () => {
    expect(passed('watching', Buffer.from('a\u009b6n\u00ff', 'latin1'))).toBe('a\ufffd6n\ufffd');
    expect(passed('watching', Buffer.from('c0 9b 36 6e ed a0 80'.replaceAll(' ', ''), 'hex'))).not.toContain(
      ESC,
    );
  });

  it('[CL12] is cleared by a full reset, and keeps its scrollback', async () => {
    const terminal = freshTerminal({ rows: 3, cols: 20 }, 100);
    await written(terminal, 'one\r\ntwo\r\nthree\r\nfour');
    await written(terminal, passed('watching', `${ESC}[?25l${ESC}[?1049h${ESC}(0${ESC}cqed`));
    expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('one');
    expect(seen(terminal)).toMatchObject({ active: 'normal', cursor: [3, 0, 1] });
    expect(terminal.buffer.active.getLine(1)?.translateToString(true)).toBe('qed');
  });

  it('[CL12] gets only allowed kinds of sequences, whatever is printed', () => {
    let seed = 11;
    const next = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const alphabet = `${ESC}${ESC}[]P_?>=;:0123456789$ "'*#chnqtuxJ\\\u0007\u0005\u0000\u009b\u009d\u009cé`;
    const known =
      // oxlint-disable-next-line no-control-regex -- these are control sequences
      /\u001b\[[?]?[\d:;]*(?:[$"'*# !]?[@-Z`a-hl-mrsu-z{}~^])|\u001b\]8;[^\u0007\u001b]*\u001b\\|\u001b[()*+\-./]?[ -/]?[0-~]|[^\u0000-\u0007\u0010-\u001f\u007f-\u009f]/g;
    for (let round = 0; round < 300; round += 1) {
      const output = Array.from({ length: 200 }, () => alphabet[next(alphabet.length)] ?? '').join('');
      const shown = passed('watching', output);
      expect(shown.replaceAll(known, '')).toBe('');
      // oxlint-disable-next-line no-control-regex -- these are control sequences
      expect(shown).not.toMatch(/\u001b\[[\d;?>=]*(?:\$p|[cntx])|\u001b[Z_P]|\u001b\](?!8;)/);
    }
  });
});

describe('A terminal that is typed into', () => {
  it.each([...ANSWERED, ...ACTING, ...CONTROLLED])('[CL11] gets no query and no action: %s', (_, output) => {
    expectPassed('typing', `a${output}b`, 'ab');
  });
  it.each([...TYPED, ...DRAWN])('[CL12] gets %s', (_, output) => {
    expectPassed('typing', output, output);
  });
});

describe('A terminal in control', () => {
  it.each([...ANSWERED, ...ACTING])(
    '[CL11] gets no query and no action from earlier output: %s',
    (_, output) => {
      expectPassed('controlling', `a${output}b`, 'ab');
    },
  );
  it.each([...CONTROLLED, ...TYPED, ...DRAWN])('[CL12] gets from earlier output: %s', (_, output) => {
    expectPassed('controlling', output, output);
  });
  it.each([...ANSWERED, ...ACTING, ...CONTROLLED, ...DRAWN])('gets all live output: %s', (_, output) => {
    expectPassed('answering', `a${output}b`, `a${output}b`);
  });

  it('gets live output byte by byte', () => {
    const stream = new ControlSequences(new TerminalChanges(), () => 80);
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(stream.pass(bytes, 'answering')).toEqual(bytes);
  });

  it('[CL11] gets a query cancelled when it loses control in the middle of it', () => {
    const stream = new ControlSequences(new TerminalChanges(), () => 80);
    const parts = [
      stream.pass(Buffer.from(`a${ESC}[6`), 'answering'),
      stream.pass(Buffer.from('nb'), 'typing'),
    ];
    expect(Buffer.concat(parts).toString()).toBe(`a${ESC}[6\u0018${ESC}\\nb`);
  });

  it('[CL11] gets no part of a query that began before it had control', () => {
    const stream = new ControlSequences(new TerminalChanges(), () => 80);
    const parts = [
      stream.pass(Buffer.from(`a${ESC}[6`), 'typing'),
      stream.pass(Buffer.from('nb'), 'answering'),
    ];
    expect(Buffer.concat(parts).toString()).toBe('ab');
  });
});
