// Tests that a terminal fed with a snapshot and the rest equals one fed with everything: rules SN1, SN2 and SN5.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectSame, SCROLLBACK, SIZE } from '../testing/same-screen.ts';
import { freshTerminal, seen, written } from '../testing/seen-terminal.ts';
import { Screen } from './screen.ts';

const LINK = '\u001b]8;;http://x.y/?a=1;2\u001b\\';
const NAMED_LINK = '\u001b]8;id=a:other=b;http://x.y/\u0007';
const NO_LINK = '\u001b]8;;\u0007';

const text = fc.constantFrom(
  'hello',
  'x',
  '漢字',
  '👩‍👩‍👧',
  'é',
  'e\u0301',
  '\u0301',
  '🇩',
  '❤',
  '\ufe0f',
  '🫠',
  '\u200d',
  '\u200b',
  '\u0600',
  'क',
  '\u094d',
  'ा',
  '\u1100',
  '\u1161',
  'ﾞ',
  ' ',
  'a long line that wraps around',
  '\r\n',
  '\n',
  '\t',
  '\b',
);
const count = fc.integer({ min: 0, max: 10 });
const csi = fc
  .tuple(
    count,
    count,
    fc.constantFrom('H', 'A', 'B', 'C', 'D', 'J', 'K', 'L', 'M', 'P', '@', 'X', 'S', 'T', 'r', 'd', 'G'),
  )
  .map(([a, b, final]) => `\u001b[${a};${b}${final}`);
const sgr = fc
  .array(
    fc.constantFrom(
      '0',
      '1',
      '2',
      '3',
      '4',
      '7',
      '9',
      '22',
      '24',
      '27',
      '31',
      '42',
      '39',
      '49',
      '38;5;200',
      '48;2;1;2;3',
      '4:2',
      '4:3',
      '4:0',
      '21',
      '58;5;1',
      '58:2::255:255:255',
      '59',
    ),
    {
      maxLength: 3,
    },
  )
  .map((params) => `\u001b[${params.join(';')}m`);
const mode = fc
  .tuple(
    fc.constantFrom('?1049', '?1048', '?1047', '?25', '?7', '?6', '?1', '?2004', '?1000', '?1006', '4'),
    fc.constantFrom('h', 'l'),
  )
  .map(([which, final]) => `\u001b[${which}${final}`);
const other = fc.constantFrom(
  '\u001b7',
  '\u001b8',
  '\u001bM',
  '\u001bD',
  '\u001bH',
  '\u001b(0',
  '\u001b)0',
  '\u000e',
  '\u000f',
  '\u001b[1"q',
  '\u001b[0"q',
  '\u001b[?J',
  '\u001b(B',
  '\u001b[3g',
  '\u001b[!p',
);
const link = fc
  .tuple(fc.constantFrom('', 'id=1', 'id=2'), fc.constantFrom('', 'http://x.y/?a=1;b', 'file:///z'))
  .map(([params, uri]) => `\u001b]8;${uri && params};${uri}\u0007`);
const output = fc
  .array(fc.oneof({ weight: 4, arbitrary: text }, csi, sgr, link, mode, other), {
    maxLength: 60,
    size: 'max',
  })
  .map((parts) => Buffer.from(parts.join('')));

describe('After a gap', () => {
  let screen: Screen;
  beforeEach(() => {
    screen = new Screen(SIZE, SCROLLBACK);
  });
  afterEach(() => screen.dispose());
  const gap = (state = ''): Promise<void> => screen.gap(Buffer.from(state));
  const feed = (output: string): Promise<void> => screen.feed(Buffer.from(output));

  it('[SN5] a screen is exact when all of it has scrolled away, not when the cursor has moved over it', async () => {
    await feed('one\r\ntwo');
    await gap();
    await feed(`\u001b[H${'\n'.repeat(SIZE.rows - 1)}`.repeat(SCROLLBACK));
    expect(screen.isExact).toBe(false);
    await feed('\n'.repeat(SIZE.rows + SCROLLBACK - 1));
    expect(screen.isExact).toBe(false);
    await feed('\n');
    expect(screen.isExact).toBe(true);
  });

  it('[SN5] each screen is exact independently', async () => {
    await gap('\u001b[?1049h');
    expect(screen.isExact).toBe(false);
    await feed('\u001b[?1049h');
    expect(screen.isExact).toBe(false);
    await feed('\u001b[2Jfull');
    expect(screen.isExact).toBe(true);
    await feed('\u001b[?1049l');
    expect(screen.isExact).toBe(false);
    await feed('\u001b[?1049h');
    expect(screen.isExact).toBe(true);
    await feed('\u001bc');
    expect(screen.isExact).toBe(true);
  });

  it('[SN5] an open sequence is dropped, and settings remain', async () => {
    await feed('\u001b[3');
    await gap('\u001b[1m\u001b[?2004h\u001b[4');
    await feed('2mbold');
    const data = screen.snapshot(SCROLLBACK).toString();
    expect(data).toContain('\u001b[0;1;48;5;2mbol');
    expect(data).toContain('\u001b[?2004h');
  });
});

