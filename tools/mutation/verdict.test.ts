// Tests of the verdict on a folder's mutants: the score, and survivors with and without a reason.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FOLDERS } from './folders.ts';
import { judge, type Listed, type Mutant } from './verdict.ts';

const TEXT = 'const a = 1;\nif (a >\n  2) throw new Error();\n';
const read = (): string => TEXT;

function mutant(status: string, replacement = 'true'): Mutant {
  return {
    fileName: 'server/a.ts',
    mutatorName: 'ConditionalExpression',
    status,
    replacement,
    location: { start: { line: 2, column: 5 }, end: { line: 3, column: 4 } },
  };
}

const LISTED: Listed = { file: 'server/a.ts', code: 'a > 2', becomes: 'true', reason: 'never larger' };

it('the score counts timeouts as detected, and ignores mutants that could not run', () => {
  const mutants = ['Killed', 'Timeout', 'Survived', 'NoCoverage', 'CompileError', 'Ignored'].map((status) =>
    mutant(status),
  );
  expect(judge(mutants, [], read)).toMatchObject({ mutants: 4, detected: 2, score: 50 });
  expect(judge([], [], read).score).toBe(100);
});

it('a survivor is reported with its code in one line, unless a reason is listed', () => {
  const survived = [mutant('Survived'), mutant('Survived', 'false')];
  const { unexplained, explained, outdated } = judge(survived, [LISTED], read);
  expect(unexplained).toEqual([{ file: 'server/a.ts', line: 2, code: 'a > 2', becomes: 'false' }]);
  expect([explained, outdated]).toEqual([1, []]);
});

it('a listed survivor is outdated once it is detected', () => {
  expect(judge([mutant('Killed')], [LISTED], read).outdated).toEqual([LISTED]);
});

it('every folder exists, and every listed survivor has a reason and its code in one of them', () => {
  const root = join(import.meta.dirname, '../..');
  for (const { name, tests } of FOLDERS)
    for (const each of tests) expect(existsSync(join(root, each)), name).toBe(true);
  const listed = JSON.parse(readFileSync(join(import.meta.dirname, 'survivors.json'), 'utf8')) as Listed[];
  for (const { file, code, reason } of listed) {
    const text = readFileSync(join(root, file), 'utf8').replaceAll(/\s+/g, ' ');
    expect(text, `${file}: ${code}`).toContain(code);
    expect(reason.length, code).toBeGreaterThan(10);
  }
});
