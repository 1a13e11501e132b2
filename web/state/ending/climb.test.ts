// Tests that the refusal of a step is always reported: in the report on several processes, otherwise as a problem.
import { expect, it, onTestFinished } from 'vitest';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { processStore } from '../processes/process-store.ts';
import { climb, forgetDone, ladderStore, type Climb } from './climb.ts';

const refusing = {
  connection: { request: () => Promise.reject(new Error('the gateway refuses')) },
} as unknown as ExecClient;

it.each([
  ['one of two, since the other has ended', { step: 'terminate', keys: ['runs', 'ended'] }],
  ['the rest of one', { step: 'endEscaped', keys: ['away'], isOfTheRest: true }],
] as const)('a refused step on %s is reported', async (_, wanted: Omit<Climb, 'place'>) => {
  const processes = {
    runs: processInfo({ key: 'runs', startedAtMs: Date.now() }),
    ended: processInfo({ key: 'ended', state: 'closed' }),
    away: processInfo({ key: 'away', state: 'closed', escaped: [{ pid: 9, name: 'sleep' }] }),
  };
  processStore.setState({ processes });
  if (wanted.isOfTheRest) ladderStore.setState({ done: { step: 'terminate', keys: ['away'], refused: [] } });
  onTestFinished(forgetDone);
  const reported: string[] = [];
  climb({ client: refusing }, { ...wanted, place: 'list' }, (problem) => reported.push(problem));
  await expect.poll(() => reported).toEqual([expect.stringContaining('The gateway refuses')]);
});
