// Finished processes stay cleared until a person restores them.
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { clearedProcesses, clearFinished, isCleared, undoClear } from './cleared-processes.ts';

const process = (
  exitedAtMs: number | null,
  state: ProcessInfo['state'] = exitedAtMs === null ? 'running' : 'closed',
): ProcessInfo => processInfo({ state, exitedAtMs, startedAtMs: 5 });
const isGone = (info: ProcessInfo): boolean => isCleared(info, clearedProcesses.getState());

beforeEach(() => clearedProcesses.setState({ untilMs: 0, beforeMs: 0 }));

describe('clearFinished', () => {
  it('hides all processes that have ended so far, but none that ends later', () => {
    clearFinished([process(10), process(20), process(null)]);
    expect([process(10), process(20), process(21), process(null)].map(isGone)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(isGone(process(null, 'lost'))).toBe(true);
  });
  it('is undone step by step', () => {
    clearFinished([process(10)]);
    clearFinished([process(20)]);
    clearFinished([]);
    undoClear();
    expect([isGone(process(10)), isGone(process(20))]).toEqual([true, false]);
    undoClear();
    expect(isGone(process(10))).toBe(false);
  });
});
