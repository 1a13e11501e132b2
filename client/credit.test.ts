// Credit, which is returned at the right time and only once.
import { describe, expect, it } from 'vitest';
import { Credit } from './credit.ts';
import { ManualRuntime } from './testing/manual-runtime.ts';

const WINDOW = 64 * 1024;

function make() {
  const runtime = new ManualRuntime();
  const acks: number[] = [];
  const credit = new Credit({ windowBytes: WINDOW, runtime, acknowledge: (seq) => acks.push(seq) });
  return { runtime, acks, credit };
}

describe('Credit', () => {
  it('is returned in one message for everything that was drawn within 50 ms', async () => {
    const { runtime, acks, credit } = make();
    for (const seq of [1, 2, 3]) credit.pushed(seq, 10);
    credit.drawn(1);
    credit.drawn(2);
    expect(acks).toEqual([]);
    await runtime.advance(50);
    expect(acks).toEqual([2]);
  });

  it('is returned at once when a quarter of the window has been drawn', () => {
    const { acks, credit } = make();
    credit.pushed(1, WINDOW / 8);
    credit.pushed(2, WINDOW / 8);
    credit.drawn(1);
    expect(acks).toEqual([]);
    credit.drawn(2);
    expect(acks).toEqual([2]);
  });

  it('is not returned for output that was read rather than pushed, nor twice', async () => {
    const { runtime, acks, credit } = make();
    credit.drawn(5);
    credit.pushed(6, 10);
    credit.drawn(6);
    credit.drawn(6);
    await runtime.advance(1000);
    expect(acks).toEqual([6]);
  });

  it('detects that the gateway pushes more than the window allows', () => {
    const { credit } = make();
    expect(credit.pushed(1, WINDOW)).toBe(true);
    expect(credit.pushed(2, WINDOW)).toBe(true);
    expect(credit.pushed(3, 1)).toBe(false);
  });

  it('leaves no timer behind when it is stopped', () => {
    const { runtime, credit } = make();
    credit.pushed(1, 10);
    credit.drawn(1);
    credit.stop();
    expect(runtime.timerCount).toBe(0);
  });
});
