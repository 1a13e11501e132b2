// Tests of the credit of an attachment: rule DE6.
import { describe, expect, it } from 'vitest';
import { Credit } from './credit.ts';

describe('Credit', () => {
  it('[DE6] never allows more than the window, whatever the size of the next chunk', () => {
    const credit = new Credit({ windowBytes: 100, windowChunks: 1000, chunkBytes: 30 });
    let unacked = 0;
    for (let seq = 1; credit.isLeft; seq += 1) {
      credit.spend(seq, 30);
      unacked += 30;
    }
    expect(unacked).toBe(90);
  });

  it('[DE6] is restored by each acknowledgement, even one that skips events', () => {
    const credit = new Credit({ windowBytes: 64, windowChunks: 1000, chunkBytes: 32 });
    credit.spend(1, 32);
    credit.spend(3, 32);
    expect(credit.isLeft).toBe(false);
    expect(credit.acknowledge(0)).toBe(false);
    expect(credit.acknowledge(2)).toBe(true);
    expect([credit.isLeft, credit.isUntouched]).toEqual([true, false]);
    credit.acknowledge(3);
    expect(credit.isUntouched).toBe(true);
  });

  it('[DE6] limits the number of chunks too', () => {
    const credit = new Credit({ windowBytes: 1e9, windowChunks: 3, chunkBytes: 1 });
    for (const seq of [1, 2, 3]) credit.spend(seq, 1);
    expect(credit.isLeft).toBe(false);
  });
});
