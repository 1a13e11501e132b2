// @vitest-environment happy-dom
// Keys are sent in the encoding that the program requested, using a real xterm and key events.
import { Terminal } from '@xterm/xterm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Platform } from '../../state/page/platform.ts';
import { ProgramKeys } from './program-keys.ts';

/** xterm measures its letters on a canvas, which this DOM lacks. */
class NoCanvas {
  getContext(): object {
    return { measureText: () => ({ width: 8 }) };
  }
}
beforeEach(() => {
  vi.stubGlobal('OffscreenCanvas', NoCanvas);
  return () => {
    vi.unstubAllGlobals();
    document.body.replaceChildren();
  };
});

const KEY_CODES: Readonly<Record<string, number>> = {
  Enter: 13,
  Tab: 9,
  Escape: 27,
  Backspace: 8,
  ArrowUp: 38,
  F3: 114,
  Control: 17,
  Meta: 91,
  ' ': 32,
  ',': 188,
};
const CODES: Readonly<Record<string, string>> = { ' ': 'Space', ',': 'Comma', Control: 'ControlLeft' };

/** Parses a combination such as `Ctrl+Shift+Enter`; a letter is written as the keyboard produces it: `Shift+A`. */
function eventOf(keys: string, type: 'keydown' | 'keyup'): KeyboardEvent {
  const names = keys.split('+');
  const key = names.at(-1) ?? '';
  const letter = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : null;
  const digit = /^\d$/.test(key) ? `Digit${key}` : null;
  const event = new KeyboardEvent(type, {
    key,
    code: letter ?? digit ?? CODES[key] ?? key,
    ctrlKey: names.includes('Ctrl'),
    shiftKey: names.includes('Shift'),
    altKey: names.includes('Alt'),
    metaKey: names.includes('Cmd'),
    cancelable: true,
    bubbles: true,
  });
  Object.defineProperty(event, 'keyCode', { value: KEY_CODES[key] ?? key.toUpperCase().charCodeAt(0) });
  Object.defineProperty(event, 'getModifierState', { value: () => names.includes('AltGr') });
  return event;
}

async function start(output: string, platform: Platform = 'other') {
  const terminal = new Terminal({ allowProposedApi: true, vtExtensions: { kittyKeyboard: true } });
  const keys = new ProgramKeys(terminal);
  terminal.attachCustomKeyEventHandler((event) => keys.handle(event, platform));
  terminal.open(document.body.appendChild(document.createElement('div')));
  const sent: string[] = [];
  terminal.onData((data) => sent.push(data));
  const write = (data: string): Promise<void> => new Promise((resolve) => terminal.write(data, resolve));
  await write(output);
  const press = (pressed: string): string => {
    sent.length = 0;
    terminal.textarea?.dispatchEvent(eventOf(pressed, 'keydown'));
    return sent.join('');
  };
  const release = (released: string): string => {
    sent.length = 0;
    terminal.textarea?.dispatchEvent(eventOf(released, 'keyup'));
    return sent.join('');
  };
  return { keys, press, release, write, sent };
}

const KITTY = '\u001b[>1u';
const OTHER_1 = '\u001b[>4;1m';
const OTHER_2 = '\u001b[>4;2m';

