// Tests that the stamp of the build covers the files and programs of Vite's configuration.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RESULTS, SOURCES } from './build.mjs';
import { ROOT } from './run.mjs';

const CONFIG = 'vite.config.ts';

/** Returns the paths of the file and of all project files that it imports, directly or indirectly. */
function withImports(file) {
  const imported = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/ from '(\.[^']+)'/g)];
  return [file, ...imported.flatMap(([, path]) => withImports(join(file, '..', path)))];
}

it("SOURCES has all files of Vite's configuration", () => {
  const files = withImports(CONFIG);
  expect(files.length).toBeGreaterThan(2);
  expect(files.filter((file) => !SOURCES.includes(file))).toEqual([]);
});

it("RESULTS has all programs of Vite's configuration", () => {
  const inputs = readFileSync(join(ROOT, CONFIG), 'utf8').matchAll(
    /^ +'?([\w/-]+)'?: '(?:client|server)\/.*\.ts',$/gm,
  );
  const programs = [...inputs].map(([, name]) => `dist/server/${name}.js`);
  expect(programs).toContain('dist/server/main.js');
  expect(programs.filter((file) => !RESULTS.includes(file))).toEqual([]);
});
