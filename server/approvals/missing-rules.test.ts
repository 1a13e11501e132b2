// Warnings about paths of `--rules` that have no rule file when the gateway starts.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ApprovalStore } from '../policy/approval-store.ts';
import { missingRules } from './missing-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'exec-console-missing-rules-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('missing and empty paths are reported, with the consequence', () => {
  const [none, empty, file, broken] = ['none', 'empty', 'x.rules', 'broken.rules'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  mkdirSync(empty);
  writeFileSync(file, 'prefix_rule(pattern=["ls"])\n');
  writeFileSync(broken, 'prefix_rule(\n');
  const follows =
    ', so it adds no rule. When rules appear there, every agent command waits until an admin accepts them with: exec-console policy accept';
  expect(missingRules(folder, [none, empty, file, broken])).toEqual([
    `--rules ${none} does not exist${follows}`,
    `--rules ${empty} has no *.rules file${follows}`,
  ]);
});

it('a path whose accepted rules still apply is not reported', () => {
  const gone = join(folder, 'gone');
  new ApprovalStore(folder).change(() => ({ rules: { [gone]: { [join(gone, 'x.rules')]: '' } } }));
  expect(missingRules(folder, [gone])).toEqual([]);
});
