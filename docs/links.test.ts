// Checks the links between documents, the list of pages in docs/README.md, the explanation of the word floor, and the
// form of the changelog.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'server/SPEC.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
];

/** Returns the anchors that GitHub generates for the headings. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Returns the broken links of a document, each as `path: target`. */
function brokenLinks(path: string, markdown: string): string[] {
  const targets = [...markdown.matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)].map(
    ([, link, source]) => link ?? source ?? '',
  );
  return targets
    .filter((target) => !/^(https?|mailto):/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const found = file === '' ? join(ROOT, path) : join(ROOT, dirname(path), file);
      if (!existsSync(found)) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(found, 'utf8')).includes(anchor);
    })
    .map((target) => `${path}: ${target}`);
}

it('every link between the documents leads to an existing file and heading', () => {
  expect(documents.length).toBeGreaterThan(30);
  expect(documents.flatMap((path) => brokenLinks(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
});

it('a link to a missing file or heading is found', () => {
  expect(brokenLinks('docs/x.md', '[a](nowhere.md) [b](cli.md#nothing) [c](../README.md#start)')).toEqual([
    'docs/x.md: nowhere.md',
    'docs/x.md: cli.md#nothing',
  ]);
});

it('docs/README.md lists every page', () => {
  const index = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
  const pages = documents.filter((path) => /^docs\/(tasks\/)?(?!README)[^/]+\.md$/.test(path));
  expect(pages.filter((path) => !index.includes(`](${relative('docs', path)})`))).toEqual([]);
});

it('a page explains the word floor where it first uses it, by a link to the glossary', () => {
  const first = documents
    .filter((path) => !path.endsWith('glossary.md'))
    .flatMap((path) => /.*\bfloor\b.*/.exec(readFileSync(join(ROOT, path), 'utf8'))?.[0] ?? []);
  expect(first.length).toBeGreaterThan(4);
  expect(first.filter((line) => !/\[floor\]\((?:\.\.\/docs\/)?glossary\.md\)/.test(line))).toEqual([]);
});

it('every entry of the changelog is one line, and none is there twice', () => {
  const lines = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split('\n');
  expect(lines.filter((line) => /^ +\S/.test(line))).toEqual([]);
  const entries = lines.filter((line) => line.startsWith('- '));
  expect(entries.filter((line) => line.length > 160)).toEqual([]);
  expect(new Set(entries).size).toBe(entries.length);
});
