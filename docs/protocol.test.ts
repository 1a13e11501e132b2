// Compares the tables in docs/protocol.md with the records of the methods.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { COMMANDS } from '../protocol/command.ts';
import { NOTIFICATIONS } from '../protocol/notifications.ts';
import { METHOD_NAMES, recordOf } from '../protocol/records.ts';
import type { RequestMethod } from '../protocol/methods.ts';

const text = readFileSync(join(import.meta.dirname, 'protocol.md'), 'utf8');

/** Table rows, paragraphs, and sections with method names in their heading. */
const passages = text
  .split(/^(?=#{2,3} )/m)
  .flatMap((section) =>
    /^### (process|console)\//.test(section) ? section : section.split(/\n\n|\n(?=\|)/),
  );

const about = (method: string): string =>
  passages.filter((each) => each.includes(`\`${method}`) || each.startsWith(`### ${method}`)).join('\n');

function paramsOf(method: RequestMethod): string[] {
  const { params } = recordOf(method);
  const schemas = 'own' in params ? [params.own, params.byKey] : [params];
  return schemas.flatMap((schema) => {
    const inner = 'unwrap' in schema ? unwrapped(schema) : schema;
    return 'shape' in inner ? Object.keys(inner.shape as object) : [];
  });
}

function unwrapped(schema: z.ZodType): z.ZodType {
  return 'unwrap' in schema ? unwrapped((schema as z.ZodOptional<z.ZodType>).unwrap()) : schema;
}

/** Returns true for a param that docs/protocol.md explains once for all methods that have it. */
const isCommon = (method: string, param: string): boolean =>
  (method.startsWith('fs/') && param === 'sandbox') || param === 'processId' || param === 'key';

describe('docs/protocol.md', () => {
  it('names every method and every notification', () => {
    const all = [...METHOD_NAMES, ...Object.keys(NOTIFICATIONS), ...Object.keys(COMMANDS)];
    expect(all.filter((name) => !text.includes(`\`${name}`))).toEqual([]);
  });

  it('names every param in the text about its method', () => {
    const missing = METHOD_NAMES.flatMap((method) =>
      paramsOf(method)
        .filter((param) => !isCommon(method, param) && !new RegExp(`\\b${param}\\b`).test(about(method)))
        .map((param) => `${method}: ${param}`),
    );
    expect(missing).toEqual([]);
  });

  it('states the minimum role for every method of exec-console', () => {
    const rows = [...text.matchAll(/^\| `([a-z]+\/\w+)` +\|.*\| ([a-z, ]+?) +\|$/gm)];
    const documented = rows.map(([, method = '', who = '']) => [
      method,
      who.replace('controller', 'operator'),
    ]);
    const enforced = documented.map(([method = '', who = '']) => {
      const { own, any } = recordOf(method as RequestMethod).roles;
      const beyond = any.length > 0 ? any : own;
      const least = (['observer', 'operator', 'admin'] as const).find((role) => beyond.includes(role));
      const isOwners = own.includes('agent') && who.startsWith('owner');
      return [method, isOwners ? `owner, ${least}` : least];
    });
    expect(documented.length).toBeGreaterThan(15);
    expect(documented).toEqual(enforced);
  });
});
