// Tests that each rule of SPEC.md is one short sentence, that a test names it, and that each named rule exists.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Maximum number of words in one sentence of a rule. */
const MOST_WORDS = 35;
const ROOT = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Returns the ids of the rules, such as `EL1`. */
function rulesOf(spec: string): string[] {
  return spec
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const code = /\(([A-Z]{2})\)\n/.exec(section)?.[1];
      if (code === undefined) throw new Error(`a section without a code: ${section.slice(0, 40)}`);
      return [...section.matchAll(/^(\d+)\. /gm)].map(([, number]) => `${code}${number}`);
    });
}

function testFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(test|spec)\.ts$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

/** Returns the rule ids in square brackets, as in the names of tests. */
const named = (text: string): string[] =>
  [...text.matchAll(/\[([A-Z]{2}\d+)\]/g)].map(([, rule]) => rule ?? '');

const rules = rulesOf(read('server/SPEC.md'));
const held = new Set(
  ['protocol', 'text', 'client', 'server', 'tools', 'web', 'e2e'].flatMap(testFiles).flatMap(named),
);

it('every rule has a unique number', () => {
  expect(rules.filter((rule, at) => rules.indexOf(rule) !== at)).toEqual([]);
  expect(rules.length).toBeGreaterThan(100);
});

it('every rule, and every point below it, is one short sentence', () => {
  const items = [...read('server/SPEC.md').matchAll(/^ *(?:\d+\.|-) (.*)$/gm)].map(([, text]) => text ?? '');
  const plain = (text: string): string => text.replace(/`[^`]*`/g, 'x').replace(/\([^)]*\)/g, '');
  expect(items.filter((text) => !/[.][`)]?$/.test(text))).toEqual([]);
  expect(items.filter((text) => /[.;!?] \S/.test(plain(text)))).toEqual([]);
  expect(items.filter((text) => text.split(' ').length > MOST_WORDS)).toEqual([]);
});

it('every rule has a test that names it', () => {
  expect(rules.filter((rule) => !held.has(rule))).toEqual([]);
});

it('every rule that a test names exists', () => {
  expect([...held].filter((rule) => !rules.includes(rule))).toEqual([]);
});

it.each(['security', 'agents'])('every rule that docs/%s.md names exists', (page) => {
  const promised = named(read(`docs/${page}.md`));
  expect(promised.length).toBeGreaterThan(0);
  expect(promised.filter((rule) => !rules.includes(rule))).toEqual([]);
});
