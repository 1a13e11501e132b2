// Tests that a terminal with only the tracked settings of undrawn output continues like one that was fed with
// all of it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshTerminal, seen, written } from '../testing/seen-terminal.ts';
import { EvictedState } from './evicted-state.ts';

/** Full reset, then a visible cursor, because a reset of xterm.js does not show a hidden one. */
const RESET = '\u001bc\u001b[?25h';
const SIZE = { rows: 6, cols: 12 };

function stateOf(...pieces: readonly (Buffer | string)[]): Buffer {
  const state = new EvictedState();
  for (const piece of pieces) state.take(Buffer.from(piece));
  return state.sequence;
}

/** Resolves with the visible state of a terminal after both outputs, a clear, and more text. */
async function goesOn(begun: Buffer | string, after: string) {
  const terminal = freshTerminal(SIZE, 0);
  await written(terminal, begun);
  await written(terminal, `${after}\u001b[2J\u001b[Hqq\u001b[3;1Hline\r\n\n\n\nmore than a line`);
  const { active, cursor, modes, ...screens } = seen(terminal);
  terminal.dispose();
  return { active, cursor, modes, screen: screens[active] };
}

const MODES = '1 2004 1000 1002 1003 1004 1006 25 45 66 6 7 1047 1048 1049 1000;1006'.split(' ');
const PENS = ['0', '', '1;31', '42', '39', '38;5;200', '48:2::1:2:3', '4', '24', '7', '0;33'];
const setting = fc.constantFrom(
  ...MODES.flatMap((mode) => [`\u001b[?${mode}h`, `\u001b[?${mode}l`]),
  ...PENS.map((pen) => `\u001b[${pen}m`),
  ...'4h 4l !p 2;4H K ?1h\u001b[1A'.split(' ').map((csi) => `\u001b[${csi}`),
  ...'= > (0 (B )0 7 8 n ]0;title\u0007'.split(' ').map((esc) => `\u001b${esc}`),
  '\u000e',
  '\u000f',
  ...'text \r\n 漢 a-long-line'.split(' '),
  RESET,
);

