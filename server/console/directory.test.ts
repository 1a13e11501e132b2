// Tests of the data of finished processes and its eviction: rule CO5.
import { afterEach, describe, expect, it } from 'vitest';
import { EventLog } from '../keeper/event-log.ts';
import type { ProcessControl } from '../keeper/process-view.ts';
import { Directory, type DirectoryLimits } from './directory.ts';

const removed: string[] = [];
afterEach(() => removed.splice(0));

function finished(
  key: string,
  bytes: number,
  log = new EventLog({ retainedBytes: 1e6, retainedEvents: 1e6, chunkBytes: 1e5 }),
): ProcessControl {
  if (bytes > 0) log.append('stdout', Buffer.alloc(bytes));
  log.exited(0, false);
  log.closed();
  return {
    key,
    log,
    spec: { argv: ['x'.repeat(96)], cwd: '/' },
    description: { starter: { tokenId: key } },
    discardOutput: () => log.discard(),
  } as unknown as ProcessControl;
}

function directory(limits: Partial<DirectoryLimits>, processes: ProcessControl[]): Directory {
  const roomy = {
    finishedProcesses: 10,
    finishedBytes: 1e6,
    finishedCommandChars: 1e6,
    finishedCharsPerToken: 1e6,
  };
  const all = new Directory({ ...roomy, ...limits }, ({ key }) => removed.push(key));
  for (const process of processes) {
    all.add(process);
    all.finished(process);
  }
  return all;
}

describe('Directory', () => {
  it('[CO5] discards the oldest output first, and keeps the process info', () => {
    const processes = [finished('a', 6000), finished('b', 6000), finished('c', 6000)];
    const all = directory({ finishedProcesses: 10, finishedBytes: 13_000 }, processes);
    expect(processes.map(({ log }) => log.retainedBytes)).toEqual([0, 6000, 6000]);
    expect(all.get('a')?.log.exitedSeq).toBe(2);
    expect(removed).toEqual([]);
  });

  it('[CO5] counts the cost of each event, however little was printed', () => {
    const dots = new EventLog({ retainedBytes: 1e6, retainedEvents: 1e6, chunkBytes: 1e5 });
    for (let count = 0; count < 1000; count += 1) {
      dots.append('stdout', Buffer.from('.'));
      dots.seal();
    }
    dots.closed();
    directory({ finishedBytes: 30_000 }, [finished('dots', 0, dots), finished('next', 1)]);
    expect(dots.retainedBytes).toBe(0);
  });

  it('[CO5] counts retained bytes, including a log that was retained longer for a session that reattached', () => {
    const log = new EventLog({ retainedBytes: 5000, retainedEvents: 1e6, chunkBytes: 1e5 });
    log.keepFrom(1);
    log.append('stdout', Buffer.alloc(10_000));
    log.exited(0, false);
    log.closed();
    const held = finished('kept', 0, log);
    const other = finished('other', 10_000);
    const all = directory({ finishedProcesses: 10, finishedBytes: 20_500 }, [held, other]);
    expect(log.retainedBytes).toBe(10_000);
    log.keepFrom(Number.POSITIVE_INFINITY);
    const third = finished('third', 10_000);
    all.add(third);
    all.finished(third);
    expect(other.log.retainedBytes).toBe(10_000);
  });

  it('[CO5] removes the oldest processes when their commands are too long in total', () => {
    const all = directory({ finishedCommandChars: 300 }, [finished('a', 1), finished('b', 1)]);
    expect(removed).toEqual([]);
    const third = finished('c', 1);
    all.add(third);
    all.finished(third);
    expect(removed).toEqual(['a']);
  });

  it('[CO5] removes the oldest processes when there are too many', () => {
    const all = directory({ finishedProcesses: 2, finishedBytes: 1e6 }, [
      finished('a', 1),
      finished('b', 1),
      finished('c', 1),
    ]);
    expect(removed).toEqual(['a']);
    expect(all.all().map(({ key }) => key)).toEqual(['b', 'c']);
  });

  it('counts a process once, however often its end is reported', () => {
    const process = finished('a', 6000);
    const all = directory({ finishedProcesses: 10, finishedBytes: 10_000 }, [process]);
    all.finished(process);
    expect(process.log.retainedBytes).toBe(6000);
    expect(all.liveCount).toBe(0);
  });

  it('[CO5] does not count a forgotten process, however late its end is reported', () => {
    const [first, ...others] = [finished('a', 1), finished('b', 1), finished('c', 1)] as const;
    const all = directory({ finishedProcesses: 2, finishedBytes: 1e6 }, [first, ...others]);
    all.finished(first);
    expect(removed).toEqual(['a']);
    expect(all.all()).toEqual(others);
    expect(all.liveCount).toBe(0);
  });
});
