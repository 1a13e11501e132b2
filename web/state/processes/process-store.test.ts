// @vitest-environment happy-dom
// Page state after messages from the gateway: no process is shown as running when it is not.
import { describe, expect, it, vi } from 'vitest';
import type { ConsoleChanged, ProcessInfo } from '../../../protocol/console.ts';
import type { ConnectionState } from '../../../client/connection-state.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { NOTHING_YET } from './terminal-state.ts';
import { followClient, forgetTerminalState, processStore, setTerminalState } from './process-store.ts';

let report: (change: ConsoleChanged) => void = () => {};
let become: (state: ConnectionState) => void = () => {};
const client = {
  connection: {
    onState: (listener: typeof become) => {
      become = listener;
      return () => {};
    },
    watchSilence: () => () => {},
  },
  processes: {
    onChanged: (listener: typeof report) => {
      report = listener;
      return () => {};
    },
  },
} as unknown as ExecClient;

const info = (key: string, state: ProcessInfo['state']): ProcessInfo => processInfo({ key, state });

describe('processStore', () => {
  it('keeps reported processes, and marks a running one as lost when the gateway no longer has it', () => {
    followClient(client);
    report({ processes: [info('a', 'running'), info('b', 'closed'), info('c', 'running')] });
    report({ processes: [info('c', 'closed')] });
    report({ removed: { keys: ['a', 'b', 'c'], sessions: [] } });
    expect(processStore.getState().processes).toEqual({ a: info('a', 'lost') });
    expect(processStore.getState().isListed).toBe(true);
    report({ removed: { keys: ['a'], sessions: [] } });
    expect(Object.keys(processStore.getState().processes)).toEqual(['a']);
  });

  it('drops a process that no longer waits for approval, because it never ran', () => {
    followClient(client);
    report({ processes: [info('request', 'waiting-for-approval')] });
    report({ removed: { keys: ['request'], sessions: [] } });
    expect(processStore.getState().processes['request']).toBeUndefined();
  });

  it('marks a lost process as not restartable, unwatched and uncontrolled', () => {
    followClient(client);
    const watched = { restartable: true, watchers: 1, watchedBy: ['c1'], controller: 'c1' };
    report({ processes: [{ ...info('ran', 'running'), ...watched }] });
    report({ removed: { keys: ['ran'], sessions: [] } });
    expect(processStore.getState().processes['ran']).toEqual(info('ran', 'lost'));
  });

  it('keeps an ended, forgotten process only while a terminal of the page shows it', () => {
    followClient(client);
    const watched = { restartable: true, watchers: 1, watchedBy: ['c1'] };
    report({ processes: [{ ...info('shown', 'closed'), ...watched }, info('unseen', 'closed')] });
    setTerminalState('shown', NOTHING_YET);
    report({ removed: { keys: ['shown', 'unseen'], sessions: [] } });
    const { processes } = processStore.getState();
    const expected = { state: 'closed', restartable: false, watchers: 0, watchedBy: [] };
    expect([processes['shown'], processes['unseen']]).toEqual([expect.objectContaining(expected), undefined]);
    forgetTerminalState('shown');
    expect(processStore.getState().processes['shown']).toBeUndefined();
    expect(processStore.getState().forgotten.size).toBe(0);
  });

  it('drops a lost process with its recording, and notes who removed the one that a terminal shows', () => {
    followClient(client);
    report({ processes: [info('lost', 'lost'), info('shown lost', 'lost')] });
    setTerminalState('shown lost', NOTHING_YET);
    const keys = ['lost', 'shown lost'];
    const recordings = keys.map((key) => ({ key, who: 'Ada' }));
    report({ removed: { keys, sessions: [] }, recordingsRemoved: { recordings, isComplete: true } });
    const { processes, forgotten } = processStore.getState();
    expect([processes['lost'], processes['shown lost']?.state]).toEqual([undefined, 'lost']);
    expect([...forgotten]).toEqual([['shown lost', 'Ada']]);
    forgetTerminalState('shown lost');
    expect(processStore.getState().processes['shown lost']).toBeUndefined();
  });

  it('keeps a forgotten process that is listed again once its terminal is closed', () => {
    followClient(client);
    report({ processes: [info('again', 'closed')] });
    setTerminalState('again', NOTHING_YET);
    report({ removed: { keys: ['again'], sessions: [] } });
    expect(processStore.getState().forgotten.has('again')).toBe(true);
    report({ processes: [info('again', 'closed')] });
    expect(processStore.getState().forgotten.has('again')).toBe(false);
    forgetTerminalState('again');
    expect(processStore.getState().processes['again']).toEqual(info('again', 'closed'));
  });

  it('keeps the time at which it went offline through all reconnection attempts', () => {
    const online = { kind: 'online' } as ConnectionState;
    const since = (): number | null => processStore.getState().offlineSinceMs;
    // Tests of other files in the same worker may have left the store offline.
    processStore.setState({ offlineSinceMs: null });
    followClient(client);
    become({ kind: 'connecting', attempt: 1 });
    expect(since()).toBeNull();
    become(online);
    vi.useFakeTimers({ now: 1000 });
    become({ kind: 'waiting', attempt: 1, retryAtMs: 0, reason: '' });
    vi.setSystemTime(9000);
    become({ kind: 'connecting', attempt: 2 });
    vi.useRealTimers();
    expect(since()).toBe(1000);
    become(online);
    expect(since()).toBeNull();
  });
});