describe('The settings left by output', () => {
  it('[SN5] equal those of a terminal that was fed with it, wherever it was split', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(setting, { maxLength: 40, size: 'max' }),
        fc.array(fc.nat(400)),
        async (parts, cuts) => {
          const output = Buffer.from(parts.join(''));
          const places = [0, ...cuts.filter((at) => at < output.length).sort((a, b) => a - b), output.length];
          const pieces = places.slice(1).map((to, i) => output.subarray(places[i], to));
          expect(await goesOn(stateOf(...pieces), '\u001b[r')).toEqual(await goesOn(output, '\u001b[r'));
        },
      ),
      { numRuns: 300 },
    );
  });

  /** The output of each case is split at its vertical bars. */
  it.each([
    ['a region', '\u001b[2;4r', ''],
    ['an editor that was left', '\u001b[31m\u001b[?1049h\u001b[2;5r\u001b[32mtext\u001b[?1049l', ''],
    ['an editor that was not left', '\u001b[?1049h\u001b[2;5r\u001b[?1h\u001b[32mtext', ''],
    ['colours that were saved with the cursor', '\u001b[31m\u001b7\u001b[0;42mbar\u001b8', ''],
    ['colours followed by much text', `\u001b[1;31m${'x'.repeat(10_000)}`, ''],
    ['line drawing that was not saved with the cursor', '\u001b7\u001b(0lqk\u001b8', ''],
    ['line drawing that was saved with the cursor', '\u001b(0\u001b7\u001b(Btext\u001b8', ''],
    ['line drawing of an editor that was left', '\u001b[?1049h\u001b)0\u000elqk\u001b[?1049l', ''],
    ['line drawing that was shifted to without a sequence', 'text\u001b)0|\u000elqk', ''],
    ['a shift back', '\u001b)0\u000elqk|\u000ftext', ''],
    ['a national character set, whose name is also a key of the keypad', '\u001b=\u001b(=', ''],
    ['colours that were saved with the cursor by SCOSC', '\u001b[31m\u001b[s\u001b[0;42mbar\u001b[u', ''],
    ['protection', '\u001b[1"qkept', '\u001b[2;1Hx\u001b[?2J'],
    ['a colour without a kind', '\u001b[31m\u001b[38m\u001b[1m', ''],
    ['8-bit controls that are cut', '\u009b31mred\u009b?25l|\u009b|1;4|m', '\u009b42mx'],
    ['line drawing as G3, since xterm.js ignores a 96-character set there', '\u001b+0\u001b/A\u001bo', ''],
    ['a sequence that begins at the end and continues', 'a\u001b[3', '1mred'],
    ['a title that continues', 'a\u001b]0;ti', 'tle\u0007b'],
  ])('[SN5] include %s', async (_what, before, after) => {
    expect(await goesOn(stateOf(...before.split('|')), after)).toEqual(
      await goesOn(before.replaceAll('|', ''), after),
    );
  });

  it.each([
    [
      'titles and colours',
      '\u001b]0;old\u0007\u001b]2;sun \u2600\u001b\\\u001b]11;#123\u0007',
      '\u001b]2;sun \u2600\u0007\u001b]11;#123\u0007',
    ],
    ['the shape of the cursor', '\u001b[4 q\u001b[2 q', '\u001b[2 q'],
    ['no query', '\u001b]11;#123\u0007\u001b]11;?\u0007', '\u001b]11;#123\u0007'],
  ])('[SN5] include the sequences of %s', (_what, output, restored) => {
    expect(stateOf(output).toString()).toContain(restored);
  });

  describe.each([
    ['an image of iTerm2', '\u001b]1337;File=inline=1:', '\u0007'],
    ['an image of iTerm2 that ST ends', '\u001b]1337;File=inline=1:', '\u001b\\'],
    ['a sixel image', '\u001bPq"1;1;100;100', '\u001b\\'],
    ['an image of kitty', '\u001b_Gf=32,s=10,v=10;', '\u001b\\'],
    ['a private message', '\u001b^', '\u001b\\'],
    ['a string of no kind', '\u001bX', '\u0018'],
  ])('with %s', (_what, opener, end) => {
    it.each([100, 5000, 100_000])(
      '[SN5] do not print the inside of the string, after %d bytes',
      async (length) => {
        const pieces = (opener + 'Q'.repeat(length)).match(/[^]{1,3000}/g) ?? [];
        const rest = `${'Q'.repeat(5000)}${end}`;
        const plain = await goesOn('', 'done');
        expect(await goesOn(stateOf(...pieces), `${rest}done`)).toEqual(plain);
        expect(await goesOn(stateOf(...pieces, rest), 'done')).toEqual(plain);
      },
    );
  });

  it('[SN5] continue 8-bit controls, wherever they were split', async () => {
    const [bytes, plain] = [Buffer.from('\u009b31m\u009b?25l'), await goesOn('\u001b[31m\u001b[?25l', 'x')];
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const [before, rest] = [bytes.subarray(0, cut), bytes.subarray(cut)];
      expect(await goesOn(stateOf(before, rest), 'x')).toEqual(plain);
      expect(await goesOn(Buffer.concat([stateOf(before), rest]), 'x')).toEqual(plain);
    }
  });

  it('[SN5] continue a string that contains shifts and a bell', async () => {
    expect(await goesOn(stateOf('\u001bPq', 'QQ\u000eQQ\u0007', 'QQ'), 'QQ\u001b\\done')).toEqual(
      await goesOn('', 'done'),
    );
  });

  it('[SN5] end line drawing when the ASCII set is designated again', async () => {
    const [drawing, usual] = ['\u001b(0lqk', '\u001b(B\u001b[mtext\u001b[31m\u001b(B'];
    expect(await goesOn(stateOf(drawing, usual), '')).toEqual(await goesOn(drawing + usual, ''));
  });

  it('are small, whatever was printed', () => {
    const many = Array.from({ length: 9000 }, (_, i) => `\u001b[?${i}h\u001b]4;${i};#123456\u0007`).join('');
    expect(stateOf(many, `\u001b]0;${'x'.repeat(100_000)}`).length).toBeLessThan(17 * 1024);
    const endless = ['\u001b]0;', ...Array.from({ length: 100 }, () => 'x'.repeat(1000))];
    expect(stateOf(...endless)).toEqual(Buffer.concat([stateOf(''), Buffer.from('\u001b]x')]));
  });
});
