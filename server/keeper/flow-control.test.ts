// Flow control for readers that must receive all output: rules DE4 and DE5.
import { describe, expect, it } from 'vitest';
import { FlowControl } from './flow-control.ts';

function make() {
  const calls: string[] = [];
  const child = { pause: () => calls.push('pause'), resume: () => calls.push('resume') };
  const log = { totalBytes: 0, heldFrom: 0, keepFrom: (seq: number) => (log.heldFrom = seq) };
  return { calls, log, flow: new FlowControl({ pauseBytes: 100, resumeBytes: 20 }, log, child) };
}

describe('FlowControl', () => {
  it('[DE4] pauses the child once above the upper limit, and resumes it once at the lower one', () => {
    const { calls, log, flow } = make();
    const hold = flow.hold(1, 0);
    const done: string[] = [];
    for (log.totalBytes of [100, 101, 500]) {
      flow.check();
      done.push(calls.join());
    }
    for (const unread of [100, 21, 20, 0]) {
      hold.release(1, 500 - unread);
      done.push(calls.join());
    }
    expect(done).toEqual(['', 'pause', 'pause', 'pause', 'pause', 'pause,resume', 'pause,resume']);
  });

  it('[DE4] waits for the slowest reader', () => {
    const { calls, log, flow } = make();
    log.totalBytes = 150;
    flow.hold(9, 150);
    const slow = flow.hold(4, 0);
    expect([calls, log.heldFrom]).toEqual([['pause'], 4]);
    slow.release(7, 0);
    expect([calls, log.heldFrom]).toEqual([['pause'], 7]);
    slow.close();
    slow.close();
    expect([calls, log.heldFrom]).toEqual([['pause', 'resume'], 9]);
  });

  it('[DE4] retains output for a reader without waiting for it', () => {
    const { calls, log, flow } = make();
    log.totalBytes = 1000;
    flow.hold(3, Number.POSITIVE_INFINITY);
    expect([calls, log.heldFrom]).toEqual([[], 3]);
  });

  it('[DE5] neither pauses the child nor retains output without such a reader', () => {
    const { calls, log, flow } = make();
    log.totalBytes = 1000;
    flow.check();
    expect([calls, log.heldFrom]).toEqual([[], Number.POSITIVE_INFINITY]);
  });
});
