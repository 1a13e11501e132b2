// Tests of a process that is tracked again after a restart of the gateway.
import { describe, expect, it } from 'vitest';
import type { ProcessView } from '../keeper/process-view.ts';
import type { Line } from './line.ts';
import { Run } from './run.ts';

/** Tracks a process on from 10 bytes; an answer has returned the next 3. */
function resumed(): Run {
  const offsets: Record<number, number> = { 6: 12, 9: 20 };
  const view = { key: 'p1', log: { at: (seq: number) => ({ offset: offsets[seq] }) } };
  const line = { follow: () => undefined, forget: () => undefined };
  const run = new Run({
    processId: '1',
    line: line as unknown as Line,
    find: () => view as unknown as ProcessView,
    changed: () => undefined,
  });
  run.goOn(view as unknown as ProcessView, { seq: 4, offset: 10, skip: 3, before: [] });
  return run;
}

describe('A process after a restart of the gateway', () => {
  it('counts output that answers have returned before it arrives again', () => {
    const run = resumed();
    expect(run.givenBytes).toBe(13);
    run.output(5, Buffer.from('ab'));
    expect(run.givenBytes).toBe(13);
    run.output(6, Buffer.from('cde'));
    expect(run.givenBytes).toBe(13);
    expect(run.collected.drain(false).bytes.toString()).toBe('de');
    expect(run.givenBytes).toBe(15);
  });

  it.each([
    [6, 'skips the rest', 0, 'bc'],
    [9, 'skips nothing more', 7, 'abc'],
  ])('has no event before %i, and then %s', (seq, _, missed, rest) => {
    const run = resumed();
    run.output(seq, Buffer.from('abc'));
    expect(run.givenBytes).toBe(13);
    const { bytes, omitted } = run.collected.drain(false);
    expect(omitted).toBe(missed);
    expect(bytes.toString().split('\n')[0]).toBe(rest);
  });
});
