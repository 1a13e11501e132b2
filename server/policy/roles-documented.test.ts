// Tests that the table in docs/roles.md matches what the gateway enforces: rules AU13 and SH2.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { METHOD_NAMES, recordOf } from '../../protocol/records.ts';
import type { RequestMethod } from '../../protocol/methods.ts';
import { ROLES } from '../../protocol/console-constants.ts';
import type { Role } from '../../protocol/session.ts';
import { mayCall } from './roles.ts';

/**
 * Returns a cell of the table: `own` (calls on the role's own session or without a target), `any` (calls on any
 * process), both, or a dash.
 */
function cell(role: Role, method: RequestMethod): string {
  const reach = [mayCall(role, method, false) ? 'own' : '', mayCall(role, method, true) ? 'any' : ''];
  return reach.filter((each) => each !== '').join(', ') || '–';
}

it('[AU13] docs/roles.md lists for each method and role what the gateway enforces', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/roles.md'), 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((each) => each.trim().replaceAll('`', '')));
  const documented = Object.fromEntries(rows.map(([, method = '', ...cells]) => [method, cells.slice(0, 4)]));
  const enforced = Object.fromEntries(
    METHOD_NAMES.map((method) => [method, ROLES.map((role) => cell(role, method))]),
  );
  expect(documented).toEqual(enforced);
});

it('[SH2] a guest of one process may call the methods of an observer, but not of history', () => {
  const observers = METHOD_NAMES.filter((method) =>
    [true, false].some((isBeyondOwn) => mayCall('observer', method, isBeyondOwn)),
  );
  expect(METHOD_NAMES.filter((method) => recordOf(method).guest !== null)).toEqual(
    observers.filter(
      (method) =>
        method !== 'environment/info' &&
        method !== 'console/approvals' &&
        !method.startsWith('console/history'),
    ),
  );
});
