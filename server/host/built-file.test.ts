// Files from which the programs and worker threads of the gateway start.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { BUILT_FILES, builtFile, ownArgv } from './built-file.ts';

const given = process.env[BUILT_FILES];
afterEach(() => {
  if (given === undefined) delete process.env[BUILT_FILES];
  else process.env[BUILT_FILES] = given;
});

describe('A program of the gateway', () => {
  const source = join(import.meta.dirname, 'program.ts');

  it('starts from its source behind a loader in development', () => {
    delete process.env[BUILT_FILES];
    expect(builtFile('program.js')).toBeNull();
    const argv = ownArgv('program.js', pathToFileURL(source));
    expect(argv).toEqual([process.execPath, '--import', expect.stringContaining('tsx'), source]);
  });

  it('starts from the built files that a test names', () => {
    process.env[BUILT_FILES] = '/built';
    expect(ownArgv('program.js', pathToFileURL(source))).toEqual([process.execPath, '/built/program.js']);
  });

  it('starts from the file beside a built gateway, whatever the environment names', () => {
    process.env[BUILT_FILES] = '/built';
    const beside = 'built-file.ts';
    expect(builtFile(beside)).toBe(join(import.meta.dirname, beside));
  });
});