describe('A snapshot', () => {
  it.each([
    ['colours that continue', '\u001b[1;31mred', ' still red'],
    ['a cursor past the last column', 'x'.repeat(20), 'y'],
    ['a cursor past the last column in colour', `\u001b[42m${'x'.repeat(20)}\u001b[31m`, 'y'],
    ['a scroll region', '\u001b[2;4r\u001b[3;1Hline', '\n\n\n\nmore'],
    ['a saved cursor', 'ab\u001b[31m\u001b7\u001b[0m\u001b[5;5Hcd', '\u001b8ef'],
    ['line drawing', '\u001b(0lqqk', 'mqqj\u001b(Babc'],
    ['shifted out', '\u001b)0\u000eqq', 'qq\u000fqq'],
    ['tab stops', '\u001b[3g\u001b[1;4H\u001bH\r', 'a\tb\tc'],
    ['an alternate screen', 'below\u001b[31m\u001b[?1049hfull', ' screen\u001b[?1049l still red'],
    ['an alternate screen that was entered in colour', '\u001b[44m\u001b[?1049h\u001b[0m\u001b[2Jfull', ''],
    [
      'tab stops of each screen',
      '\u001b[3g\u001b[5G\u001bH\r\u001b[?1049h',
      '\u001b[Ha\tb\u001b[?1049l\ra\tb',
    ],
    ['a saved cursor that has scrolled', `${'\r\n'.repeat(7)}\u001b7\r\n\r\nx`, '\u001b8y'],
    ['line drawing that was not there when the cursor was saved', '\u001b7\u001b(0qq', 'q\u001b8qq'],
    ['a saved cursor past the last column', `${'x'.repeat(20)}\u001b7\u001b[3;3H`, '\u001b8yz'],
    [
      'such a saved cursor in colour, in line drawing and without wrap',
      `\u001b[3;1H\u001b[41m\u001b(0${'q'.repeat(20)}\u001b[?7l\u001b[32m\u001b7\u001b[H\u001b(B\u001b[?7h`,
      '\u001b8q\u001b[?7hqq',
    ],
    [
      'a normal screen that was left past its last column',
      `${'x'.repeat(20)}\u001b[?1049hfull`,
      '\u001b[?1049lyz',
    ],
    ['protection', 'a\u001b[1"qkept\u001b[0"qb', 'c\u001b[1;1H\u001b[?J'],
    ['protection that continues', '\u001b[1"q\u001b[31mkept', 'kept\u001b[0"qnot\u001b[H\u001b[?2J'],
    ['saved protection', '\u001b[1"q\u001b7\u001b[0"q', 'x\u001b8kept\u001b[?2J'],
    ['protection of the last column', `\u001b[1"q${'x'.repeat(20)}`, 'y\u001b[?2J'],
    ['a saved cursor after a soft reset', '\u001b(0\u001b[2;3r\u001b[?6h\u001b7\u001b[!p', 'x\u001b8qq'],
    ['all sets as ASCII', '\u001b(0\u001b)0\u001b[?2h', 'qq\u000eqq'],
    [
      'line drawing as G3, since xterm.js ignores a 96-character set there',
      '\u001b+0\u001b/A\u001boqq',
      'qq',
    ],
    ['a set on the right side', '\u001b)0\u001b~qq', 'qq'],
    ['saved line drawing', '\u001b(0\u001b7\u001b(B\u001b[H', '\u001b8qqq'],
    ['saved origin mode', '\u001b[2;3r\u001b[?6h\u001b7\u001b[?6l\u001b[H', '\u001b8Q\u001b[HX'],
    ['nothing saved', '\u001b(0\u001b[?1049h', '\u001b8qqq'],
    [
      'the state saved on the normal screen',
      'ab\u001b7\u001b[3;3H\u001b[?47h',
      '\u001b[H\u001b[?47l\u001b8x',
    ],
    [
      'the state saved on the alternate screen',
      '\u001b[?1049h\u001b[31m\u001b[?1048h\u001b[m\u001b[?1048l\u001b[2H',
      'x',
    ],
    [
      'an alternate screen that was entered twice',
      '\u001b[?1049h\u001b[3;3H\u001b[?1049h\u001b[H',
      '\u001b8x',
    ],
    ['shifted out after a reset', '\u001b)0x\u001bc\u001b)0\u000eqq', 'qq'],
    ['another character set', '\u001b*0\u001bnqqq', 'qqq'],
    ['a cursor that a reset leaves hidden', '\u001b[?25l\u001bc', ''],
    ['a link', `${LINK}link${NO_LINK} plain`, ' more'],
    ['a link that is open', `\u001b[31m${LINK}li`, `nk${NO_LINK} plain`],
    ['a link with a name that continues over two rows', `${NAMED_LINK}${'x'.repeat(25)}`, `x${NO_LINK}`],
    ['links without a text between them', `${LINK}one${LINK}two${NAMED_LINK}three`, ''],
    ['a link that ends in the last column', `${'x'.repeat(19)}${LINK}y`, `z${NO_LINK}z`],
    ['a link that wraps with half a wide character', `\u001b[?7l${LINK}${'漢'.repeat(11)}\r`, NO_LINK],
    ['a link that a program underlines', `${LINK}a\u001b[4mb\u001b[4:2mc\u001b[24md${NO_LINK}`, 'e'],
    ['a link that is open on the alternate screen', `${LINK}one\u001b[?1049htwo`, '\u001b[?1049lthree'],
    [
      'a link that is open when all is erased',
      `${LINK}one`,
      '\u001b[2Jtwo\u001b]8;;http://other/\u0007three',
    ],
    ['a link that is open when its line is erased', `${LINK}\u001b[3;3H`, '\u001b[2Jlink'],
    ['a link that is open when its screen is left', `\u001b[?1049h${LINK}`, '\u001b[?1049llink'],
    ['a link that a restored cursor leaves open', `\u001b7${LINK}one\u001b8`, 'two'],
    ['a link that a reset closes', `${LINK}one\u001b[!p`, 'two'],
    ['kinds of underlines', [1, 2, 3, 4, 5].map((style) => `\u001b[4:${style}m${style}`).join(''), 'x'],
    ['two lines under a text', '\u001b[21mtwo\u001b[24mnone', 'x'],
    ['colours of underlines', '\u001b[4;58;5;9mred\u001b[58:2::1:2:3mrgb\u001b[59mnone', 'x'],
    ['the colour of an underline that comes later', '\u001b[58;2;1;2;3mnone', '\u001b[4:3mcurly'],
    ['a white underline', '\u001b[4;58;2;255;255;255mwhite', '\u001b[59mnone'],
    ['an underline that is saved under a link', `\u001b[21m${LINK}\u001b[?1049h`, '\u001b[?1049lx'],
    ['half a sequence', 'a\u001b[3', '1mred'],
    ['half a character', '', 'x'],
    ['letters of a flag in two cells', '🇩\u001b[m🇪', '🇫'],
    ['letters of a flag in two rows', `${'x'.repeat(19)}🇩\u001b[m🇪`, 'x'],
    ['a mark on a cell that was empty', '\u001b[5G\u0301', 'x'],
    ['a mark after a sequence', 'e\u001b[31m\u0301', 'x'],
    ['a mark in the first column', '\u0301\u200bab\r\u0301', 'x'],
    ['a cell that is full of marks', `e${'\u0301'.repeat(500)}`, 'x'],
    ['a colour without a kind', '\u001b[42;58;48:5:9m', 'x\u001b[K'],
    ['a colour without a kind before another one', '\u001b[31m\u001b[38m\u001b[1;4m', 'x'],
    ['a colour without its number', '\u001b[38;5m\u001b[48;2;1m\u001b[1m', 'x'],
    ['a colour whose number is a sub-parameter', '\u001b[38;5:9m\u001b[48;2;1:2:3m\u001b[1m', 'x'],
    ['blinking that another terminal makes faster', '\u001b[5;31;6m', 'x'],
    ['boldness and faintness that kitty takes away', '\u001b[1;2;221mx\u001b[1;2;222m', 'x'],
    ['a character that is about to be repeated', 'ab\u001b[3', 'b'],
    ['a filler without a cell', '𝌀\u1160', '\u093e'],
    ['a soft hyphen', 'a\u00ad', '\u0301'],
    ['insert mode', 'abc\r\u001b[4h', 'xy'],
    ['origin mode', '\u001b[3;6r\u001b[?6hab', '\u001b[1;1Htop'],
    ['wide characters that do not wrap', `\u001b[?7l${'漢'.repeat(10)}\u001b[42mx\r\n`, '漢x'],
    ['two wide characters that do not wrap', `\u001b[9m\u001b[?7l${'漢'.repeat(11)}\r`, ''],
    [
      'the cursor after a wide character that does not wrap',
      `\u001b[?7l${'漢'.repeat(10)}x\u001b[m`,
      '\u001b[?7hy',
    ],
    ['the rest of a moved wide character', '漢x\b\b\u001b[@', ''],
    ['the end of a background', `${'\r\n'.repeat(20)}\u001b[H\u001b[41m${'x'.repeat(25)}\u001b[0m\r\n`, ''],
  ])('keeps %s', async (_what, before, after) => {
    await expectSame(Buffer.from(before), Buffer.from(after));
  });

  it('[SN1] prints output from before a resize at the earlier size, including its last character', async () => {
    const screen = new Screen(SIZE, SCROLLBACK);
    await screen.feed(Buffer.from(`${'x'.repeat(20)}y`));
    await screen.resize({ rows: 8, cols: 30 });
    await screen.feed(Buffer.from('z'));
    const fresh = freshTerminal(screen.size, SCROLLBACK);
    await written(fresh, screen.snapshot(SCROLLBACK));
    const whole = freshTerminal(SIZE, SCROLLBACK);
    await written(whole, `${'x'.repeat(20)}y`);
    whole.resize(30, 8);
    await written(whole, 'z');
    expect(seen(fresh)).toEqual(seen(whole));
    screen.dispose();
    fresh.dispose();
    whole.dispose();
  });

  it('[SN1] keeps each row in its place, including one with half a wide character', async () => {
    const screen = new Screen(SIZE, SCROLLBACK);
    await screen.feed(Buffer.from(`\u001b[?7l${'漢'.repeat(10)}x\u001b[H\u001b[2P\r\nbelow`));
    const fresh = freshTerminal(SIZE, SCROLLBACK);
    await written(fresh, screen.snapshot(SCROLLBACK));
    const { active } = fresh.buffer;
    const rows = Array.from({ length: 2 }, (_, y) => active.getLine(y)?.translateToString(true));
    expect(rows).toEqual([`${'漢'.repeat(8)} x`, 'below']);
    screen.dispose();
    fresh.dispose();
  });

  it.each([
    'a\u009b31mred\u009b?7lb',
    'a\u009d0;title\u009cb',
    'a\u009d8;;http://x.y/\u009clink',
    'a\u0090q#0~~\u009cb\u0098x\u009cc\u009ey\u009cd\u009fz\u009ce',
    'a\u001b\u009b31mred\u001bé',
  ])('[SN1][SN2] is exact for the 8-bit controls of %j, cut anywhere', async (text) => {
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut += 1)
      await expectSame(bytes.subarray(0, cut), bytes.subarray(cut));
  });

  it('[SN1][SN2] is exact for any output, cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(output, fc.double({ min: 0, max: 1, noNaN: true }), async (bytes, where) => {
        const cut = Math.floor(bytes.length * where);
        await expectSame(bytes.subarray(0, cut), bytes.subarray(cut));
      }),
      { numRuns: 100 },
    );
  });
});
