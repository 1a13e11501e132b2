// Tests of state that the previous gateway stores while the next one starts: rules AP10 and AP11.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Approvals } from './approvals.ts';
import type { ApprovalsOptions } from './approvals-options.ts';

it('[AP10] [AP11] pauses and policies that the earlier gateway stores apply once it is replaced', () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'earlier-'));
  const settingsChanged = (): void => {};
  const options = {
    stateDir,
    policy: 'on-request',
    ruleFiles: [],
    limits: { approvalsWaiting: 10, approvalsWaitingBytes: 1000, approvalsOver: 10 },
    events: { settingsChanged },
  } as unknown as ApprovalsOptions;
  const [earlier, next] = [new Approvals({ ...options, policy: 'never' }), new Approvals(options)];
  earlier.pause({}, 'Ada');
  earlier.setPolicy('always', 'ci', 'Ada');
  earlier.setPolicy('never', 'other', 'Ada');
  expect(next.settings).toMatchObject({ pauses: [], agents: [] });
  next.restore(() => []);
  expect(next.settings).toMatchObject({
    pauses: [{ agent: null, by: 'Ada' }],
    agents: [
      { agent: 'ci', policy: 'always' },
      { agent: 'other', policy: 'on-request' },
    ],
  });
  earlier.close();
  next.close();
  rmSync(stateDir, { recursive: true });
});
