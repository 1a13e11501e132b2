// Output's changes to a terminal are undone, so that the next program finds its original state.
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

describe('the undoing', () => {
  it.each([
    ['is nothing after mere text', `a${ESC}[31mb`, ''],
    ['leaves alone what was put back', `${ESC}[?1049h${ESC}[?1049l${ESC}[?25l${ESC}[?25h`, ''],
    ['leaves alone what was only reset', `${ESC}(B${ESC}[r${ESC}[4l${ESC}]8;;${ESC}\\${ESC}]104${ESC}\\`, ''],
    ['leaves the other screen', `${ESC}[?1049h`, `${ESC}[?1049l`],
    ['shows the cursor', `${ESC}[?25l`, `${ESC}[?25h`],
    [
      'lets the mouse go, and a paste be plain',
      `${ESC}[?1003;1006h${ESC}[?2004h`,
      `${ESC}[?1003l${ESC}[?1006l${ESC}[?2004l`,
    ],
    ['turns off a mode that it does not know', `${ESC}[?7727h`, `${ESC}[?7727l`],
    ['reads numbers as a terminal does', `${ESC}[?${'0'.repeat(5000)}2004h`, `${ESC}[?2004l`],
    ['finds a sequence that is written in C1', '\u009b?25l', `${ESC}[?25h`],
    ['finds a sequence with other controls in it', `${ESC}[?2\u00005\r\u007fl`, `${ESC}[?25h`],
    ['pops the keyboards that are left', `${ESC}[>1u${ESC}[>3u${ESC}[<u`, `${ESC}[<1u`],
    ['pops those of the other screen there', `${ESC}[?1049h${ESC}[>1u`, `${ESC}[<1u${ESC}[?1049l`],
    [
      'goes back to the other screen for those',
      `${ESC}[?1049h${ESC}[>1u${ESC}[?1049l`,
      `${ESC}[?1047h${ESC}[<1u${ESC}[?1047l`,
    ],
    ['takes back kitty’s flags', `${ESC}[=5;1u`, `${ESC}[=0u`],
    ['turns xterm’s other keys off', `${ESC}[>4;2m`, `${ESC}[>4m`],
    ['spells other keys as at first', `${ESC}[>4;1f${ESC}[>1;1f${ESC}[>1f`, `${ESC}[>4f`],
    ['turns off a mode of tomorrow', `${ESC}[?31337h${ESC}[?40000h${ESC}[?40000l`, `${ESC}[?31337l`],
    ['makes the keypad numeric', `${ESC}=`, `${ESC}>`],
    ['gives the cursor its form', `${ESC}[6 q`, `${ESC}[0 q`],
    ['unlocks the keyboard, and shows nothing twice', `${ESC}[2h${ESC}[12l`, `${ESC}[2l${ESC}[12h`],
    [
      'gives colours of the palette back',
      `${ESC}]4;1;red;7;#fff\u0007`,
      `${ESC}]104;1${ESC}\\${ESC}]104;7${ESC}\\`,
    ],
    [
      'gives the colours of text, background and cursor back',
      `${ESC}]10;#123456;#654321${ESC}\\${ESC}]12;red${ESC}\\`,
      `${ESC}]110${ESC}\\${ESC}]111${ESC}\\${ESC}]112${ESC}\\`,
    ],
    [
      'gives the colours of the mouse and of what is selected back',
      `${ESC}]13;red${ESC}\\${ESC}]17;#123456${ESC}\\${ESC}]19;red${ESC}\\${ESC}]119${ESC}\\`,
      `${ESC}]113${ESC}\\${ESC}]117${ESC}\\`,
    ],
    ['asks for no colour', `${ESC}]11;?${ESC}\\${ESC}]4;1;?${ESC}\\`, ''],
    ['ends a link', `${ESC}]8;;http://x/${ESC}\\x`, `${ESC}]8;;${ESC}\\`],
    ['ends the progress', `${ESC}]9;4;1;50${ESC}\\`, `${ESC}]9;4;0${ESC}\\`],
    ['shows the pointer as it was', `${ESC}]22;wait${ESC}\\`, `${ESC}]22;${ESC}\\`],
    ['protects no letter', `${ESC}[1"q`, `${ESC}[0"q`],
    ['sends nothing to a printer', `${ESC}[5i`, `${ESC}[4i`],
    ['lets the screen be drawn first', `${ESC}[?25l${ESC}[?2026h`, `${ESC}[?2026l${ESC}[?25h`],
    ['ends a sequence that has no end', `${ESC}]0;what`, `\u0018${ESC}\\`],
    [
      'keeps colours in mind over a full reset',
      `${ESC}]11;red\u0007${ESC}[?1049h${ESC}[>1u${ESC}c`,
      `${ESC}]111${ESC}\\`,
    ],
  ])('%s', (_, output, undo) => {
    expect(undoOf(output)).toBe(undo);
    expect(undoOf(...output.split(''))).toBe(undo);
  });

  it('forgets no known mode over any number of others', () => {
    const others = Array.from({ length: 5000 }, (_, at) => `${ESC}[?${10_000 + at}h`).join('');
    const undo = undoOf(`${others}${ESC}[?2004h`);
    expect(undo).toContain(`${ESC}[?2004l`);
    expect(undo.length).toBeLessThan(10_000);
  });

  it.each([
    ['set', `${ESC}[?1007h`, `${ESC}[?1007s`, `${ESC}[?1007r`],
    ['reset', `${ESC}[?1007l`, `${ESC}[?1007s`, `${ESC}[?1007r`],
    ['set among others', `a${ESC}[?25;1036h${ESC}[?1036l`, `${ESC}[?1036s`, `${ESC}[?1036r`],
    ['of several', `${ESC}[?1007h${ESC}[?1036l`, `${ESC}[?1007;1036s`, `${ESC}[?1007r${ESC}[?1036r`],
  ])('saves a mode that terminals have on or off at first before it is %s', (_, output, saving, undo) => {
    const changes = new TerminalChanges();
    const stream = new ControlSequences(changes, () => SIZE.cols);
    const pass = (part: 'answering' | 'typing'): string =>
      Buffer.from(stream.pass(Buffer.from(output), part)).toString();
    expect(pass('answering')).toBe(saving + output);
    // The mode is saved already.
    expect(pass('answering')).toBe(output);
    expect(changes.undo(SIZE.cols)).toBe(undo);
    const saved = Array.from(pass('typing').matchAll(/\[\?(\d+)s/g), ([, mode]) => mode);
    expect(saved).toEqual(saving.match(/\d+/g));
    expect(changes.undo(SIZE.cols)).toBe(undo);
  });

  it('leaves such a mode as it is when its sequence had begun before it was known', () => {
    expect(undoOf('\u001b[?10', '07h')).toBe('');
    expect(undoOf('\u001b[?10', '07h', '\u001b[?1007l')).toBe(`${ESC}[?1007r`);
  });

  it('is done once', () => {
    const changes = new TerminalChanges();
    new ControlSequences(changes, () => 80).pass(Buffer.from(`${ESC}[?25l${ESC}[>1u${ESC}H`), 'answering');
    expect(changes.undo(80)).not.toBe('');
    expect(changes.undo(80)).toBe('');
  });
});

/**
 * Output that looks different if letters, tabs, line feeds, insertion, wrapping or margins are not in their initial
 * state.
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
  ['a set in G1, shifted to', `${ESC})0\u000e`],
  ['a set in G2, shifted to', `${ESC}*0${ESC}n`],
  ['a set in G3, shifted to', `${ESC}+0${ESC}o`],
  ['a set that a saved cursor brings back', `${ESC}(0${ESC}7${ESC}(B${ESC}8`],
  ['a set that waits in the saved cursor', `${ESC}(0${ESC}7${ESC}(B`],
  ['a set that waits behind the other screen', `${ESC}(0${ESC}[?1049h${ESC}(B`],
  ['insertion', `${ESC}[4h`],
  ['line feeds that go to the first column', `${ESC}[20h`],
  ['no wrapping', `${ESC}[?7l`],
  ['wrapping back', `${ESC}[?45h`],
  ['margins', `${ESC}[2;3r`],
  ['an origin', `${ESC}[2;4r${ESC}[?6h`],
  ['tab stops that are gone', `${ESC}[3g`],
  ['a tab stop', `${ESC}[7G${ESC}H`],
  ['tab stops that not every terminal resets', `${ESC}[3g${ESC}[?5W`],
  ['a cursor that was hidden before a reset', `${ESC}[?25l${ESC}c`],
  ['a sequence without an end', `${ESC}[3`],
  ['a string without an end', `${ESC}]52;c;`],
])('the next program finds a terminal that had %s as it was', async (_, output) => {
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
  ['with a colour, by the other screen', `${ESC}[31m${ESC}[?1049h${ESC}[m`],
  ['with a link, by the other screen', `${ESC}]8;;http://x.y/${ESC}\\${ESC}[?1049h`],
  ['with numbers that mean margins elsewhere', `${ESC})0\u000e${ESC}[1;2s\u000f`],
  ['by the undoing of margins', `${ESC})0\u000e${ESC}[2;3r`],
  ['by the undoing of tab stops', `${ESC})0\u000e${ESC}[3g`],
])('a cursor that was saved %s is plain', async (_, output) => {
  const [used, fresh] = [freshTerminal(SIZE, 0), freshTerminal(SIZE, 0)];
  await written(used, `${output}${undoOf(output)}${ESC}[2J${ESC}8\rlqk`);
  await written(fresh, 'lqk');
  expect(seen(used)).toEqual(seen(fresh));
});

interface Place {
  x: number;
  y: number;
}

it('origin mode is off, and the cursor where it was, also where there is no soft reset and 1049 saves the cursor alone', async () => {
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