describe('A key', () => {
  it.each([
    ['Shift+Enter', '\r', '\u001b[13;2u', '\u001b[27;2;13~', '\u001b[27;2;13~'],
    ['Ctrl+Enter', '\r', '\u001b[13;5u', '\u001b[27;5;13~', '\u001b[27;5;13~'],
    ['Ctrl+Shift+Enter', '\r', '\u001b[13;6u', '\u001b[27;6;13~', '\u001b[27;6;13~'],
    ['Enter', '\r', '\r', '\r', '\r'],
    ['Ctrl+i', '\t', '\u001b[105;5u', '\t', '\u001b[27;5;105~'],
    ['Ctrl+m', '\r', '\u001b[109;5u', '\r', '\u001b[27;5;109~'],
    ['Ctrl+c', '\u0003', '\u001b[99;5u', '\u0003', '\u001b[27;5;99~'],
    ['Ctrl+Shift+A', '', '\u001b[97;6u', '\u001b[27;6;65~', '\u001b[27;6;65~'],
    ['Ctrl+Shift+I', '', '\u001b[105;6u', '\u001b[27;6;73~', '\u001b[27;6;73~'],
    ['Ctrl+,', '', '\u001b[44;5u', '\u001b[27;5;44~', '\u001b[27;5;44~'],
    ['Shift+Tab', '\u001b[Z', '\u001b[9;2u', '\u001b[Z', '\u001b[Z'],
    ['Ctrl+Tab', '\t', '\u001b[9;5u', '\u001b[27;5;9~', '\u001b[27;5;9~'],
    ['Escape', '\u001b', '\u001b[27u', '\u001b', '\u001b'],
    ['Alt+a', '\u001ba', '\u001b[97;3u', '\u001ba', '\u001b[27;3;97~'],
    ['F3', '\u001bOR', '\u001b[13~', '\u001bOR', '\u001bOR'],
    ['Shift+F3', '\u001b[1;2R', '\u001b[13;2~', '\u001b[1;2R', '\u001b[1;2R'],
    ['Ctrl+ArrowUp', '\u001b[1;5A', '\u001b[1;5A', '\u001b[1;5A', '\u001b[1;5A'],
  ])(
    '%s is sent in the encoding that the program has requested',
    async (pressed, plain, kitty, first, second) => {
      expect((await start('')).press(pressed)).toBe(plain);
      expect((await start(KITTY)).press(pressed)).toBe(kitty);
      expect((await start(OTHER_1)).press(pressed)).toBe(first);
      expect((await start(OTHER_2)).press(pressed)).toBe(second);
    },
  );

  it('is sent in the default encoding after the program has withdrawn its request', async () => {
    const { press, write } = await start(`${KITTY}\u001b[>8u`);
    await write('\u001b[<u');
    expect(press('Shift+Enter')).toBe('\u001b[13;2u');
    await write('\u001b[<u');
    expect(press('Shift+Enter')).toBe('\r');
    await write(`${OTHER_2}\u001b[>4m`);
    expect(press('Shift+Enter')).toBe('\r');
    await write(`${KITTY}\u001bc`);
    expect(press('Shift+Enter')).toBe('\r');
  });

  it('is sent in the encoding requested on the current screen, however often that was entered or left', async () => {
    const { press, write } = await start(`${KITTY}\u001b[?1049l`);
    expect(press('Shift+Enter')).toBe('\u001b[13;2u');
    await write('\u001b[?1049h');
    expect(press('Shift+Enter')).toBe('\r');
    await write('\u001b[>1u\u001b[?1049h');
    expect(press('Shift+Enter')).toBe('\u001b[13;2u');
    await write('\u001b[<u\u001b[?1049l');
    expect(press('Shift+Enter')).toBe('\u001b[13;2u');
  });

  it('F3 is sent by its number on release, too', async () => {
    const { press, release } = await start('\u001b[>3u');
    expect(press('F3')).toBe('\u001b[13~');
    expect(release('F3')).toBe('\u001b[13;1:3~');
  });

  it('is sent in the short form when the program has requested that', async () => {
    expect((await start(`${OTHER_2}\u001b[>4;1f`)).press('Ctrl+i')).toBe('\u001b[105;5u');
  });

  it('is sent as a letter when AltGr or Option types that letter', async () => {
    const { press } = await start(OTHER_2);
    expect(press('Ctrl+Alt+AltGr+@')).not.toContain('\u001b[27');
    expect((await start(OTHER_2, 'mac')).press('Alt+a')).not.toContain('\u001b[27');
  });

  it('is left to the platform when it has the platform’s own modifier', async () => {
    const { press } = await start('\u001b[>31u');
    expect(press('Meta')).toBe('');
    expect(press('Cmd+r')).toBe('');
  });

  it('has its release sent only after its press was sent', async () => {
    const { press, release } = await start('\u001b[>3u');
    expect(release('a')).toBe('');
    press('a');
    expect(release('a')).toBe('\u001b[97;1:3u');
    expect(release('a')).toBe('');
  });
});

describe('A key of the on-screen row', () => {
  it('is sent in the encoding that the program has requested', async () => {
    const none = await start('');
    expect(none.keys.spelt({ key: 'Escape' })).toBeNull();
    expect(none.keys.withCtrl('c')).toBeNull();
    const kitty = await start(KITTY);
    expect(kitty.keys.spelt({ key: 'Escape' })).toBe('\u001b[27u');
    expect(kitty.keys.spelt({ key: 'ArrowUp' })).toBe('\u001b[A');
    expect(kitty.keys.withCtrl('c')).toBe('\u001b[99;5u');
    const all = await start('\u001b[>8u');
    expect(all.keys.withCtrl('\u001b[99u')).toBe('\u001b[99;5u');
    const other = await start(OTHER_2);
    expect(other.keys.withCtrl('c')).toBe('\u001b[27;5;99~');
    expect(other.keys.spelt({ key: 'Escape' })).toBeNull();
  });
});

it.each([
  ['\u001b[?u', '\u001b[?0u'],
  [`${KITTY}\u001b[?u`, '\u001b[?1u'],
  [`${KITTY}\u001b[?1049h\u001b[?u`, '\u001b[?0u'],
  ['\u001b[?4m', '\u001b[>4;0m'],
  [`${OTHER_2}\u001b[?4m`, '\u001b[>4;2m'],
])('the query in %j is answered with %j', async (output, answer) => {
  const { sent } = await start(output);
  expect(sent).toEqual([answer]);
});
