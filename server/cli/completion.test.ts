// The completion scripts, run in each of the three shells that is installed; bash is required.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Arguments } from './arguments.ts';
import { COMMANDS, COMPLETED } from './commands.ts';
import { bashScript } from './completion-bash.ts';
import { fishScript } from './completion-fish.ts';
import { zshScript } from './completion-zsh.ts';

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

const STUBS = {
  bash: `exec-console() {
    if [[ $1 == history ]]; then echo old; fi
    if (($# > 2)); then printf '%s\\n' "\${*:3}"; else printf '%s\\n' web HTuNVZ_x; fi
  }`,
  fish: `function exec-console
    test $argv[1] = history; and echo old
    if set -q argv[3]; string join ' ' -- $argv[3..]; else; printf '%s\\n' web HTuNVZ_x; end
  end`,
  zsh: 'compdef() { print -r -- $1; }; _arguments() { print -rl -- $@; }',
};
const ARGUMENTS = { bash: ['--norc', '-c'], fish: ['--no-config', '-c'], zsh: ['-f', '-c'] };

/**
 * Returns the lines that a shell prints. In bash and fish, the stub of `exec-console` prints names of processes, or
 * instead the flags that select a gateway.
 */
function printed(shell: keyof typeof STUBS, script: string): string[] {
  const { stdout, stderr } = spawnSync(shell, [...ARGUMENTS[shell], `${STUBS[shell]}\n${script}`], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

/** Returns bash's suggestions for the last of these words. */
function inBash(...words: readonly string[]): string[] {
  const line = ['exec-console', ...words].map((word) => `'${word}'`).join(' ');
  return printed(
    'bash',
    `${bashScript(COMPLETED)}
COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _exec_console
printf '%s\\n' "\${COMPREPLY[@]}"`,
  );
}

const inFish = (line: string): string[] =>
  printed('fish', `${fishScript(COMPLETED)}\ncomplete -C '${line}'`).map(
    (candidate) => candidate.split('\t')[0] ?? '',
  );

describe('Bash completes', () => {
  it('commands, and the flags of the gateway', () => {
    expect(inBash('')).toEqual([...COMMANDS.keys()]);
    expect(inBash('st')).toEqual(['stop']);
    expect(inBash('--ho')).toEqual(['--host']);
    expect(inBash('help', '')).toEqual([...COMMANDS.keys()]);
    expect(inBash('help', 'st')).toEqual(['stop']);
    expect(inBash('help', 'stop', '')).toEqual([]);
    expect(inBash('--sandbox', '')).toEqual(['none', 'workspace-write', 'read-only']);
  });

  it('flags of a command and their values', () => {
    expect(inBash('stop', '--g')).toEqual(['--grace']);
    expect(inBash('link', '--role', 'o')).toEqual(['observer', 'operator']);
    expect(inBash('run', '-C', '/us')).toEqual(['/usr']);
    expect(inBash('run', '--label', '')).toEqual([]);
  });

  it('names of processes, as the first word only', () => {
    expect(inBash('stop', '')).toEqual(['web', 'HTuNVZ_x']);
    expect(inBash('stop', '--grace', '5', 'w')).toEqual(['web']);
    expect(inBash('stop', '--escaped', 'w')).toEqual(['web']);
    expect(inBash('stop', 'web', '')).toEqual([]);
    expect(inBash('share', '-')).toContain('--expires');
  });

  it.each([
    [['--state-dir', '/other'], '--state-dir /other'],
    [['--state-dir', '=', '/other'], '--state-dir /other'],
    [['--state-dir', '~/other'], `--state-dir ${process.env['HOME']}/other`],
    [['--state-dir', '/with\\ space'], '--state-dir /with space'],
    [['--url', 'ws', ':', '//h', ':', '1', '--token-file', 't'], '--url ws://h:1 --token-file t'],
  ])('names of processes of the gateway that the command line selects: %j', (flags, given) => {
    expect(inBash('stop', ...flags, '')).toEqual([given]);
    expect(inBash('history', ...flags, 'rm', '')).toEqual(['old', given]);
  });

  it('names from the history for commands that read recordings, and signals after a process', () => {
    for (const command of ['logs', 'replay']) expect(inBash(command, '')).toEqual(['old', 'web', 'HTuNVZ_x']);
    expect(inBash('signal', 'web', '')).toEqual(['INT', 'TERM', 'KILL', 'HUP', 'QUIT', 'TSTP', 'CONT']);
    expect(inBash('signal', 'web', 'INT', '')).toEqual([]);
  });

  it('the word after the first word of a command', () => {
    expect(inBash('policy', 'set', '')).toEqual(['never', 'on-request', 'on-failure', 'always', 'default']);
    expect(inBash('policy', '--agent', 'ci', 'set', 'on-r')).toEqual(['on-request']);
    expect(inBash('policy', 'rules', '')).toEqual([]);
    expect(inBash('policy', 'set', 'never', '')).toEqual([]);
    expect(inBash('history', 'rm', '')).toEqual(['old', 'web', 'HTuNVZ_x']);
  });

  it('first words, shells and commands of the machine', () => {
    expect(inBash('token', 're')).toEqual(['revoke']);
    expect(inBash('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(inBash('run', 'base64')).toContain('base64');
    expect(inBash('run', 'ls', '/us')).toContain('/usr');
  });
});

describe.runIf(has('fish'))('Fish completes', () => {
  it('commands, flags, values, processes and first words', () => {
    expect(inFish('exec-console sto')).toEqual(['stop']);
    expect(inFish('exec-console help sto')).toEqual(['stop']);
    expect(inFish('exec-console stop --gr')).toEqual(['--grace']);
    expect(inFish('exec-console link --role op')).toEqual(['operator']);
    expect(inFish('exec-console stop w')).toEqual(['web']);
    expect(inFish('exec-console token rev')).toEqual(['revoke']);
    expect(inFish('exec-console --sandbox read')).toEqual(['read-only']);
  });

  it.each([
    ['--state-dir /other', '--state-dir /other'],
    ['--state-dir=/other', '--state-dir=/other'],
    ['--state-dir ~/other', `--state-dir ${process.env['HOME']}/other`],
    ['--url ws://h:1 --token-file t', '--url ws://h:1 --token-file t'],
  ])('names of processes of the gateway that the command line selects: %s', (flags, given) => {
    expect(inFish(`exec-console stop ${flags} `)).toEqual([given]);
    expect(inFish(`exec-console history rm ${flags} `).toSorted()).toEqual([given, 'old']);
  });

  it('names from the history, and signals after a process', () => {
    expect(inFish('exec-console logs o')).toEqual(['old']);
    expect(inFish('exec-console signal w')).toEqual(['web']);
    expect(inFish('exec-console signal web H')).toEqual(['HUP']);
  });

  it('the word after the first word of a command', () => {
    expect(inFish('exec-console policy se')).toEqual(['set']);
    expect(inFish('exec-console policy set ').toSorted()).toEqual([
      'always',
      'default',
      'never',
      'on-failure',
      'on-request',
    ]);
    expect(inFish('exec-console policy set never ')).toEqual([]);
    expect(inFish('exec-console history rm o')).toEqual(['old']);
  });

  it('only the values after the equals sign of a flag', () => {
    const script = `${fishScript(COMPLETED)}\ncomplete -C 'exec-console link --role o'`;
    expect(printed('fish', script)).toEqual(['observer', 'operator']);
  });
});

describe.runIf(has('zsh'))('Zsh', () => {
  it('reads the script, which passes the flags of the command to _arguments', () => {
    const [complete, ...specs] = printed(
      'zsh',
      `${zshScript(COMPLETED)}\nwords=(exec-console stop --); CURRENT=3; _exec_console`,
    );
    expect(complete).toBe('_exec_console');
    expect(specs).toContain('1:process:{_exec_console_names ps}');
    expect(specs.join('\n')).toMatch(/^\(-g --grace\)--grace\[Time from SIGTERM .*\]:SECONDS: $/m);
  });

  /** Returns the output of an interactive zsh in which `line` and Tab are typed, up to the pattern `until`. */
  function typedInZsh(line: string, until: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'exec-console-zsh-'));
    writeFileSync(join(folder, 'script'), zshScript(COMPLETED));
    const typed = String.raw`
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell 'autoload -Uz compinit; compinit -D -u'
      zpty -w shell 'exec-console() { if (($# > 2)); then print -r -- w-$4-x; else print -l web HTuNVZ_x; fi }'
      zpty -w shell "source ${folder}/script; print rea''dy"
      zpty -r -m shell seen '*ready*'
      zpty -n -w shell $'${line}\t'
      zpty -r -m shell seen '*${until}*'
      print -r -- $seen
      zpty -d shell`;
    const { stdout } = spawnSync('zsh', ['-f', '-c', typed], { encoding: 'utf8', timeout: 20_000 });
    rmSync(folder, { recursive: true });
    return stdout;
  }

  it('completes the name of a process as a person types it', () => {
    expect(typedInZsh('exec-console stop w', 'stop w*(eb|not found)')).toMatch(/stop web\s*$/);
  });

  it('completes the name of a process of the gateway that the command line selects', () => {
    expect(typedInZsh('exec-console stop --state-dir /s w', 'dir /s w*(-x|eb|not found)')).toMatch(
      /w-\/s-x\s*$/,
    );
  });

  it('offers commands after help', () => {
    const specs = printed(
      'zsh',
      `${zshScript(COMPLETED)}\nwords=(exec-console help ''); CURRENT=3; _exec_console`,
    );
    expect(specs).toContain(`1:word:(${[...COMMANDS.keys()].join(' ')})`);
  });

  it('offers signals after a process', () => {
    const specs = printed(
      'zsh',
      `${zshScript(COMPLETED)}\nwords=(exec-console signal web ''); CURRENT=4; _exec_console`,
    );
    expect(specs).toContain('2:word:(INT TERM KILL HUP QUIT TSTP CONT)');
    const ofPolicy = printed(
      'zsh',
      `${zshScript(COMPLETED)}\nwords=(exec-console policy set ''); CURRENT=4; _exec_console`,
    );
    expect(ofPolicy).toContain(
      '2:word:{((${words[(I)set]})) && compadd -- never on-request on-failure always default}',
    );
  });
});

it('each script has every command and every flag', () => {
  for (const script of [bashScript, zshScript, fishScript].map((scriptOf) => scriptOf(COMPLETED))) {
    for (const [name, command] of COMMANDS) {
      expect(script).toContain(name);
      for (const flag of Object.keys(COMPLETED.flagsOf(command))) expect(script).toContain(flag);
    }
  }
});

it('an unknown shell is an error that names the supported ones', async () => {
  await expect(COMMANDS.get('completion')?.execute(new Arguments({}, ['tcsh']), {}, [])).rejects.toThrow(
    'completion tcsh: expected one of bash, zsh, fish',
  );
});
