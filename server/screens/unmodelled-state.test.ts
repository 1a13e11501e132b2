// Tests of settings that xterm.js neither shows nor reports, but that another terminal may support: rule SN10.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Screen } from './screen.ts';
import { EvictedState } from './evicted-state.ts';

const SIZE = { rows: 4, cols: 20 };

async function snapshotAfter(...outputs: readonly (string | Buffer)[]): Promise<string> {
  const screen = new Screen(SIZE, 0);
  for (const output of outputs) await screen.feed(Buffer.from(output));
  const snapshot = screen.snapshot(0).toString();
  screen.dispose();
  return snapshot;
}

/** Resolves with the snapshot after output that was not drawn. */
async function snapshotAfterGap(output: string): Promise<string> {
  const state = new EvictedState();
  state.take(Buffer.from(output));
  const screen = new Screen(SIZE, 0);
  await screen.gap(state.sequence);
  const snapshot = screen.snapshot(0).toString();
  screen.dispose();
  return snapshot;
}

const RESTORED = [
  ['kitty flags', '\u001b[>1u', '\u001b[>1u'],
  ['kitty flags on top of others', '\u001b[>1u\u001b[>5u', '\u001b[>1u\u001b[>5u'],
  ['kitty flags of which some were popped', '\u001b[>1u\u001b[>5u\u001b[>7u\u001b[<2u', '\u001b[>1u'],
  ['kitty flags that were set without being pushed', '\u001b[=3u\u001b[=4;2u\u001b[=1;3u', '\u001b[=6u'],
  ['modifyOtherKeys', '\u001b[>4;1m\u001b[>4;2m', '\u001b[>4;2m'],
  ['other key resources', '\u001b[>1;3m\u001b[>4;1f\u001b[>2n', '\u001b[>1;3m\u001b[>4;1f\u001b[>2n'],
  ['colour scheme reports', '\u001b[?2031h', '\u001b[?2031h'],
  ['size reports', '\u001b[?2048h', '\u001b[?2048h'],
  ['newline mode', '\u001b[20h', '\u001b[20h'],
  ['modes that were set at once', '\u001b[?5;1007;2004h', '\u001b[?1007h'],
  ['reverse video', '\u001b[?5h', '\u001b[?5h'],
  ['a wheel that does not scroll', '\u001b[?1007l', '\u001b[?1007l'],
  ['an unknown mode', '\u001b[?31337h', '\u001b[?31337h'],
  ['a mode that was set and reset', '\u001b[?2031h\u001b[?2031l', '\u001b[?2031l'],
  [
    'a window title and an icon title',
    '\u001b]2;window\u0007\u001b]1;icon\u0007',
    '\u001b]2;window\u0007\u001b]1;icon\u0007',
  ],
  ['the colour of the selection', '\u001b]17;#123456\u0007', '\u001b]17;#123456\u0007'],
  ['a colour after a query', '\u001b]10;?;#123456\u0007', '\u001b]11;#123456\u0007'],
  ['several colours in one string', '\u001b]10;red;;blue\u0007', '\u001b]10;red\u0007\u001b]12;blue\u0007'],
  ['the shape of the pointer', '\u001b]22;text\u0007', '\u001b]22;text\u0007'],
  ['a progress', '\u001b]9;4;1;50\u0007', '\u001b]9;4;1;50\u0007'],
] as const;

