// Effects of an outage on typed input, as a person sees them.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { OutageShown } from '../../state/processes/terminal-state.ts';
import { Outage } from './outage.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function start({ isFullScreen = false } = {}) {
  const dividers: string[] = [];
  const shown: Partial<OutageShown>[] = [];
  const outage = new Outage({
    isFullScreen: () => isFullScreen,
    divide: (text) => dividers.push(text),
    show: (change) => shown.push(change),
  });
  const notice = (): string | null | undefined => shown.findLast((change) => 'outage' in change)?.outage;
  return { outage, dividers, shown, notice };
}

it('An outage reports the number of unsent keys once, at its place in the output', () => {
  const { outage, dividers, notice } = start();
  outage.typed('ls\r');
  outage.drop(1, 'cut');
  outage.drop(3, 'cut');
  outage.reconnected(true);
  expect(dividers).toEqual(['reconnected · 4 keys pressed while offline were not sent']);
  expect(notice()).toBe('The connection was lost: 4 keys pressed while offline were not sent.');
  outage.reconnected(true);
  expect(dividers[1]).toBe('reconnected');
});

it.each(['printf AAAA', 'ls\rpr', 'a\u0003b', 'é', ' '])('A line is half typed after %j', (text) => {
  const { outage, dividers, notice } = start();
  for (const key of text) outage.typed(key);
  outage.drop(4, 'cut');
  outage.reconnected(false);
  expect(dividers).toEqual([
    'reconnected · 4 keys pressed while offline were not sent · this line is half typed',
  ]);
  expect(notice()).toContain('Check the line before you press Enter.');
});

it.each([
  '',
  'ls\r',
  'ls\n',
  'a\u0003',
  'a\u0004',
  'abc\u0015',
  'one\rtwo\r',
  `echo gone${'\u007f'.repeat(9)}`,
])('A line is not half typed after %j', (text) => {
  const { outage, dividers, notice } = start();
  outage.typed(text);
  outage.reconnected(true);
  expect(dividers).toEqual(['reconnected']);
  expect(notice() ?? null).toBeNull();
});

it('The mark of a half-typed line is removed when the last letter is erased', () => {
  const { outage, notice } = start();
  outage.typed('ab');
  outage.reconnected(true);
  outage.typed('\u007f');
  expect(notice()).toContain('while you typed a line');
  outage.typed('\u007f');
  expect(notice()).toBeNull();
});

it('A half-typed line stays marked through a second outage, until Enter is pressed', () => {
  const { outage, dividers, notice } = start();
  outage.typed('printf AAAA');
  outage.reconnected(true);
  outage.typed('CC');
  expect(notice()).toContain('while you typed a line');
  outage.reconnected(true);
  expect(dividers[1]).toContain('half typed');
  outage.typed('\r');
  expect(notice()).toBeNull();
  outage.reconnected(true);
  expect(dividers[2]).toBe('reconnected');
});

it('A full-screen program has no lines that could be half typed', () => {
  const { outage, dividers } = start({ isFullScreen: true });
  outage.typed('jj');
  outage.reconnected(true);
  expect(dividers).toEqual(['reconnected']);
});

it('An outage that lost no input reports for 5 s that the page has reconnected', () => {
  const { outage, shown } = start();
  outage.reconnected(true);
  expect(shown).toEqual([{ hasJustReconnected: true }]);
  vi.advanceTimersByTime(5000);
  expect(shown.at(-1)).toEqual({ hasJustReconnected: false });
});

it('Keys pressed while the gateway does not respond are counted, and the first one shows a notice', () => {
  const { outage, dividers, shown, notice } = start();
  outage.typed('printf AAAA');
  outage.drop(1, 'silence');
  expect(notice()).toBe('Not responding: keys are not sent.');
  outage.drop(7, 'silence');
  expect(shown).toHaveLength(1);
  outage.responds();
  const lost = '8 keys pressed while the gateway did not respond were not sent';
  expect(dividers).toEqual([`${lost} · this line is half typed`]);
  expect(notice()).toBe(`${lost}. Check the line before you press Enter.`);
});

it('A period without responses in which no key was pressed shows nothing', () => {
  const { outage, dividers, shown } = start();
  outage.typed('printf AAAA');
  outage.responds();
  expect([dividers, shown]).toEqual([[], []]);
});

it('A period without responses that ends in a lost connection is reported together with it', () => {
  const { outage, dividers, notice } = start();
  outage.drop(2, 'silence');
  outage.drop(1, 'cut');
  expect(notice()).toBe('Offline: keys are not sent.');
  outage.reconnected(true);
  expect(dividers).toEqual([
    'reconnected · 2 keys pressed while the gateway did not respond were not sent · 1 key pressed while offline was not sent',
  ]);
  expect(notice()).toContain('were not sent, and 1 key pressed while offline was not sent.');
});
