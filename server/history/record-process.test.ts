// Tests of the marks of a process that a client signals, or types into, any number of times: rule HS16.
import { expect, it, vi } from 'vitest';
import { EventLog } from '../keeper/event-log.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import type { Recorder } from '../record/recorder.ts';
import { recordProcess } from './record-process.ts';

it('[HS16] A process has at most 5000 marks of acts and 5000 of input', () => {
  const marks: { readonly kind: string }[] = [];
  const recorder: Pick<Recorder, 'begin' | 'mark'> = {
    begin: vi.fn<Recorder['begin']>(),
    mark: (_key, mark) => void marks.push(mark as { kind: string }),
  };
  let changed: Parameters<ProcessView['onChange']>[0] = () => undefined;
  const process = {
    key: 'k',
    log: new EventLog({ retainedBytes: 100, retainedEvents: 100, chunkBytes: 100 }),
    description: {},
    spec: {},
    startedAtMs: 0,
    size: null,
    acts: [] as object[],
    lastInput: null as object | null,
    onChange: (listener: typeof changed) => {
      changed = listener;
    },
  };
  recordProcess(recorder as Recorder, process as unknown as ProcessView, {
    describe: () => ({}) as never,
    clientName: null,
    isContinued: false,
  });
  for (let at = 0; at < 6000; at += 1) {
    process.acts = [...process.acts, { who: 'Ada', how: 'interrupt', atMs: at }].slice(-20);
    process.lastInput = { session: 's', who: 'Ada', atMs: 2000 * at };
    changed('soon');
  }
  const count = (kind: string): number => marks.filter((mark) => mark.kind === kind).length;
  expect([count('act'), count('input')]).toEqual([5000, 5000]);
});
