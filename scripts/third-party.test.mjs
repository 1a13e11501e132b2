// Checks licences, integrity hashes and install scripts of third-party packages.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './run.mjs';
import { lockedPackages, notices } from './third-party.mjs';

/** Licences allowed for packages that ship, as long as the notice is included. */
const FOR_WHAT_SHIPS = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'OFL-1.1',
  '(MIT OR Apache-2.0)',
];
const FOR_TOOLS = [...FOR_WHAT_SHIPS, 'MPL-2.0'];

const packages = lockedPackages();
const read = (path) => readFileSync(ROOT + path, 'utf8');

it('every package has an accepted licence', () => {
  expect(packages.length).toBeGreaterThan(20);
  const isFine = ({ dev, license }) => (dev ? FOR_TOOLS : FOR_WHAT_SHIPS).includes(license);
  expect(packages.filter((each) => !isFine(each)).map(({ name, license }) => `${name}: ${license}`)).toEqual(
    [],
  );
});

it('every package is pinned to its content, not to a host', () => {
  // The lock file has no hashes of a tool's binaries for other systems; none of them ships.
  const mayLack = ({ dev, optional, os, libc }) => dev && optional && Boolean(os ?? libc);
  const lacking = packages.filter((each) => !each.integrity?.startsWith('sha512-') && !mayLack(each));
  expect(lacking.map(({ name }) => name)).toEqual([]);
  expect(packages.filter(({ resolved }) => resolved).map(({ name }) => name)).toEqual([]);
});

it('no package may run an install script, and only two have one', () => {
  expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  expect(packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)).toEqual([
    'esbuild',
    'koffi',
  ]);
});

it('every dependency has an exact version', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  for (const version of Object.values({ ...dependencies, ...devDependencies })) {
    expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  }
});

it('a font that only a style sheet refers to ships with its licence', () => {
  const dir = mkdtempSync(join(tmpdir(), 'notices-'));
  const context = { getModuleIds: () => [], environment: { config: { build: { ssr: false } } } };
  const font = { originalFileNames: ['../node_modules/@fontsource-variable/jetbrains-mono/files/a.woff2'] };
  notices.writeBundle.call(context, { dir }, { 'assets/a.woff2': font });
  const text = readFileSync(join(dir, 'THIRD-PARTY-NOTICES.md'), 'utf8');
  rmSync(dir, { recursive: true });
  expect(text).toMatch(/^## @fontsource-variable\/jetbrains-mono .*OFL/m);
});
