// The state column of `ps`, and the names of processes that it prints with --quiet.
import { expect, it } from 'vitest';
import type { ProcessInfo } from '../../protocol/console.ts';
import { namesOf } from './process-names.ts';
import { stateOf } from './ps.ts';

const RUNNING = {
  state: 'running',
  exitCode: null,
  signal: null,
  terminatingSinceMs: null,
  waitsForInput: false,
  sandboxDenied: false,
  endedBy: null,
  acts: [],
  survivors: [],
} as const;
const LEFT = [{ pid: 1, name: 'x' }];
const terminate = { who: 'Ada', how: 'terminate', atMs: 1 };

it.each([
  [{}, 'running'],
  [{ waitsForInput: true }, 'waiting for input'],
  [{ terminatingSinceMs: 1, acts: [terminate] }, 'terminating (Ada)'],
  [{ terminatingSinceMs: 1, survivors: LEFT }, 'terminating (1 left)'],
  [
    { terminatingSinceMs: 1, state: 'exited', endedBy: terminate, survivors: LEFT },
    'terminated by Ada (1 left)',
  ],
  [{ state: 'closed', exitCode: 0 }, 'succeeded'],
  [{ state: 'closed', exitCode: 3 }, 'failed · exit 3'],
  [{ state: 'exited', exitCode: 143, signal: 'SIGTERM' }, 'failed · killed by SIGTERM'],
  [{ state: 'closed', endedBy: { ...terminate, who: '\u001b[2J' } }, 'terminated by \\x1b[2J'],
] as const)('ps prints %j as "%s"', (changes, text) => {
  expect(stateOf({ ...RUNNING, ...changes } as unknown as ProcessInfo)).toBe(text);
});

it('namesOf returns plain labels that are unique, and otherwise keys', () => {
  const info = (key: string, label: string | null, state: ProcessInfo['state'] = 'running') =>
    ({ key, label, state }) as ProcessInfo;
  const live = [
    info('aaaaaaaa1', 'web'),
    info('bbbbbbbb2', 'twice'),
    info('cccccccc3', 'twice'),
    info('dddddddd4', '$(touch x)'),
    info('eeeeeeee5', '-rf'),
    info('ffffffff6', 'aaaa'),
    info('gggggggg7', null),
  ];
  const all = [...live, info('hhhhhhhh8', 'web', 'closed')];
  expect(namesOf(live, all)).toEqual([
    'web',
    'bbbbbbbb',
    'cccccccc',
    'dddddddd',
    'eeeeeeee',
    'ffffffff',
    'gggggggg',
  ]);
});
