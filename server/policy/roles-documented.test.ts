// The table of docs/roles.md is the one that is enforced: rule AU13.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decoders } from '../../protocol/decoders.ts';
import type { RequestMethod } from '../../protocol/methods.ts';
import { ROLES } from '../../protocol/console-constants.ts';
import type { Role } from '../../protocol/session.ts';
import { mayCall } from './roles.ts';

/** `own`: of its own session, or of nothing in particular; `any`: of any process. */
function cell(role: Role, method: RequestMethod): string {
  const reach = [mayCall(role, method, false) ? 'own' : '', mayCall(role, method, true) ? 'any' : ''];
  return reach.filter((each) => each !== '').join(', ') || '–';
}

it('[AU13] says of every method and role what the gateway does', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/roles.md'), 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((each) => each.trim().replaceAll('`', '')));
  const documented = Object.fromEntries(rows.map(([, method = '', ...cells]) => [method, cells.slice(0, 4)]));
  const enforced = Object.fromEntries(
    (Object.keys(decoders) as RequestMethod[]).map((method) => [
      method,
      ROLES.map((role) => cell(role, method)),
    ]),
  );
  expect(documented).toEqual(enforced);
});
