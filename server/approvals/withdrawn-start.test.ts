// Tests that a termination withdraws a start that nothing holds any more, while its files are inspected: rule AP4.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { StartFacts } from '../host/sandbox/start-facts.ts';
import type { Peer } from '../sessions/peer.ts';
import { Approvals } from './approvals.ts';
import type { ApprovalsOptions } from './approvals-options.ts';

let stateDir: string;
let approvals: Approvals;
let isReadAgain: Promise<void>;
let finishReading: () => void;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'withdrawn-'));
  const nothing = (): void => {};
  const facts = { mark: 'a', places: '', realFolder: null, branch: null, program: null, folder: null };
  const { promise: reading, resolve: begin } = promiseOf();
  const { promise: read, resolve } = promiseOf();
  [isReadAgain, finishReading] = [reading, resolve];
  approvals = new Approvals({
    stateDir,
    policy: 'never',
    ruleFiles: [],
    limits: {
      approvalsWaiting: 10,
      approvalsWaitingBytes: 100_000,
      approvalsOver: 10,
      approvalTimeoutMs: 0,
      shownCommandChars: 1000,
    },
    isGivenBy: () => true,
    isValid: () => true,
    events: { changed: nothing, asked: nothing, over: nothing, settingsChanged: nothing, interrupt: nothing },
    user: null,
    hasFloor: false,
    noSandbox: () => null,
    facts: async (_intent: unknown, _where: unknown, { isFresh }: { readonly isFresh: boolean }) => {
      if (isFresh) {
        begin();
        await read;
      }
      return facts as unknown as StartFacts;
    },
  } as unknown as ApprovalsOptions);
});
afterEach(() => {
  approvals.close();
  rmSync(stateDir, { recursive: true });
});

function promiseOf(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

it('[AP4] withdraws a released start when nothing else needs approval', async () => {
  const peer = {
    identity: { name: 'bot', tokenId: 't', role: 'agent' },
    session: { label: 's-1', process: () => undefined, processes: () => [] },
    connection: { isEnding: false, onEnding: () => () => {} },
  } as unknown as Peer;
  approvals.pause({}, 'Ada');
  const params = { processId: 'p', argv: ['true'], cwd: 'file:///tmp', env: {}, tty: false };
  const started = approvals.decide(peer, 'process/start', params);
  expect(approvals.waiting).toHaveLength(1);
  approvals.unpause({}, 'Ada');
  await isReadAgain;
  expect(approvals.waiting).toHaveLength(0);
  expect(approvals.decide(peer, 'process/terminate', { processId: 'p' })).toBeNull();
  finishReading();
  await expect(started).rejects.toThrow('the agent withdrew the request');
});
