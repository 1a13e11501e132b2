// What is told in part becomes whole in the list, for whoever listens.
import { expect, it } from 'vitest';
import type { ConsoleChanged } from '../../server/protocol/console.ts';
import { ProcessList } from './process-list.ts';
import { FakeProcess } from './testing/fake-process.ts';

it('takes a part of what it knows for the whole with that part in it, and none of what it does not know', () => {
  const list = new ProcessList(null);
  const told: ConsoleChanged[] = [];
  list.onChanged((change) => told.push(change));
  const before = new FakeProcess('p', 'one', 1024).info();
  const { key, lastInput, nextSeq, firstRetainedSeq, title, progress } = before;
  const part = { lastInput, nextSeq, firstRetainedSeq, title, progress };
  const printed = { ...part, key, lastOutputAtMs: 5, outputBytes: 7, lastLine: 'seven' };
  list.apply({ processes: [before] });
  list.apply({ printed: [printed, { ...printed, key: 'unknown' }] });
  expect(list.processes).toEqual([{ ...before, ...printed }]);
  expect(told.at(-1)).toEqual({ processes: [{ ...before, ...printed }] });
});
