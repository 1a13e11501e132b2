// Choice of the terminals that draw with WebGL when there are more terminals than contexts, and after contexts are
// lost.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebglLeases } from './webgl-leases.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(most: number) {
  const drawing = new Map<string, () => void>();
  let mayStart = true;
  const leases = new WebglLeases<string>({
    most,
    load: () =>
      Promise.resolve((terminal) => {
        if (!mayStart) throw new Error('no context');
        let lose = (): void => undefined;
        drawing.set(terminal, () => lose());
        return {
          onContextLoss: (listener) => (lose = listener),
          dispose: () => void drawing.delete(terminal),
        };
      }),
  });
  const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
  const shown = async (...terminals: string[]): Promise<readonly string[]> => {
    for (const terminal of terminals) leases.shown(terminal);
    await settled();
    return [...drawing.keys()].toSorted();
  };
  return { leases, drawing, settled, shown, refuse: () => (mayStart = false) };
}

describe('A WebGL context', () => {
  it('goes to the terminals that were shown last', async () => {
    const { shown, leases, drawing, settled } = start(2);
    expect(await shown('a', 'b')).toEqual(['a', 'b']);
    expect(await shown('c')).toEqual(['b', 'c']);
    expect(await shown('b', 'a')).toEqual(['a', 'b']);
    leases.hidden('a');
    await settled();
    expect([...drawing.keys()].toSorted()).toEqual(['b', 'c']);
  });

  it('is released for a terminal that was hidden while the context was created', async () => {
    const { shown, leases, drawing, settled } = start(2);
    leases.shown('a');
    leases.hidden('a');
    await settled();
    expect(drawing.size).toBe(0);
    expect(await shown('a')).toEqual(['a']);
  });

  it('is replaced a little later when it is lost', async () => {
    const { shown, drawing } = start(2);
    await shown('a');
    drawing.get('a')?.();
    expect(drawing.size).toBe(0);
    await vi.advanceTimersByTimeAsync(2000);
    expect([...drawing.keys()]).toEqual(['a']);
  });

  it('is not requested again after several losses in a row', async () => {
    const { shown, drawing } = start(2);
    await shown('a', 'b');
    for (let losses = 0; losses < 3; losses += 1) {
      drawing.get('a')?.();
      await vi.advanceTimersByTimeAsync(2000);
    }
    expect(drawing.size).toBe(0);
    expect(await shown('a', 'c')).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not requested again when none can be created', async () => {
    const { shown, refuse } = start(2);
    refuse();
    expect(await shown('a')).toEqual([]);
    expect(await shown('b')).toEqual([]);
  });
});
