// OrderedEvents puts events that arrive in any order into one order.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrderedEvents, type LogEvent } from './ordered-events.ts';

const output = (seq: number, bytes = 1): LogEvent => ({
  kind: 'output',
  seq,
  stream: 'stdout',
  bytes: new Uint8Array(bytes).fill(seq),
  live: true,
});
const exited = (seq: number): LogEvent => ({ kind: 'exited', seq, exitCode: 0, sandboxDenied: false });
const closed = (seq: number): LogEvent => ({ kind: 'closed', seq });
const gap = (afterSeq: number, nextSeq: number, bytes: number): LogEvent => ({
  kind: 'gap',
  afterSeq,
  nextSeq,
  bytes,
});
const resized = (afterSeq: number, rows: number): LogEvent => ({
  kind: 'resized',
  afterSeq,
  size: { rows, cols: 80 },
});

const short = (event: LogEvent): string => {
  if (event.kind === 'gap') return `gap ${event.afterSeq}-${event.nextSeq}`;
  return event.kind === 'resized' ? `size ${event.size.rows}` : `${event.kind} ${event.seq}`;
};

function given(events: readonly LogEvent[]): string[] {
  const ordered = new OrderedEvents();
  return events.flatMap((event) => ordered.push(event)).map(short);
}

describe('OrderedEvents', () => {
  it.each([
    ['in order', [output(1), output(2)], ['output 1', 'output 2']],
    ['that arrive early', [output(2), output(3), output(1)], ['output 1', 'output 2', 'output 3']],
    ['that arrive twice', [output(1), output(1), output(2), output(1)], ['output 1', 'output 2']],
    ['with the exit and the end', [output(1), closed(3), exited(2)], ['output 1', 'exited 2', 'closed 3']],
    ['around a gap', [output(1), gap(1, 5, 9), output(5)], ['output 1', 'gap 1-5', 'output 5']],
    ['before a gap that arrives early', [gap(1, 5, 9), output(1)], ['output 1', 'gap 1-5']],
    ['without a gap that is already passed', [output(1), output(2), gap(0, 2, 9)], ['output 1', 'output 2']],
    ['with an exit inside a gap', [gap(0, 5, 9), exited(3), closed(5)], ['gap 0-5', 'exited 3', 'closed 5']],
    ['with one exit only', [exited(1), exited(1), closed(2), closed(2)], ['exited 1', 'closed 2']],
    ['after a gap without output', [gap(0, 3, 0), output(3)], ['output 3']],
    [
      'before and after the size between them',
      [resized(1, 9), output(1), output(2)],
      ['output 1', 'size 9', 'output 2'],
    ],
    ['with a size only when it differs', [resized(0, 9), resized(0, 9), resized(0, 8)], ['size 9', 'size 8']],
  ])('returns events %s', (_, events, expected) => {
    expect(given(events)).toEqual(expected);
  });

  it('counts the bytes that were returned and those that are missing', () => {
    const ordered = new OrderedEvents();
    for (const event of [output(1, 10), gap(1, 4, 500), output(4, 7)]) ordered.push(event);
    expect(ordered.offset).toBe(517);
    expect(ordered.lastSeq).toBe(4);
  });

  it('reports where a hole ends, until it is filled or forgotten', () => {
    const ordered = new OrderedEvents();
    ordered.push(output(4));
    ordered.push(output(3));
    expect(ordered.holeEnd).toBe(3);
    ordered.push(gap(0, 3, 1));
    expect(ordered.holeEnd).toBeNull();
    ordered.push(output(9));
    ordered.forgetEarly();
    expect(ordered.holeEnd).toBeNull();
  });

  it('returns any shuffled log with repetitions once and in order', () => {
    const log = fc.integer({ min: 1, max: 30 }).chain((length) => {
      const events = Array.from({ length }, (_, n) => output(n + 1)).concat(
        exited(length + 1),
        closed(length + 2),
      );
      return fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 });
    });
    fc.assert(
      fc.property(log, (events) => {
        const length = events.length / 2 - 2;
        const expected = Array.from({ length }, (_, n) => `output ${n + 1}`);
        expect(given(events)).toEqual([...expected, `exited ${length + 1}`, `closed ${length + 2}`]);
      }),
    );
  });
});
