// What the page makes of what the gateway tells: nothing is called running that nobody runs any more.
import { describe, expect, it } from 'vitest';
import type { ConsoleChanged, ProcessInfo } from '../../server/protocol/console.ts';
import type { ExecClient } from '../client/exec-client.ts';
import { processInfo } from '../testing/process-info.ts';
import { followClient, processStore } from './process-store.ts';

let tell: (change: ConsoleChanged) => void = () => {};
const client = {
  connection: { onState: () => () => {} },
  processes: {
    onChanged: (listener: typeof tell) => {
      tell = listener;
      return () => {};
    },
  },
} as unknown as ExecClient;

const info = (key: string, state: ProcessInfo['state']): ProcessInfo => processInfo({ key, state });

describe('processStore', () => {
  it('keeps what it is told, and calls lost what a new gateway does not know to run', () => {
    followClient(client);
    tell({ processes: [info('a', 'running'), info('b', 'closed'), info('c', 'running')] });
    tell({ processes: [info('c', 'closed')] });
    tell({ removed: { keys: ['a', 'b', 'c'], sessions: [] } });
    expect(processStore.getState().processes).toEqual({ a: info('a', 'lost') });
    expect(processStore.getState().isListed).toBe(true);
    tell({ removed: { keys: ['a'], sessions: [] } });
    expect(Object.keys(processStore.getState().processes)).toEqual(['a']);
  });
});
