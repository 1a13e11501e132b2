// Tests of writing and accepting rules while other programs change the files: rules AP9 and AP20.
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApprovalStore } from '../policy/approval-store.ts';
import { AppliedRules } from './applied-rules.ts';

/** A store that calls `onRead` before each read, to simulate another program that writes between two steps. */
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
  ['adds a rule', () => rules.add([['cat']], 'Ada'), allow('ls'), 'cat'],
  ['writes its rules', () => rules.write(allow('cat'), 'Ada'), '', 'cat'],
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
  rules.add([['cat']], 'Ada');
  store.onRead = () => {};
  const { files, tightened } = rules.result;
  expect(files[0]?.text).not.toContain('"sh"');
  expect(tightened).toContain('default.rules was changed');
});

it('adds a rule after a last line without a line feed', () => {
  rules.write(allow('ls').trim(), 'Ada');
  rules.add([['cat']], 'Ada');
  expect(rules.result).toMatchObject({ tightened: null, changed: [] });
  expect(rules.result.files[0]?.text.split('\n')).toHaveLength(3);
});

it.each([
  ['an added rule cannot be parsed', () => rules.add([['']], 'Ada'), /expected a word/],
  [
    'it would have too many rules',
    () =>
      rules.add(
        Array.from({ length: 10_000 }, (_, at) => [`p${at}`]),
        'Ada',
      ),
    /10,000/,
  ],
  ['it would have too many bytes', () => rules.write(`#${'é'.repeat(600_000)}\n`, 'Ada'), /1,048,576 bytes/],
  [
    'an added rule makes it too large',
    () => rules.add([['cat', 'x'.repeat(2 ** 20)]], 'Ada'),
    /1,048,576 bytes/,
  ],
])('[AP9] writes nothing when %s', (_, change, error) => {
  expect(change).toThrow(error);
  expect(rules.result).toEqual({
    files: [{ file: fileOf('default.rules'), text: allow('ls') }],
    changed: [],
    tightened: null,
  });
  rules.add([['cat']], 'Ada');
});

it('[AP9] accepts the text that the file can contain', () => {
  rules.write('# \uD800\n', 'Ada');
  expect(rules.result).toMatchObject({ tightened: null, changed: [] });
});

it('[AP9] [AP20] shows and accepts a mended file when the accepted text is broken', () => {
  const forbid = 'prefix_rule(pattern = ["curl"], decision = "forbidden")\n';
  writeFileSync(fileOf('more.rules'), forbid);
  rules.acceptChanges(undefined, 'Ada');
  const { stored } = store;
  const folder = join(stateDir, 'rules');
  const broken = { ...stored.rules[folder], [fileOf('default.rules')]: 'prefix_rule(' };
  store.change(() => ({ rules: { [folder]: broken } }));
  const { changed } = rules.result;
  rules.close();
  rules = new AppliedRules({ stateDir, others: [], store, path: '/bin', changed: () => {} });
  expect(changed).toEqual([]);
  expect(rules.set.forbids).toBe(true);
  expect(rules.result.tightened).toContain('default.rules was changed');
  rules.acceptChanges(rules.result.changed, 'Ada');
  expect(rules.result).toMatchObject({ tightened: null, changed: [] });
});

it.each([
  ['prefix_rule(pattern = ["curl"], decision = "prompt")', 1],
  ['network_rule(host = "a.example", protocol = "http", decision = "prompt")', 1],
  ['network_rule(host = "a.example", protocol = "http", decision = "allow")', 0],
])('[AP3] %s changes the version of the restrictions by %d', (text, by) => {
  const before = rules.restrictionsVersion;
  rules.write(`${text}\n`, 'Ada');
  expect(rules.restrictionsVersion - before).toBe(by);
});
