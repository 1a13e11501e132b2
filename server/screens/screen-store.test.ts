// Tests of screens that are stored and restored: rule SN5.
import { expect, it } from 'vitest';
import { ScreenStore } from './screen-store.ts';

const SIZE = { rows: 5, cols: 20 };
const LIMITS = { screenScrollbackLines: 10, screensStoredBytes: 1e6 };

it.each([
  ['in use', 2],
  ['stored', 1],
])(
  '[SN5] a screen that is %s is exact independently of the screen below it',
  async (_where, screensReady) => {
    const store = new ScreenStore({ ...LIMITS, screensReady });
    const feed = (output: string): Promise<void> => store.feed(1, Buffer.from(output));
    const useAnother = (): Promise<unknown> => store.snapshot(2, 0);
    const isExact = async (): Promise<boolean | undefined> => (await store.snapshot(1, 0))?.isExact;
    store.open(1, SIZE);
    store.open(2, SIZE);
    await feed('before');
    await store.gap(1, Buffer.alloc(0));
    await useAnother();
    expect(await isExact()).toBe(false);
    await feed('\u001b[?1049h\u001b[2Jfull');
    await useAnother();
    expect(await isExact()).toBe(true);
    await feed('\u001b[?1049l');
    expect(await isExact()).toBe(false);
    store.close(1);
    store.close(2);
  },
);
