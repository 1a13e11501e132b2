// Events that share a segment: their identity while it grows and its oldest events are evicted.
import { expect, it } from 'vitest';
import { EventLog } from './event-log.ts';

it('an event is the same object for all readers at its position, until another one is read', () => {
  const log = new EventLog({ retainedBytes: 1e6, retainedEvents: 1000, chunkBytes: 64 });
  for (let at = 0; at < 10; at += 1) log.append('pty', Buffer.alloc(64, String(at)));
  const [first, second] = [log.at(1), log.at(2)];
  expect(log.at(2)).toBe(second);
  expect(log.at(1)).not.toBe(first);
  expect(log.at(1)).toEqual(first);
});

it('an event read last does not keep the former buffer of a segment that grew or ended', () => {
  const log = new EventLog({ retainedBytes: 1e6, retainedEvents: 1000, chunkBytes: 64 });
  const bufferOf = (seq: number): ArrayBufferLike | null => {
    const event = log.at(seq);
    return event?.kind === 'output' ? event.bytes.buffer : null;
  };
  const print = (): void => log.append('pty', Buffer.alloc(64, 'x'));
  print();
  print();
  for (const change of [...Array.from({ length: 10 }, () => print), () => log.closed()]) {
    bufferOf(1);
    change();
    expect(bufferOf(1)).toBe(bufferOf(2));
  }
});
