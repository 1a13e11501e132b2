// @vitest-environment happy-dom
// Commands that need the output of a process at the gateway are unavailable once its recording was removed.
import { expect, it } from 'vitest';
import type { ConnectionState } from '../../client/connection-state.ts';
import { processInfo } from '../../protocol/testing/process-info.ts';
import { processStore } from '../state/processes/process-store.ts';
import { COMMANDS } from './commands.ts';
import type { CommandContext } from './command.ts';

const context = { subject: 'k', terminals: { get: () => ({}) } } as unknown as CommandContext;
const available = (ids: readonly string[]): string[] =>
  ids.filter((id) => COMMANDS.find((each) => each.id === id)?.when?.(context) ?? true);

const OF_GATEWAY = [
  'replay',
  'share',
  'clearView',
  'download-text',
  'download-html',
  'download-cast',
  'download-raw',
];
const OF_PAGE = ['plainText', 'mark', 'recordOfOne'];

it('commands of a removed recording are only those that need no output from the gateway', () => {
  const before = processStore.getState();
  const connection = { kind: 'online', role: 'operator' } as ConnectionState;
  processStore.setState({ connection, processes: { k: processInfo({ key: 'k', state: 'closed' }) } });
  expect(available([...OF_GATEWAY, ...OF_PAGE])).toEqual([...OF_GATEWAY, ...OF_PAGE]);
  processStore.setState({ forgotten: new Map([['k', 'Ada']]) });
  expect(available([...OF_GATEWAY, ...OF_PAGE])).toEqual(OF_PAGE);
  // The recording of an evicted process may still exist.
  processStore.setState({ forgotten: new Map([['k', null]]) });
  expect(available(OF_GATEWAY)).toEqual(OF_GATEWAY);
  processStore.setState(before);
});
