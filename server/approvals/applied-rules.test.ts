// Tests that the gateway accepts only the rules that it has written itself: rule AP9.
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApprovalStore } from '../policy/approval-store.ts';
import { AppliedRules } from './applied-rules.ts';

/** A store that calls `onRead` each time that it is read, as another program may write between two steps. */
class ReadStore extends ApprovalStore {
  onRead: () => void = () => {};

  override get stored(): ApprovalStore['stored'] {
    this.onRead();
    return super.stored;
  }
}

let stateDir: string;
let store: ReadStore;
let rules: AppliedRules;
const allow = (program: string): string => `prefix_rule(pattern = ["${program}"], decision = "allow")\n`;
const fileOf = (name: string): string => join(stateDir, 'rules', name);
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'rules-'));
  mkdirSync(join(stateDir, 'rules'));
  writeFileSync(fileOf('default.rules'), allow('ls'));
  store = new ReadStore(stateDir);
  rules = new AppliedRules({ stateDir, others: [], store, path: '/bin', changed: () => {} });
});
afterEach(() => {
  rules.close();
  rmSync(stateDir, { recursive: true });
});

it.each([
  ['adds a rule', () => rules.add([['cat']]), allow('ls'), 'cat'],
  ['writes its rules', () => rules.write(allow('cat')), '', 'cat'],
])('[AP9] does not accept a file that appears while the gateway %s', (_, change, before, program) => {
  store.onRead = () => writeFileSync(fileOf('evil.rules'), allow('sh'));
  change();
  store.onRead = () => {};
  const { files, changed, tightened } = rules.result;
  expect(files.map(({ file }) => file)).toEqual([fileOf('default.rules')]);
  expect(files[0]?.text).toMatch(program);
  expect(files[0]?.text.startsWith(before)).toBe(true);
  expect(changed).toMatchObject([{ file: fileOf('evil.rules'), accepted: null }]);
  expect(tightened).toContain('evil.rules was changed');
});

it('[AP9] does not accept a change of its own file while the gateway adds a rule', () => {
  store.onRead = () => writeFileSync(fileOf('default.rules'), allow('ls') + allow('sh'));
  rules.add([['cat']]);
  store.onRead = () => {};
  const { files, tightened } = rules.result;
  expect(files[0]?.text).not.toContain('"sh"');
  expect(tightened).toContain('default.rules was changed');
});

it('adds a rule after a last line without a line feed', () => {
  rules.write(allow('ls').trim());
  rules.add([['cat']]);
  expect(rules.result).toMatchObject({ tightened: null, changed: [] });
  expect(rules.result.files[0]?.text.split('\n')).toHaveLength(3);
});
