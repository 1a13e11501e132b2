// ProcessList merges partial changes into whole objects.
import { expect, it } from 'vitest';
import type { ConsoleChanged } from '../protocol/console.ts';
import { ProcessList } from './process-list.ts';
import { FakeProcess } from './testing/fake-process.ts';

const base = new FakeProcess('p', 'one', 1024).info();
const { key, lastInput, nextSeq, firstRetainedSeq, title, progress } = base;
const printed = {
  key,
  lastInput,
  nextSeq,
  firstRetainedSeq,
  title,
  progress,
  lastOutputAtMs: 5,
  outputBytes: 7,
  lastLine: 'seven',
};

it('ProcessList merges a partial change into a known process, and ignores one of an unknown process', () => {
  const list = new ProcessList(null);
  const reported: ConsoleChanged[] = [];
  list.onChanged((change) => reported.push(change));
  list.apply({ processes: [base] });
  list.apply({ printed: [printed, { ...printed, key: 'unknown' }] });
  expect(list.processes).toEqual([{ ...base, ...printed }]);
  expect(reported.at(-1)).toEqual({ processes: [{ ...base, ...printed }] });
});

it('ProcessList merges a partial change into the whole object of the same message, not into the one before', () => {
  const list = new ProcessList(null);
  list.apply({ processes: [base] });
  const newer = { ...base, state: 'exited', exitCode: 3 } as const;
  const reported: ConsoleChanged[] = [];
  list.onChanged((change) => reported.push(change));
  list.apply({ processes: [newer], printed: [printed] });
  expect(list.get(key)).toEqual({ ...newer, ...printed });
  expect(reported.at(-1)?.processes?.at(-1)).toEqual({ ...newer, ...printed });
});

it('ProcessList keeps a process from history that the gateway removes, until the gateway has listed it', () => {
  const list = new ProcessList(null);
  const removal = { removed: { keys: [key, 'other'], sessions: ['s'] } };
  const reported: ConsoleChanged[] = [];
  list.remember(base);
  list.onChanged((change) => reported.push(change));
  list.apply(removal);
  expect(list.processes).toEqual([base]);
  expect(reported).toEqual([{ removed: { keys: ['other'], sessions: ['s'] } }]);
  list.apply({ processes: [base] });
  list.apply(removal);
  expect(list.processes).toEqual([]);
  expect(reported.at(-1)).toEqual(removal);
});

it('ProcessList drops a process from history when its recording is removed, and reports both together', () => {
  const list = new ProcessList(null);
  const reported: ConsoleChanged[] = [];
  list.remember(base);
  list.onChanged((change) => reported.push(change));
  const other = { key: 'other', who: 'gateway' };
  const recordingsRemoved = { recordings: [{ key, who: 'Ada' }, other], isComplete: true };
  list.apply({ recordingsRemoved });
  expect(list.processes).toEqual([]);
  expect(reported).toEqual([{ recordingsRemoved, removed: { keys: [key], sessions: [] } }]);
});

it('ProcessList retains a listed process whose recording was removed by a limit', () => {
  const list = new ProcessList(null);
  list.apply({ processes: [base] });
  list.apply({ recordingsRemoved: { recordings: [{ key, who: 'gateway' }], isComplete: true } });
  list.forget(key);
  expect(list.processes).toEqual([base]);
});

it('ProcessList forgets a process from history that the gateway no longer has', () => {
  const list = new ProcessList(null);
  list.remember(base);
  list.forget(key);
  expect(list.processes).toEqual([]);
});
