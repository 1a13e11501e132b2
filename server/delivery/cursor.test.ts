// Tests of a reader's position in a log: rules DE1 and DE7.
import { describe, expect, it } from 'vitest';
import { EventLog } from '../keeper/event-log.ts';
import { Cursor } from './attachment.ts';
import type { Step } from './frames.ts';

const limits = { retainedBytes: 1000, retainedEvents: 100, chunkBytes: 64 };
const append = (log: EventLog, text: string): void => log.append('pty', Buffer.from(text));

function drain(cursor: Cursor): Step[] {
  const steps: Step[] = [];
  for (let step = cursor.pull(); step; step = cursor.pull()) steps.push(step);
  return steps;
}

describe('Cursor', () => {
  it('[DE1] returns each event once and in order, and seals pending output', () => {
    const log = new EventLog(limits);
    const cursor = new Cursor(log);
    append(log, 'a');
    append(log, 'b');
    expect(cursor.unreadBytes).toBe(2);
    expect(drain(cursor)).toMatchObject([{ kind: 'output', seq: 1 }]);
    log.exited(0, false);
    log.closed();
    expect(drain(cursor)).toMatchObject([
      { kind: 'exited', seq: 2 },
      { kind: 'closed', seq: 3 },
    ]);
    expect(cursor.unreadBytes).toBe(0);
    expect(cursor.pull()).toBeNull();
  });

  it('starts after the existing events, or after a given one', () => {
    const log = new EventLog(limits);
    append(log, 'old');
    const fromNow = new Cursor(log);
    const fromStart = new Cursor(log, 0);
    append(log, 'new');
    expect(drain(fromNow).map((step) => step.kind === 'output' && step.bytes.toString())).toEqual(['new']);
    expect(drain(fromStart).map((step) => step.kind === 'output' && step.bytes.toString())).toEqual([
      'old',
      'new',
    ]);
  });

  it('does not wait for events before an afterSeq that is far too large', () => {
    const log = new EventLog(limits);
    append(log, 'old');
    const cursor = new Cursor(log, 1_000_000);
    append(log, 'new');
    expect(drain(cursor)).toHaveLength(1);
  });

  it('[DE7] reports exactly the bytes that were evicted before it read them, once', () => {
    const log = new EventLog(limits);
    const cursor = new Cursor(log);
    append(log, 'x'.repeat(30));
    drain(cursor);
    append(log, 'y'.repeat(5000));
    const [gap, ...rest] = drain(cursor);
    expect(gap).toMatchObject({ kind: 'gap', afterSeq: 1, nextSeq: log.firstSeq });
    let given = 0;
    for (const step of rest) if (step.kind === 'output') given += step.bytes.length;
    expect(gap?.kind === 'gap' && gap.bytes + given).toBe(5000);
    expect(rest.every((step) => step.kind === 'output')).toBe(true);
  });

  it('returns size marks in their place, and only the last of several', () => {
    const log = new EventLog(limits);
    log.resized({ rows: 24, cols: 80 });
    const cursor = new Cursor(log);
    append(log, 'a');
    log.resized({ rows: 30, cols: 90 });
    append(log, 'b');
    log.resized({ rows: 1, cols: 1 });
    log.resized({ rows: 40, cols: 100 });
    expect(drain(cursor).map((step) => (step.kind === 'resized' ? step.mark.rows : step.kind))).toEqual([
      'output',
      30,
      'output',
      40,
    ]);
  });
});
