// The limit on the messages of one peer per turn: rule LI4.
import { describe, expect, it, vi } from 'vitest';
import { InboundTurn } from './inbound-turn.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function start(turnMs: number) {
  const source = { hold: vi.fn(), goOn: vi.fn(), batch: vi.fn((work: () => void) => work()) };
  return { source, turn: new InboundTurn(turnMs, source) };
}

function take(turn: InboundTurn, message: () => void): void {
  if (turn.hasTime) message();
  else turn.putOff(message);
}

describe('[LI4] The turn of one peer', () => {
  it('processes messages at once while there is time', () => {
    const { source, turn } = start(60_000);
    const taken: number[] = [];
    for (let n = 0; n < 1000; n += 1) take(turn, () => taken.push(n));
    expect(taken).toHaveLength(1000);
    expect(source.hold).not.toHaveBeenCalled();
  });

  it('defers the others in order, and holds the source until they are processed', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    try {
      const { source, turn } = start(2);
      const taken: number[] = [];
      // Adds a message that takes 1 ms.
      const push = (n: number): void =>
        take(turn, () => {
          taken.push(n);
          now.mockReturnValue(now() + 1);
        });
      for (let n = 0; n < 5; n += 1) push(n);
      expect(taken).toEqual([0, 1]);
      expect(source.hold).toHaveBeenCalledOnce();
      await nextTurn();
      expect(taken).toEqual([0, 1, 2, 3]);
      expect(source.batch).toHaveBeenCalledOnce();
      push(5);
      expect(source.goOn).not.toHaveBeenCalled();
      await nextTurn();
      expect(taken).toEqual([0, 1, 2, 3, 4, 5]);
      expect(source.goOn).toHaveBeenCalledOnce();
      await nextTurn();
      push(6);
      expect(taken.at(-1)).toBe(6);
    } finally {
      now.mockRestore();
    }
  });

  it('processes all waiting messages when the input ends', () => {
    const { turn } = start(0);
    const taken: number[] = [];
    for (let n = 0; n < 3; n += 1) take(turn, () => taken.push(n));
    expect(taken).toEqual([]);
    turn.end();
    expect(taken).toEqual([0, 1, 2]);
  });
});
