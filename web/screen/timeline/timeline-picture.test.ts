// The bar under the pointer is the one that is visible there.
import { expect, it } from 'vitest';
import type { HistoryEntry } from '../../../protocol/history.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { lanesOf } from '../../state/timeline/timeline-lanes.ts';
import { barAt } from './timeline-picture.ts';

const entry = (key: string, startedAtMs: number, exitCode: number): HistoryEntry => ({
  ...processInfo({ key, startedAtMs, exitedAtMs: startedAtMs + 1, state: 'closed', exitCode }),
  recordedBytes: 1,
  clientName: 'codex',
});

it.each([
  ['a failure that a later success follows', [1, 0], 'first'],
  ['the later of two failures', [1, 1], 'second'],
  ['the later of two successes', [0, 0], 'second'],
])('the pointer on overlapping bars finds %s', (_, [first = 0, second = 0], key) => {
  const lanes = lanesOf([entry('first', 1000, first), entry('second', 1010, second)], 2000, () => false);
  const scene = {
    lanes,
    view: { fromMs: 0, toMs: 100_000 },
    selection: null,
    cursor: null,
    nowMs: 2000,
  };
  const y = Array.from({ length: 100 }, (_each, at) => at).find((at) => barAt(scene, { x: 11, y: at }, 1000));
  expect(barAt(scene, { x: 11, y: y ?? -1 }, 1000)?.entry.key).toBe(key);
});
