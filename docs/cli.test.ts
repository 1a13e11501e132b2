// Checks that the example commands in the docs work in a clone, and that docs/cli.md lists the program's commands.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COMMANDS } from '../server/cli/commands.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Pages for readers who may have only a clone, so that even commands in their prose need `npx`. */
const FOR_NEWCOMERS = /^README\.md$|^docs\/(?:tasks|agents)\//;

/** A command without `npx`, except completion, which works only for a command on PATH. */
const BARE = /(?<!\bnpx )(?<=^|[\s`(])exec-console (?!completion\b)(?=-?-?[a-z])/g;

/** Returns the commands of shell examples, and of prose for newcomers, that do not work in a clone. */
function bareCommands(path: string, markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^ *```(\w*)\n([^]*?)^ *```$/gm)].map(([, kind, block = '']) =>
    kind === '' || kind === 'sh' ? block : '',
  );
  const prose = FOR_NEWCOMERS.test(path) ? (markdown.match(/`exec-console [^`\n]*`/g) ?? []) : [];
  return [...blocks, ...prose]
    .flatMap((text) => text.split('\n'))
    .filter((line) => !/# installed$|^exec-console:|exec-console is running/.test(line.trim()))
    .filter((line) => line.search(BARE) >= 0)
    .map((line) => `${path}: ${line.trim()}`);
}

it('every command in an example works in a clone', () => {
  const pages = ['README.md', ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })]
    .filter((path) => path.endsWith('.md'))
    .map((path) => (path === 'README.md' ? path : join('docs', path)));
  expect(pages.length).toBeGreaterThan(40);
  expect(pages.flatMap((path) => bareCommands(path, read(path)))).toEqual([]);
  expect(bareCommands('docs/x.md', '```sh\nexec-console ps\n```\n`exec-console ps`')).toHaveLength(1);
  expect(bareCommands('docs/tasks/x.md', 'Run `exec-console ps`, or `npx exec-console ps`.')).toHaveLength(1);
});

it('the first table of docs/cli.md lists the commands of the program, in its order', () => {
  const [table = ''] = /(?:^\|.*\n)+/m.exec(read('docs/cli.md')) ?? [];
  const names = table.split('\n').flatMap((row) => {
    const [, cell = ''] = row.split('|');
    return [...cell.matchAll(/`([a-z]+)[^`]*`/g)].map(([, name = '']) => name);
  });
  expect([...new Set(names)]).toEqual([...COMMANDS.keys()]);
});
