// Variables of a sandboxed command, hidden from the programs that lead into the sandbox.
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { carried, unpacking } from './carried.ts';

function unpacked(env: Record<string, string>): Record<string, string> {
  const { stdout } = spawnSync('/usr/bin/env', [...unpacking(env), '/bin/cat', '/proc/self/environ'], {
    env: carried(env),
    encoding: 'utf8',
  });
  const lines = stdout.split('\0').slice(0, -1);
  return Object.fromEntries(lines.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]));
}

const CHARS = [
  'a',
  'B',
  '_',
  '0',
  '-',
  '.',
  '#',
  '$',
  '\\',
  "'",
  '"',
  '{',
  '}',
  ' ',
  '\n',
  '\t',
  '=',
  'é',
  '漢',
];

const text = (without: string): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...CHARS), maxLength: 8 }).filter((each) => !each.includes(without));

it('[SB13] carried uses no variable names that a program would recognize', () => {
  const env = { LD_PRELOAD: '/tmp/x.so', PERL5OPT: '-d', 'BASH_FUNC_bwrap%%': '() { id; }', PATH: '/tmp' };
  expect(Object.keys(carried(env))).toEqual(['V0', 'V1', 'V2', 'V3']);
});

it.skipIf(process.platform !== 'linux')(
  '[SB13] a command gets exactly its variables, whatever they are',
  () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          text('=').filter((name) => name !== ''),
          text('\0'),
        ),
        (env) => {
          expect(unpacked(env)).toEqual(env);
        },
      ),
      { numRuns: 200 },
    );
  },
);

it('[SB13] unpacking rejects names that are too long for one argument', () => {
  expect(() => unpacking({ ['n'.repeat(127 * 1024)]: '' })).not.toThrow();
  expect(() => unpacking({ ['n'.repeat(128 * 1024)]: '' })).toThrow('variable names are too long');
});
