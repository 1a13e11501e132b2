// The border for approvals: what an older or another gateway says of them.
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
  ['from a gateway that knows none', {}, null, null],
  ['that are malformed', { branch: 1, program: { ...program, bytes: '1' } }, null, null],
  ['of a program without a path', { program: { ...program, path: undefined } }, null, null],
  ['that are known', { branch: 'main', program }, 'main', program],
])('facts about files %s are read', (_what, facts, branch, expected) => {
  expect(read(facts)).toMatchObject({ id: 'a-1', branch, program: expected });
});
