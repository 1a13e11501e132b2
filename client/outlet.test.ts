// Delivery of events to a sink, and the credit for drawn output.
import { describe, expect, it } from 'vitest';
import type { LogEvent } from './ordered-events.ts';
import { Outlet } from './attachment.ts';
import { RecordingSink, bytesOf } from './testing/recording-sink.ts';

const output = (seq: number): LogEvent => ({
  kind: 'output',
  seq,
  stream: 'pty',
  bytes: bytesOf(`${seq} `),
  live: true,
});

function make() {
  const drawnUpTo: number[] = [];
  const undrawn: (() => void)[] = [];
  const sink = new RecordingSink((drawn) => undrawn.push(drawn));
  const outlet = new Outlet((seq) => drawnUpTo.push(seq));
  return { drawnUpTo, undrawn, sink, outlet };
}

describe('An outlet', () => {
  it('keeps events that arrive before there is a sink, and passes them on once', () => {
    const { outlet, sink } = make();
    outlet.give(output(1));
    outlet.give({ kind: 'closed', seq: 2 });
    expect(outlet.isComplete).toBe(false);
    outlet.follow(sink);
    expect(sink.kinds).toEqual(['output', 'closed']);
    expect(outlet.isComplete).toBe(true);
    const second = new RecordingSink();
    outlet.follow(second);
    expect(second.reported).toEqual([]);
  });

  it('returns credit once and in order, whatever the order in which the sink draws', () => {
    const { outlet, sink, undrawn, drawnUpTo } = make();
    outlet.follow(sink);
    for (const seq of [1, 2, 3]) outlet.give(output(seq));
    undrawn[1]?.();
    expect(drawnUpTo).toEqual([]);
    undrawn[0]?.();
    expect(drawnUpTo).toEqual([2]);
    undrawn[0]?.();
    undrawn[1]?.();
    expect(drawnUpTo).toEqual([2]);
    expect(outlet.undrawnBytes).toBe(2);
    undrawn[2]?.();
    expect(drawnUpTo).toEqual([2, 3]);
    expect(outlet.undrawnBytes).toBe(0);
  });

  it('does not wait for a sink that has unfollowed', () => {
    const { outlet, sink, drawnUpTo } = make();
    const unfollow = outlet.follow(sink);
    outlet.give(output(1));
    unfollow();
    expect(drawnUpTo).toEqual([1]);
    outlet.give(output(2));
    expect(sink.text).toBe('1 ');
    const second = new RecordingSink();
    outlet.follow(second);
    unfollow();
    outlet.give(output(3));
    expect(second.text).toBe('2 3 ');
  });
});
