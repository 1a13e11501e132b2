// Changes that output makes to a terminal are undone, so that the next program finds the original state.
import { describe, expect, it } from 'vitest';
import { freshTerminal, seen, written } from '../testing/seen-terminal.ts';
import { ControlSequences } from './control-sequences.ts';
import { TerminalChanges } from './terminal-changes.ts';

const ESC = '\u001b';
const SIZE = { rows: 8, cols: 40 };

function undoOf(...chunks: readonly string[]): string {
  const changes = new TerminalChanges();
  const stream = new ControlSequences(changes, () => SIZE.cols);
  for (const chunk of chunks) stream.pass(Buffer.from(chunk), 'answering');
  return stream.end() + changes.undo(SIZE.cols);
}

describe('The undo sequence', () => {
  it.each([
    ['is empty after plain text', `a${ESC}[31mb`, ''],
    [
      'ignores settings that were reset by the program',
      `${ESC}[?1049h${ESC}[?1049l${ESC}[?25l${ESC}[?25h`,
      '',
    ],
    [
      'ignores settings that were only reset',
      `${ESC}(B${ESC}[r${ESC}[4l${ESC}]8;;${ESC}\\${ESC}]104${ESC}\\`,
      '',
    ],
    ['leaves the alternate screen', `${ESC}[?1049h`, `${ESC}[?1049l`],
    ['shows the cursor', `${ESC}[?25l`, `${ESC}[?25h`],
    [
      'turns off mouse modes and bracketed paste',
      `${ESC}[?1003;1006h${ESC}[?2004h`,
      `${ESC}[?1003l${ESC}[?1006l${ESC}[?2004l`,
    ],
    ['turns off an unknown mode', `${ESC}[?7727h`, `${ESC}[?7727l`],
    ['reads numbers as a terminal does', `${ESC}[?${'0'.repeat(5000)}2004h`, `${ESC}[?2004l`],
    ['covers a sequence in C1', '\u009b?25l', `${ESC}[?25h`],
    ['covers a sequence with other controls in it', `${ESC}[?2\u00005\r\u007fl`, `${ESC}[?25h`],
    ['pops the remaining keyboard flags', `${ESC}[>1u${ESC}[>3u${ESC}[<u`, `${ESC}[<1u`],
    [
      'pops the keyboard flags of the alternate screen there',
      `${ESC}[?1049h${ESC}[>1u`,
      `${ESC}[<1u${ESC}[?1049l`,
    ],
    [
      'returns to the alternate screen to pop its keyboard flags',
      `${ESC}[?1049h${ESC}[>1u${ESC}[?1049l`,
      `${ESC}[?1047h${ESC}[<1u${ESC}[?1047l`,
    ],
    ['resets kitty’s flags', `${ESC}[=5;1u`, `${ESC}[=0u`],
    ['turns off xterm’s modifyOtherKeys', `${ESC}[>4;2m`, `${ESC}[>4m`],
    ['resets the format of other keys', `${ESC}[>4;1f${ESC}[>1;1f${ESC}[>1f`, `${ESC}[>4f`],
    ['turns off a mode with a large number', `${ESC}[?31337h${ESC}[?40000h${ESC}[?40000l`, `${ESC}[?31337l`],
    ['makes the keypad numeric', `${ESC}=`, `${ESC}>`],
    ['resets the shape of the cursor', `${ESC}[6 q`, `${ESC}[0 q`],
    ['unlocks the keyboard, and turns off local echo', `${ESC}[2h${ESC}[12l`, `${ESC}[2l${ESC}[12h`],
    [
      'resets colours of the palette',
      `${ESC}]4;1;red;7;#fff\u0007`,
      `${ESC}]104;1${ESC}\\${ESC}]104;7${ESC}\\`,
    ],
    [
      'resets the colours of text, background and cursor',
      `${ESC}]10;#123456;#654321${ESC}\\${ESC}]12;red${ESC}\\`,
      `${ESC}]110${ESC}\\${ESC}]111${ESC}\\${ESC}]112${ESC}\\`,
    ],
    [
      'resets the colours of the mouse and of the selection',
      `${ESC}]13;red${ESC}\\${ESC}]17;#123456${ESC}\\${ESC}]19;red${ESC}\\${ESC}]119${ESC}\\`,
      `${ESC}]113${ESC}\\${ESC}]117${ESC}\\`,
    ],
    ['is empty after queries for colours', `${ESC}]11;?${ESC}\\${ESC}]4;1;?${ESC}\\`, ''],
    ['ends a link', `${ESC}]8;;http://x/${ESC}\\x`, `${ESC}]8;;${ESC}\\`],
    ['ends the progress', `${ESC}]9;4;1;50${ESC}\\`, `${ESC}]9;4;0${ESC}\\`],
    ['resets the pointer', `${ESC}]22;wait${ESC}\\`, `${ESC}]22;${ESC}\\`],
    ['turns off protection', `${ESC}[1"q`, `${ESC}[0"q`],
    ['turns off the printer', `${ESC}[5i`, `${ESC}[4i`],
    ['ends synchronized output first', `${ESC}[?25l${ESC}[?2026h`, `${ESC}[?2026l${ESC}[?25h`],
    ['cancels an unfinished sequence', `${ESC}]0;what`, `\u0018${ESC}\\`],
    ['does not remember the pen over a full reset', `${ESC}[31m${ESC}c${ESC}[?1049h`, `${ESC}[?1049l`],
    [
      'remembers colours over a full reset',
      `${ESC}]11;red\u0007${ESC}[?1049h${ESC}[>1u${ESC}c`,
      `${ESC}]111${ESC}\\`,
    ],
  ])('%s', (_, output, undo) => {
    expect(undoOf(output)).toBe(undo);
    expect(undoOf(...output.split(''))).toBe(undo);
  });

  it('keeps a known mode after any number of others', () => {
    const others = Array.from({ length: 5000 }, (_, at) => `${ESC}[?${10_000 + at}h`).join('');
    const undo = undoOf(`${others}${ESC}[?2004h`);
    expect(undo).toContain(`${ESC}[?2004l`);
    expect(undo.length).toBeLessThan(10_000);
  });

  it.each([
    ['set', `${ESC}[?1007h`, `${ESC}[?1007s`, `${ESC}[?1007r`],
    ['reset', `${ESC}[?1007l`, `${ESC}[?1007s`, `${ESC}[?1007r`],
    ['set among others', `a${ESC}[?25;1036h${ESC}[?1036l`, `${ESC}[?1036s`, `${ESC}[?1036r`],
    [
      'set with several others',
      `${ESC}[?1007h${ESC}[?1036l`,
      `${ESC}[?1007;1036s`,
      `${ESC}[?1007r${ESC}[?1036r`,
    ],
  ])('restores a mode of varying default, which is saved before it is %s', (_, output, saving, undo) => {
    const changes = new TerminalChanges();
    const stream = new ControlSequences(changes, () => SIZE.cols);
    const pass = (part: 'answering' | 'typing'): string =>
      Buffer.from(stream.pass(Buffer.from(output), part)).toString();
    expect(pass('answering')).toBe(saving + output);
    // The mode has already been saved.
    expect(pass('answering')).toBe(output);
    expect(changes.undo(SIZE.cols)).toBe(undo);
    const saved = Array.from(pass('typing').matchAll(/\[\?(\d+)s/g), ([, mode]) => mode);
    expect(saved).toEqual(saving.match(/\d+/g));
    expect(changes.undo(SIZE.cols)).toBe(undo);
  });

  it('leaves such a mode alone when its first sequence was split', () => {
    expect(undoOf('\u001b[?10', '07h')).toBe('');
    expect(undoOf('\u001b[?10', '07h', '\u001b[?1007l')).toBe(`${ESC}[?1007r`);
  });

  it('is returned once', () => {
    const changes = new TerminalChanges();
    new ControlSequences(changes, () => 80).pass(Buffer.from(`${ESC}[?25l${ESC}[>1u${ESC}H`), 'answering');
    expect(changes.undo(80)).not.toBe('');
    expect(changes.undo(80)).toBe('');
  });

  it('has no trace of the pen from before the last one', () => {
    const changes = new TerminalChanges();
    const stream = new ControlSequences(changes, () => 80);
    stream.pass(Buffer.from(`${ESC}[31m`), 'answering');
    changes.undo(80);
    stream.pass(Buffer.from(`${ESC}[?1049h`), 'answering');
    expect(changes.undo(80)).toBe(`${ESC}[?1049l`);
  });
});

/**
 * Output that looks different if letters, tabs, line feeds, insertion, wrapping or margins are not in their
 * initial state.
 */
const PROBE = [
  `${ESC}[mlqk#\u00a3\tx\ty`,
  'ab\ncd',
  `12345\r${ESC}[2C*`,
  `${'w'.repeat(45)}${'\b'.repeat(7)}!`,
  `${ESC}[8;1Hlast\n\nerased\r${ESC}[?K`,
].join('\r\n');

it.each([
  ['a character set', `${ESC}(0`],
  ['a character set in G1', `${ESC})0\u000e`],
  ['a character set in G2', `${ESC}*0${ESC}n`],
  ['a character set in G3', `${ESC}+0${ESC}o`],
  ['a character set restored with the cursor', `${ESC}(0${ESC}7${ESC}(B${ESC}8`],
  ['a character set saved with the cursor', `${ESC}(0${ESC}7${ESC}(B`],
  ['a character set saved by the alternate screen', `${ESC}(0${ESC}[?1049h${ESC}(B`],
  ['insert mode', `${ESC}[4h`],
  ['newline mode', `${ESC}[20h`],
  ['autowrap turned off', `${ESC}[?7l`],
  ['reverse wrapping', `${ESC}[?45h`],
  ['margins', `${ESC}[2;3r`],
  ['origin mode', `${ESC}[2;4r${ESC}[?6h`],
  ['cleared tab stops', `${ESC}[3g`],
  ['a tab stop', `${ESC}[7G${ESC}H`],
  ['tab stops reset by DECST8C', `${ESC}[3g${ESC}[?5W`],
  ['a cursor that was hidden before a reset', `${ESC}[?25l${ESC}c`],
  ['an unfinished sequence', `${ESC}[3`],
  ['an unfinished string', `${ESC}]52;c;`],
])('the undo sequence restores a terminal that had %s', async (_, output) => {
  const used = freshTerminal(SIZE, 0);
  await written(used, `one\r\ntwo${output}`);
  const { cursorX, cursorY } = used.buffer.active;
  await written(used, `${undoOf(`one\r\ntwo${output}`)}mm`);
  const { active } = used.buffer;
  if (!output.includes('1049')) expect([active.cursorX, active.cursorY]).toEqual([cursorX + 2, cursorY]);
  await written(used, `${ESC}[2J${ESC}[1;1H${PROBE}`);
  const fresh = freshTerminal(SIZE, 0);
  await written(fresh, `${ESC}[2J${ESC}[1;1H${PROBE}`);
  expect(seen(used)).toEqual(seen(fresh));
  await written(used, `${ESC}8lqk`);
  expect(JSON.stringify(seen(used).normal)).not.toContain('┌');
});

it.each([
  ['with a colour, by the alternate screen', `${ESC}[31m${ESC}[?1049h${ESC}[m`],
  ['with a link, by the alternate screen', `${ESC}]8;;http://x.y/${ESC}\\${ESC}[?1049h`],
  ['with parameters that mean margins elsewhere', `${ESC})0\u000e${ESC}[1;2s\u000f`],
  ['by the undo of margins', `${ESC})0\u000e${ESC}[2;3r`],
  ['by the undo of tab stops', `${ESC})0\u000e${ESC}[3g`],
])('the undo sequence resets a saved cursor that was saved %s', async (_, output) => {
  const [used, fresh] = [freshTerminal(SIZE, 0), freshTerminal(SIZE, 0)];
  await written(used, `${output}${undoOf(output)}${ESC}[2J${ESC}8\rlqk`);
  await written(fresh, 'lqk');
  expect(seen(used)).toEqual(seen(fresh));
});

interface Place {
  x: number;
  y: number;
}

it('the undo sequence works on a terminal without soft reset whose mode 1049 saves only the cursor', async () => {
  const output = `one\r\ntwo\r\nthree${ESC}[2;6r${ESC}[?6h${ESC}[2;4H`;
  const terminal = freshTerminal(SIZE, 0);
  await written(terminal, output);
  const place = (Reflect.get(terminal, '_core') as { _bufferService: { buffer: Place } })['_bufferService']
    .buffer;
  let saved: Place = { x: 0, y: 0 };
  terminal.parser.registerCsiHandler({ intermediates: '!', final: 'p' }, () => true);
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, ([mode]) => {
    if (mode === 1049) saved = { x: place.x, y: place.y };
    return mode === 1049;
  });
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'l' }, ([mode]) => {
    if (mode === 1049) Object.assign(place, saved);
    return mode === 1049;
  });
  await written(terminal, undoOf(output));
  const { modes, buffer } = terminal;
  expect([modes.originMode, buffer.active.cursorX, buffer.active.cursorY]).toEqual([false, 3, 2]);
  await written(terminal, `${ESC}[Htop`);
  expect(buffer.active.getLine(0)?.translateToString(true)).toBe('top');
  terminal.dispose();
});
