// Commands as shown to people: nothing is hidden, and the text can be pasted into a shell.
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { briefCommand, commandLine, shellQuote, shortCommand } from './command-line.ts';

describe('shellQuote', () => {
  it.each([
    ['plain', 'plain'],
    ['--flag=a/b.c', '--flag=a/b.c'],
    ['', "''"],
    ['two words', "'two words'"],
    ["it's", `'it'\\''s'`],
    ['$HOME', "'$HOME'"],
    ['~', "'~'"],
  ])('quotes %j as %s', (argument, quoted) => expect(shellQuote(argument)).toBe(quoted));

  it('quotes any arguments so that a shell reads them back unchanged', () => {
    const argument = fc.string({ unit: 'binary-ascii' }).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(fc.array(argument, { minLength: 1, maxLength: 5 }), (args) => {
        const script = `printf '%s\\0' ${args.map(shellQuote).join(' ')}`;
        expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })).toBe(`${args.join('\0')}\0`);
      }),
      { numRuns: 25 },
    );
  });
});

describe('commandLine', () => {
  it('joins quoted arguments', () => expect(commandLine(['echo', 'a b'])).toBe("echo 'a b'"));
});

describe('shortCommand', () => {
  it.each([
    [['/bin/bash', '-lc', ' npm test\n'], 'npm test'],
    [['sh', '-c', 'a\nb'], 'a\\nb'],
    [['sh', '-c', ''], "sh -c ''"],
    [['sh', '-lc', ' \t\u00a0'], "sh -lc ' \\t\u00a0'"],
    [['bash', '-i'], 'bash -i'],
    [['python', '-c', 'x'], 'python -c x'],
    [['sh', '-c', 'x', 'y'], 'sh -c x y'],
  ])('shortens %j to %j', (argv, short) => expect(shortCommand(argv)).toBe(short));
});

describe('briefCommand', () => {
  it.each([
    [['/bin/sleep', '1000'], 'sleep 1000'],
    [['/bin/sh', '-c', ' npm test '], 'npm test'],
    [['/bin/sh', '-c', '  '], "sh -c '  '"],
    [
      ['/usr/bin/node', '/srv/projects/shop/node_modules/vite/bin/vite.js', '--port', '5173'],
      'node …/bin/vite.js --port 5173',
    ],
    [['tool', '--config=/srv/projects/shop/config/tool.json'], 'tool --config=…/config/tool.json'],
    [['cat', '/etc/hosts', 'a b'], "cat /etc/hosts 'a b'"],
    [['cat', '/srv/a folder with spaces/x'], "cat '/srv/a folder with spaces/x'"],
    [['/opt/\u202eevil'], "'\\u202eevil'"],
    [['/'], '/'],
    [[], "''"],
  ])('shortens %j to %s', (argv, brief) => expect(briefCommand(argv)).toBe(brief));
});
