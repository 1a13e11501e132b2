// Reading the audit log: pages and new entries, without moving what a person reads.
import { describe, expect, it } from 'vitest';
import type { AuditEntry, AuditFilter } from '../../../protocol/audit.ts';
import { RecordReader } from './record-reader.ts';

const entry = (number: number): AuditEntry => ({
  number,
  atMs: number,
  who: 'Ada',
  role: 'operator',
  token: 't',
  connection: 'c',
  from: '127.0.0.1:1',
  act: 'start',
  key: null,
});

/** Returns an audit log with entries 1 to `count`. */
function recordOf(count: number) {
  const record = { count, asked: [] as AuditFilter[] };
  const reader = new RecordReader(async ({ limit, ...filter }) => {
    record.asked.push(filter);
    const { before = Infinity, after = 0 } = filter;
    const all = Array.from({ length: record.count }, (_, at) => entry(record.count - at));
    return { entries: all.filter(({ number }) => number < before && number > after).slice(0, limit) };
  }, {});
  const numbers = (): number[] => reader.current().entries.map(({ number }) => number);
  return { record, reader, numbers };
}

describe('A reader of the audit log', () => {
  it('has the newest entries first, and reads older ones until there are no more', async () => {
    const { reader, numbers } = recordOf(450);
    await reader.look();
    expect([numbers()[0], numbers().length, reader.current().hasOlder]).toEqual([450, 200, true]);
    await reader.older();
    await reader.older();
    expect([numbers().at(-1), numbers().length, reader.current().hasOlder]).toEqual([1, 450, false]);
  });

  it('requests only new entries', async () => {
    const { record, reader, numbers } = recordOf(3);
    await reader.look();
    record.count = 5;
    await reader.look();
    expect(numbers()).toEqual([5, 4, 3, 2, 1]);
    expect(record.asked).toEqual([{}, { after: 3 }]);
  });

  it('holds back new entries while it is held, and adds them afterwards', async () => {
    const { record, reader, numbers } = recordOf(2);
    await reader.look();
    reader.hold(true);
    record.count = 3;
    await reader.look();
    record.count = 4;
    await reader.look();
    expect(numbers()).toEqual([2, 1]);
    expect(reader.current().waiting.map(({ number }) => number)).toEqual([4, 3]);
    reader.hold(false);
    expect(numbers()).toEqual([4, 3, 2, 1]);
  });

  it('reads older entries while a request for new ones is pending', async () => {
    const { record, reader, numbers } = recordOf(450);
    await reader.look();
    record.count = 451;
    const looking = reader.look();
    await reader.older();
    await looking;
    expect([numbers()[0], numbers().length, numbers().at(-1)]).toEqual([451, 401, 51]);
    await Promise.all([reader.older(), reader.older()]);
    expect(record.asked).toEqual([{}, { after: 450 }, { before: 251 }, { before: 51 }]);
  });

  it('has each entry once, even when it is released and held again during a request', async () => {
    const { record, reader, numbers } = recordOf(2);
    await reader.look();
    reader.hold(true);
    record.count = 3;
    await reader.look();
    record.count = 4;
    const looking = reader.look();
    reader.hold(false);
    reader.hold(true);
    await looking;
    expect(numbers()).toEqual([3, 2, 1]);
    expect(reader.current().waiting.map(({ number }) => number)).toEqual([4]);
  });

  it('starts over without a gap when there are more new entries than fit in one response', async () => {
    const { record, reader, numbers } = recordOf(10);
    await reader.look();
    record.count = 5000;
    await reader.look();
    expect([numbers()[0], numbers().length]).toEqual([5000, 1000]);
    await reader.older();
    expect(numbers()[1000]).toBe(4000);
  });

  it('accepts an empty log, and reports a failure', async () => {
    const { record, reader, numbers } = recordOf(0);
    await reader.look();
    expect([numbers(), reader.current().isRead]).toEqual([[], true]);
    record.count = 1;
    await reader.look();
    expect(numbers()).toEqual([1]);
    const failing = new RecordReader(async () => {
      throw new Error('no');
    }, {});
    await failing.look();
    expect(failing.current().problem).toBe('No');
  });

  it('returns the whole log page by page', async () => {
    const { reader } = recordOf(2500);
    const given: number[] = [];
    for await (const page of reader.all()) given.push(...page.map(({ number }) => number));
    expect([given.length, given[0], given.at(-1)]).toEqual([2500, 2500, 1]);
  });
});
