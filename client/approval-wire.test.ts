// Parsing of approvals that lack members, as from an older gateway, or have malformed ones.
import { expect, it } from 'vitest';
import { readApprovals } from './approval-wire.ts';

const asked = {
  id: 'a-1',
  state: 'waiting',
  kind: 'start',
  method: 'process/start',
  argv: ['make'],
  cwd: '/srv',
  startedBy: 'bot',
  clientName: '',
  session: 's',
  reason: 'no rule allows it',
  proposedRules: [],
  metadata: {},
  parts: [],
  variables: [],
  createdAtMs: 1,
};
const program = { path: '/srv/run.sh', bytes: 1, modifiedAtMs: 1, sha256: null };
const read = (facts: object) => readApprovals({ approvals: [{ ...asked, ...facts }] }).approvals?.[0];

it.each([
  ['missing, from an older gateway', {}, null, null],
  ['malformed', { branch: 1, program: { ...program, bytes: '1' } }, null, null],
  ['lacking the path of the program', { program: { ...program, path: undefined } }, null, null],
  ['known', { branch: 'main', program }, 'main', program],
])('readApprovals reads an approval whose facts about files are %s', (_what, facts, branch, expected) => {
  expect(read(facts)).toMatchObject({ id: 'a-1', branch, program: expected });
});

it.each([
  [{}, null, 0],
  [{ folder: 1, moreVariables: '1' }, null, 0],
  [{ folder: '/b', moreVariables: 1 }, '/b', 1],
])(
  'readApprovals reads the real path of the folder of %o, and its number of variables',
  (facts, folder, more) => {
    expect(read(facts)).toMatchObject({ folder, moreVariables: more });
  },
);
