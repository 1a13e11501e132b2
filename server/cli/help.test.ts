// The help of the command line, compared with the table of commands that it is generated from.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseCommandLine, parseLeading, parseWords } from './arguments.ts';
import { COMMANDS, gatewayHelp, sharedFlags } from './commands.ts';
import { entryLines, helpOf } from './help.ts';
import { FLAG_GROUPS, parseCommand } from './options.ts';
import type { Subcommand } from './subcommand.ts';

/** Returns the words of an example, split at spaces, up to a pipe, a comment, `>` or `)`. */
function wordsOf(example: string): string[] {
  const own = /(?:exec-console )?([^|#>)]*)/.exec(example.replace(/^.*exec-console /, ''))?.[1] ?? '';
  return own.trim().split(/\s+/);
}

function codesOf(command: Subcommand): string[] {
  const [, codes = ''] = helpOf(command, sharedFlags(command)).split('\nExit codes:\n');
  return [...codes.matchAll(/^ {2}(\d+) /gm)].map(([, code = '']) => code);
}

describe.each([...COMMANDS])('The help of %s', (name, command) => {
  const help = helpOf(command, sharedFlags(command));

  it('has a usage line, a summary that is a sentence, examples and exit codes', () => {
    expect(help).toMatch(new RegExp(`^Usage: exec-console ${name}\\b.*\n\n[A-Z][^\n]*\\.\n\n`));
    expect(command.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(help).toMatch(/\nExamples:\n {2}\S/);
    expect(help).toMatch(/\nExit codes:\n {2}0 +\S/);
  });

  it('has its exit codes in order', () => {
    const codes = codesOf(command).map(Number);
    expect(codes.length).toBeGreaterThan(0);
    expect(codes).toEqual(codes.toSorted((one, other) => one - other));
  });

  it('has each flag with its text', () => {
    for (const [flag, { about }] of Object.entries({ ...command.flags, ...sharedFlags(command) })) {
      expect(help).toContain(` --${flag}`);
      expect(about).toMatch(/^\p{Lu}/u);
    }
  });

  it('fits a terminal', () => {
    expect(help.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  it('has examples that the command accepts', () => {
    const parse =
      command.words === 'commandLine'
        ? parseCommandLine
        : command.words === 'afterFlags'
          ? parseLeading
          : parseWords;
    for (const example of command.examples) {
      const [first, ...rest] = wordsOf(example);
      expect(first).toBe(name);
      const { words } = parse(rest, { ...command.flags, ...sharedFlags(command) });
      if (typeof command.words === 'number') expect(words).toHaveLength(command.words);
      if (command.acts) expect(command.acts.map((act) => act.name)).toContain(words[0]);
    }
  });
});

describe('The table of exit codes in docs/cli.md', () => {
  const [, table = ''] = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8').split(
    '\n## Exit codes\n',
  );
  const rows = [...table.matchAll(/^\| (\d+)(, …)? +\| (.*) \|$/gm)].map(
    ([, code = '', more, text = '']) => ({
      code,
      isSignal: more !== undefined,
      named: [...text.matchAll(/`([a-z]+)`/g)].map(([, name = '']) => name),
    }),
  );

  it('has the codes of the help of all commands, and no other', () => {
    const listed = rows.filter(({ isSignal }) => !isSignal).map(({ code }) => code);
    expect(new Set(listed)).toEqual(new Set([...COMMANDS.values()].flatMap(codesOf)));
  });

  it('names only commands whose help has the code', () => {
    const wrong = rows.flatMap(({ code, named }) =>
      named
        .filter((name) => !codesOf(COMMANDS.get(name) ?? expect.fail(name)).includes(code))
        .map((name) => `${name}: ${code}`),
    );
    expect(rows.flatMap(({ named }) => named).length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  });
});

it.each([
  ['keeper', '0 1 2 5'],
  ['connect', '0 1 2 3'],
  ['mcp', '0 2 141'],
  ['hook', '0 2'],
  ['history', '0 1 2 3 4 5 6'],
])('The help of %s has the exit codes that the command uses: %s', (name, codes) => {
  expect(codesOf(COMMANDS.get(name) ?? expect.fail(name)).join(' ')).toBe(codes);
});

describe('The help of the gateway', () => {
  it('has every command and every flag', () => {
    const help = gatewayHelp();
    for (const name of COMMANDS.keys()) expect(help).toMatch(new RegExp(`^  ${name} +[A-Z]`, 'm'));
    for (const flag of Object.values(FLAG_GROUPS).flatMap(Object.keys)) expect(help).toContain(` --${flag}`);
  });

  it('names the default of --keeper, which differs for "keep"', () => {
    const keep = COMMANDS.get('keep');
    expect(gatewayHelp().replaceAll(/\s+/g, ' ')).toContain('(default: auto; Linux only)');
    const help = keep && helpOf(keep, sharedFlags(keep)).replaceAll(/\s+/g, ' ');
    expect(help).toContain('(default: on; Linux only)');
    expect(help).not.toContain('default: auto');
  });

  it('names the actual defaults', () => {
    const { options } = parseCommand([], { HOME: '/nowhere' }) as { options: { port: number; host: string } };
    expect(gatewayHelp()).toContain(`(default: ${options.host})`);
    expect(gatewayHelp()).toContain(`(default: ${options.port},`);
  });
});

describe('An entry', () => {
  it('has its name on a separate line when that is too long, and its text in one column', () => {
    expect(entryLines([['a-long-name', `${'word '.repeat(20)}end`]], 10)[0]).toBe('  a-long-name');
    for (const line of entryLines([['a', 'word '.repeat(40).trim()]], 10).slice(1)) {
      expect(line).toMatch(/^ {10}word/);
      expect(line.length).toBeLessThanOrEqual(100);
    }
  });
});
