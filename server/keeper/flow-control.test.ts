// When a child is not read any more: rules DE4 and DE5.
import { describe, expect, it } from 'vitest';
import { FlowControl } from './flow-control.ts';

function make() {
  const calls: string[] = [];
  const child = { pause: () => calls.push('pause'), resume: () => calls.push('resume') };
  return { calls, flow: new FlowControl({ pauseBytes: 100, resumeBytes: 20 }, child) };
}

describe('FlowControl', () => {
  it('[DE4] pauses above the one mark and resumes at the other, each once', () => {
    const { calls, flow } = make();
    let unread = 0;
    flow.hold({ unreadBytes: () => unread });
    for (unread of [100, 101, 500, 21, 20, 0]) flow.check();
    expect(calls).toEqual(['pause', 'resume']);
  });

  it('[DE4] waits for the slowest of its holders', () => {
    const { calls, flow } = make();
    flow.hold({ unreadBytes: () => 0 });
    const release = flow.hold({ unreadBytes: () => 150 });
    expect(calls).toEqual(['pause']);
    release();
    expect(calls).toEqual(['pause', 'resume']);
  });

  it('[DE5] holds nothing back when nobody is to be waited for', () => {
    const { calls, flow } = make();
    flow.check();
    expect(calls).toEqual([]);
  });
});
