// Tests that every script that people start reports an outdated Node first.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './run.mjs';

const FOLDER = join(ROOT, 'scripts');
const files = readdirSync(FOLDER);
const scripts = files
  .filter((name) => name.endsWith('.mjs') && !name.endsWith('.test.mjs'))
  .map((name) => ({ name, imports: importsOf(readFileSync(join(FOLDER, name), 'utf8')) }));

function importsOf(source) {
  return [...source.matchAll(/^(?:import|export) (?:[^;]*? from )?'([^']+)';/gm)].map(([, path]) => path);
}

it('each script that no other file imports checks the version of Node first', () => {
  const imported = new Set(scripts.flatMap(({ imports }) => imports));
  // Modules with declarations are imported by TypeScript files.
  const isImported = (name) => imported.has(`./${name}`) || files.includes(name.replace('.mjs', '.d.mts'));
  const started = scripts.filter(({ name }) => !isImported(name));
  expect(started.length).toBeGreaterThan(5);
  expect(started.filter(({ imports }) => imports[0] !== './check-node.mjs').map(({ name }) => name)).toEqual(
    [],
  );
});