describe('A snapshot', () => {
  it.each(RESTORED)('[SN10] has %s', async (_, output, restored) => {
    expect(await snapshotAfter(output, 'text')).toContain(restored);
  });

  it.each(RESTORED)('[SN10] has %s after another snapshot was restored', async (_, output, restored) => {
    const first = await snapshotAfter(output);
    expect(await snapshotAfter(first)).toBe(first);
    expect(first.split(restored)).toHaveLength(2);
  });

  it.each(RESTORED)('[SN10] has %s of output that was never drawn', async (_, output, restored) => {
    expect(await snapshotAfterGap(`text${output}text`)).toContain(restored);
  });

  it.each(RESTORED)('[SN10] no longer has %s after a reset', async (_, output) => {
    const isTitle = output.startsWith('\u001b]2;');
    const left = await snapshotAfter(output, '\u001bc');
    if (!isTitle) expect(left).toBe(await snapshotAfter('\u001bc'));
  });

  it('[SN10] sets the flags of each screen on that screen', async () => {
    const snapshot = await snapshotAfter('\u001b[>1u\u001b[?1049h\u001b[>8u');
    const places = ['\u001b[>1u', '\u001b[?1049h', '\u001b[>8u'].map((each) => snapshot.indexOf(each));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
    const left = await snapshotAfter(snapshot, '\u001b[?1049l');
    expect(left.endsWith('\u001b[>1u')).toBe(true);
    expect(left.split('\u001b[>8u')).toHaveLength(2);
  });

  it.each([['drawn', snapshotAfter] as const, ['never drawn', snapshotAfterGap] as const])(
    '[SN10] has the flags of the hidden screen, from output that was %s',
    async (_, after) => {
      const normal = await after('\u001b[?1049h\u001b[=5u\u001b[>8u\u001b[?1049l');
      expect(await snapshotAfter(normal, '\u001b[?1049h')).toContain('\u001b[=5u\u001b[>8u');
      const alternate = await after('\u001b[>3u\u001b[?1049h');
      expect(await snapshotAfter(alternate, '\u001b[?1049l')).toContain('\u001b[>3u');
    },
  );

  it('[SN10] has no mode that clears a terminal or changes its character sets', async () => {
    expect(await snapshotAfter('\u001b[?2;3;38;69h\u001b[?2l')).toBe(await snapshotAfter(''));
  });

  it('[SN10] has no query, and no finished progress', async () => {
    expect(
      await snapshotAfter('\u001b]9;4;1;50\u0007\u001b]9;4;0\u0007\u001b]17;?\u0007\u001b[?u\u001b[?4m'),
    ).toBe(await snapshotAfter(''));
  });

  it('[SN10] has the modes and flags that were set last, however many there are', async () => {
    const many = Array.from(
      { length: 5000 },
      (_, i) => `\u001b[?${3000 + i}h\u001b[>${i % 32}u\u001b]17;${i}\u0007`,
    );
    const snapshot = await snapshotAfter(many.join(''), '\u001b[?2031h');
    expect(snapshot.length).toBeLessThan(2000);
    expect(snapshot).toContain('\u001b[?2031h');
    expect(snapshot.endsWith(`\u001b[>${4999 % 32}u`)).toBe(true);
  });

  it('[SN10] has the first 256 palette colours as they were set last, beside other strings', async () => {
    const entry = (index: number, colour: string): string => `\u001b]4;${index};${colour}\u0007`;
    const all = Array.from({ length: 257 }, (_, index) => entry(index, 'red')).join('');
    const snapshot = await snapshotAfter(`\u001b]2;title\u0007${all}`, entry(7, 'blue'));
    for (const restored of [entry(7, 'blue'), entry(255, 'red')]) expect(snapshot).toContain(restored);
    for (const dropped of [entry(7, 'red'), entry(256, 'red')]) expect(snapshot).not.toContain(dropped);
    const left = await snapshotAfter(snapshot, '\u001b]104;7;8\u0007');
    expect([7, 8, 9].map((index) => left.includes(`]4;${index};`))).toEqual([false, false, true]);
    expect(await snapshotAfter(snapshot, '\u001b]104\u0007')).not.toContain(']4;');
  });

  it('[SN10] continues like the original after any of these', async () => {
    const any = fc.array(
      fc.constantFrom(...RESTORED.map(([, output]) => output), '\u001b[?1049h', '\u001b[?1049l', '\u001b[!p'),
    );
    await fc.assert(
      fc.asyncProperty(any, any, async (before, after) => {
        const whole = await snapshotAfter(...before, ...after);
        expect(await snapshotAfter(await snapshotAfter(...before), ...after)).toBe(whole);
      }),
      { numRuns: 100 },
    );
  });
});
