// The event log: rules EL1 to EL8.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Stream } from '../../protocol/process.ts';
import { EventLog } from './event-log.ts';
import type { LogEvent } from './log-event.ts';

const limits = { retainedBytes: 1000, retainedEvents: 100, chunkBytes: 64 };
const bytes = (text: string): Buffer => Buffer.from(text);

function retained(log: EventLog): LogEvent[] {
  const events: LogEvent[] = [];
  for (let seq = log.firstSeq; seq < log.nextSeq; seq += 1) {
    const event = log.at(seq);
    if (event) events.push(event);
  }
  return events;
}

const textOf = (events: LogEvent[]): string =>
  events.map((event) => (event.kind === 'output' ? event.bytes.toString() : `<${event.kind}>`)).join('');

describe('EventLog', () => {
  it('[EL1] numbers output, exited and closed events together, from 1', () => {
    const log = new EventLog(limits);
    log.append('stdout', bytes('a'));
    log.append('stderr', bytes('b'));
    log.exited(0, false);
    log.append('stdout', bytes('late'));
    log.closed();
    expect(retained(log).map(({ seq, kind }) => [seq, kind])).toEqual([
      [1, 'output'],
      [2, 'output'],
      [3, 'exited'],
      [4, 'output'],
      [5, 'closed'],
    ]);
    expect([log.exitedSeq, log.closedSeq, log.nextSeq]).toEqual([3, 5, 6]);
  });

  it('[EL2] joins adjacent output of one stream until it is sealed', () => {
    const log = new EventLog(limits);
    log.append('stdout', bytes('a'));
    log.append('stdout', bytes('b'));
    expect(log.nextSeq).toBe(1);
    log.seal();
    log.append('stdout', bytes('c'));
    log.append('stderr', bytes('d'));
    log.seal();
    expect(retained(log).map((event) => textOf([event]))).toEqual(['ab', 'c', 'd']);
  });

  it('[EL3] seals a chunk when it has reached its maximum size', () => {
    const log = new EventLog(limits);
    log.append('pty', bytes('x'.repeat(200)));
    expect(retained(log).map((event) => textOf([event]).length)).toEqual([64, 64, 64]);
    log.seal();
    expect(textOf(retained(log))).toBe('x'.repeat(200));
  });

  it('[EL3] copies the bytes that are appended', () => {
    const log = new EventLog(limits);
    const lent = bytes('before');
    log.append('stdout', lent);
    lent.fill('!');
    log.seal();
    expect(textOf(retained(log))).toBe('before');
  });

  it('[EL3] stores many small reads as one chunk, in no more memory than it needs', () => {
    const log = new EventLog({ ...limits, retainedBytes: 1e6, chunkBytes: 32_768 });
    const printed = Array.from({ length: 700 }, (_, at) => Buffer.from(`${at},`));
    for (const bytes of printed) log.append('pty', bytes);
    log.seal();
    const chunk = log.at(1);
    if (chunk?.kind !== 'output') throw new Error('no chunk');
    expect(chunk.bytes.toString()).toBe(printed.join(''));
    expect(chunk.bytes.buffer.byteLength).toBeLessThan(32_768);
  });

  it('returns the end of the output of all streams, sealed or not', () => {
    const log = new EventLog(limits);
    expect(log.tail(10).toString()).toBe('');
    log.append('stdout', bytes('one '));
    log.append('stderr', bytes('two '));
    log.append('stdout', bytes('three'));
    expect(log.tail(100).toString()).toBe('one two three');
    expect(log.tail(7).toString()).toBe('o three');
    log.exited(0, false);
    log.append('stdout', bytes(' four'));
    expect(log.tail(10).toString()).toBe('three four');
  });

  it('[EL4] evicts whole events, the oldest first, and keeps the seqs of the others', () => {
    const log = new EventLog(limits);
    for (let i = 0; i < 40; i += 1) log.append('stdout', bytes(String(i % 10).repeat(64)));
    expect(log.firstSeq).toBe(26);
    expect(log.nextSeq).toBe(41);
    expect(log.at(25)).toBeUndefined();
    expect(log.at(26)).toMatchObject({ seq: 26, offset: 25 * 64 });
    expect(log.retainedBytes).toBe(15 * 64);
  });

  it('[EL4] reports evicted output to its listener, in order', () => {
    const log = new EventLog(limits);
    const dropped: Buffer[] = [];
    log.onEvict((output) => dropped.push(output));
    for (let i = 0; i < 40; i += 1) log.append('stdout', bytes(String(i % 10).repeat(64)));
    log.exited(0, false);
    expect(dropped.map(String)).toEqual(Array.from({ length: 25 }, (_, i) => String(i % 10).repeat(64)));
    log.discard();
    expect(dropped).toHaveLength(40);
  });

  it('[EL4] limits the number of events too', () => {
    const log = new EventLog({ ...limits, retainedEvents: 10 });
    for (let i = 0; i < 25; i += 1) log.append(i % 2 ? 'stdout' : 'stderr', bytes('x'));
    log.seal();
    expect([log.firstSeq, log.nextSeq]).toEqual([16, 26]);
  });

  it('[EL5] returns the exact end of evicted events', () => {
    const log = new EventLog(limits);
    for (let i = 1; i <= 100; i += 1)
      log.append(i % 2 ? 'stdout' : 'stderr', bytes('x'.repeat((i % 60) + 1)));
    log.seal();
    expect(log.firstSeq).toBeGreaterThan(50);
    let end = 0;
    for (let i = 1; i <= 100; i += 1) {
      end += (i % 60) + 1;
      expect(log.offsetAfter(i)).toBe(end);
    }
    expect(log.offsetAfter(0)).toBe(0);
  });

  it('[EL6] marks sizes between events, and keeps only the last one at each place', () => {
    const log = new EventLog(limits);
    log.resized({ rows: 24, cols: 80 });
    log.append('pty', bytes('a'));
    log.resized({ rows: 30, cols: 90 });
    log.resized({ rows: 40, cols: 100 });
    log.append('pty', bytes('b'));
    log.seal();
    expect(log.sizesFrom(1)).toEqual([
      { afterSeq: 0, rows: 24, cols: 80 },
      { afterSeq: 1, rows: 40, cols: 100 },
    ]);
    expect(log.sizesFrom(2)).toEqual([{ afterSeq: 1, rows: 40, cols: 100 }]);
  });

  it.each([
    ['seals the output before them', false, [{ kind: 'output', seq: 2 }], [3, 4, 20]],
    ['drops the output that belongs to them', true, [], [3, 20, 21]],
  ])('[EL5][KP10] counts missing events, and %s', (_, isContinued, sealed, ends) => {
    const noted: number[] = [];
    const log = new EventLog(limits, { add: ({ endOffset }) => noted.push(endOffset) });
    log.append('stdout', bytes('abc'));
    log.seal();
    log.append('stdout', bytes('d'));
    const steps: unknown[] = [];
    log.onStep((step) => steps.push(step));
    log.missing([20], isContinued);
    const seq = log.nextSeq;
    log.append('stdout', bytes('x'));
    log.seal();
    expect([log.firstSeq, log.firstOffset, log.nextSeq]).toEqual([seq, 20, seq + 1]);
    expect([log.retainedBytes, log.tail(100).toString()]).toEqual([1, 'x']);
    expect([1, 2, 3].map((at) => log.offsetAfter(at))).toEqual(ends);
    expect(noted).toEqual([3, ...(isContinued ? [] : [4]), 20, 21]);
    expect(steps).toMatchObject([
      ...sealed,
      { kind: 'begun', seq, offset: 20 },
      { kind: 'output', seq, offset: 20 },
    ]);
  });

  it('[EL6] does not split a chunk at an unchanged size', () => {
    const log = new EventLog(limits);
    log.resized({ rows: 24, cols: 80 });
    log.append('pty', bytes('a'));
    log.resized({ rows: 24, cols: 80 });
    log.append('pty', bytes('b'));
    log.seal();
    expect(log.at(1)).toMatchObject({ bytes: bytes('ab') });
    expect(log.sizesFrom(1)).toEqual([{ afterSeq: 0, rows: 24, cols: 80 }]);
  });

  it('[EL6] still has the size of the oldest retained event after eviction', () => {
    const log = new EventLog(limits);
    for (let i = 1; i <= 60; i += 1) {
      log.resized({ rows: i, cols: 80 });
      log.append('pty', bytes('x'.repeat(64)));
    }
    expect(log.sizesFrom(log.firstSeq)[0]).toMatchObject({ rows: log.firstSeq });
    expect(log.sizesFrom(1).length).toBeLessThan(20);
  });

  it('[EL7] retains events that a reader must receive beyond its limit, and evicts them afterwards', () => {
    const log = new EventLog(limits);
    log.keepFrom(1);
    for (let i = 0; i < 30; i += 1) log.append('stdout', bytes('x'.repeat(64)));
    expect(log.firstSeq).toBe(1);
    log.keepFrom(3);
    expect(log.firstSeq).toBe(3);
    log.discard();
    expect(log.firstSeq).toBe(3);
    log.keepFrom(Number.POSITIVE_INFINITY);
    expect(log.retainedBytes).toBeLessThanOrEqual(limits.retainedBytes);
  });

  it('[EL8] seals the output before the exit', () => {
    const log = new EventLog(limits);
    log.append('stdout', bytes('before'));
    log.exited(3, false);
    log.append('stdout', bytes('after'));
    log.closed();
    expect(textOf(retained(log))).toBe('before<exited>after<closed>');
  });

  it('notifies listeners of every change until they unsubscribe', () => {
    const log = new EventLog(limits);
    let calls = 0;
    const leave = log.onChange(() => {
      calls += 1;
    });
    log.append('stdout', bytes('a'));
    log.exited(0, false);
    leave();
    log.closed();
    expect(calls).toBe(2);
  });

  it('[EL1][EL3][EL4][EL5] keeps its seqs, offsets and limits for any sequence of output', () => {
    const step = fc.oneof(
      fc.record({
        append: fc.constantFrom<Stream>('stdout', 'stderr'),
        length: fc.integer({ min: 1, max: 300 }),
      }),
      fc.constant('seal' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
        const log = new EventLog(limits);
        const ends = [0];
        let total = 0;
        for (const each of steps) {
          if (each === 'seal') log.seal();
          else {
            log.append(each.append, Buffer.alloc(each.length, total % 251));
            total += each.length;
          }
          for (let seq = ends.length; seq < log.nextSeq; seq += 1) ends.push(log.offsetAfter(seq));
        }
        log.seal();
        for (let seq = ends.length; seq < log.nextSeq; seq += 1) ends.push(log.offsetAfter(seq));
        const events = retained(log);
        expect(events.length).toBe(log.nextSeq - log.firstSeq);
        expect(log.totalBytes).toBe(total);
        expect(log.retainedBytes).toBeLessThanOrEqual(limits.retainedBytes);
        events.forEach((event, i) => {
          expect(event.seq).toBe(log.firstSeq + i);
          expect(event.offset).toBe(ends[event.seq - 1]);
        });
        expect(ends.at(-1)).toBe(total);
      }),
    );
  });

  it('[EL1][EL4][EL5] returns what was appended, however small or large the pieces are', () => {
    const step = fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 1, max: 40 }) },
      { weight: 3, arbitrary: fc.integer({ min: 1000, max: 3000 }) },
      { weight: 1, arbitrary: fc.constantFrom<'exited' | 'discard'>('exited', 'discard') },
    );
    const stream = fc.constantFrom<Stream>('stdout', 'stderr');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(step, stream), { minLength: 300, maxLength: 900, size: 'max' }),
        fc.integer({ min: 5000, max: 60_000 }),
        (steps, retainedBytes) => {
          const log = new EventLog({ retainedBytes, retainedEvents: 500, chunkBytes: 4096 });
          const put: LogEvent[] = [];
          let all = Buffer.alloc(0);
          const end = (kind: 'exited' | 'closed'): void => {
            if (kind === 'exited') log.exited(0, false);
            else log.closed();
            put.push({ kind, seq: put.length + 1, offset: all.length } as LogEvent);
          };
          for (const [each, to] of steps) {
            if (each === 'discard') log.discard();
            else if (each === 'exited') {
              if (log.exitedSeq === null) end('exited');
            } else {
              const bytes = Buffer.alloc(each, `${put.length},`);
              log.append(to, bytes);
              log.seal();
              put.push({
                kind: 'output',
                seq: put.length + 1,
                offset: all.length,
                stream: to,
                bytes,
                atMs: 0,
              });
              all = Buffer.concat([all, bytes]);
            }
          }
          end('closed');
          expect(log.nextSeq).toBe(put.length + 1);
          const remaining = put.slice(log.firstSeq - 1);
          expect(retained(log)).toMatchObject(
            remaining.map((event) =>
              event.kind === 'output' ? { ...event, atMs: expect.any(Number) } : event,
            ),
          );
          for (const { seq, offset } of remaining) expect(log.offsetAfter(seq - 1)).toBe(offset);
          const from = remaining[0]?.offset ?? 0;
          expect(log.firstOffset).toBe(from);
          expect(log.tail(Number.POSITIVE_INFINITY)).toEqual(all.subarray(from));
          expect(log.tail(100)).toEqual(all.subarray(Math.max(from, all.length - 100)));
          expect(log.retainedBytes).toBe(all.length - from);
        },
      ),
      { numRuns: 10 },
    );
  });

  it('[EL4] stores many small events in little more memory than they need', () => {
    const log = new EventLog({ retainedBytes: 1e6, retainedEvents: 65_536, chunkBytes: 32_768 });
    for (let at = 0; at < 5000; at += 1) {
      log.append('pty', bytes(`line ${at}\n`));
      log.seal();
    }
    const rooms = new Set(
      retained(log).map((event) => (event.kind === 'output' ? event.bytes.buffer : null)),
    );
    const room = [...rooms].reduce((sum, each) => sum + (each?.byteLength ?? 0), 0);
    expect(room).toBeLessThan(2 * log.retainedBytes);
    expect(rooms.size).toBeLessThan(5000 / 100);
  });
});
