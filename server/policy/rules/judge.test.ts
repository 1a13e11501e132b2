// Tests of rules applied to commands in every spelling: rules RL2 to RL8 and AP3.
import { describe, expect, it } from 'vitest';
import type { ApprovalPolicy } from '../../../protocol/rules.ts';
import { allowing } from './check.ts';
import { canonical, judge, proposalFor } from './judge.ts';
import { parseRules } from './rule-parser.ts';
import { RuleSet } from './rule.ts';
import { verdictOf, type Verdict } from './verdict.ts';

const PATH = '/usr/bin:/bin:/srv/people/ada/bin';
const rulesOf = (source: string): RuleSet => new RuleSet(parseRules(source, 'x.rules'), PATH);

interface Asked {
  readonly policy?: ApprovalPolicy;
  readonly arg0?: string;
  readonly variables?: readonly string[];
}

const verdict = (
  rules: RuleSet,
  argv: readonly string[],
  { policy = 'always', arg0, variables = [] }: Asked = {},
): Verdict =>
  verdictOf(rules, judge(rules, { argv, arg0: arg0 ?? null }), { policy, variables, tightened: null });

const bash = (script: string): string[] => ['/bin/bash', '-lc', script];

const ALLOWED = rulesOf(`
prefix_rule(pattern=["ls"])
prefix_rule(pattern=["echo"])
prefix_rule(pattern=["cat"])
prefix_rule(pattern=["git", ["status", "log"]])
prefix_rule(pattern=["find"])
prefix_rule(pattern=["env"])
prefix_rule(pattern=["xargs"])
prefix_rule(pattern=["nohup"])
prefix_rule(pattern=["unshare"])
prefix_rule(pattern=["timeout"])
prefix_rule(pattern=["alias"])
prefix_rule(pattern=["eval"])
prefix_rule(pattern=["printf"])
prefix_rule(pattern=["test"])
prefix_rule(pattern=["["])
prefix_rule(pattern=["sh"])
prefix_rule(pattern=["bash"])
`);

describe('Under the policy always, a set of rules that allows a few commands', () => {
  it.each([
    [['ls', '-l']],
    [['/usr/bin/ls']],
    [['/srv/people/ada/bin/ls']],
    [['git', 'status', '--short']],
    [bash('ls -l && git log | cat')],
    [['sh', '-c', "echo 'rm -rf /'"]],
    [['zsh', '-lc', 'echo a\necho b']],
    [bash("sh -c 'echo a; ls'")],
    [['env', 'CI=1', 'ls']],
    [['xargs', 'ls']],
    [['timeout', '10s', 'ls']],
    [['find', '.', '-name', 'x']],
    [['find', '.', '-exec', 'ls', '{}', ';']],
    [bash("printf '%s: %5.1f%%\\n' 12 3.5; printf 'a %s\\n' b | cat")],
    [bash("test -f x && '[' 1 -eq 2 ']' || test -t 1")],
    [['printf', '-v', 'PATH']],
    [['env', 'DEBIAN_FRONTEND=noninteractive', 'ls']],
  ])('[RL5] runs %j without asking', (argv) => {
    expect(verdict(ALLOWED, argv)).toEqual({ kind: 'run' });
  });

  it.each([
    ['another command', ['touch', 'x']],
    ['another subcommand', ['git', 'push']],
    ['an option before the subcommand', ['git', '-c', 'alias.status=!touch x', 'status']],
    ['the same name in another folder', ['/tmp/ls']],
    ['the same name in a folder that looks alike', ['/usr/bin/../../tmp/ls']],
    ['a relative path', ['./ls']],
    ['a relative path without a dot', ['bin/ls']],
    ['an allowed name with another program', ['busybox', 'ls'], { arg0: 'ls' }],
    ['an allowed arg0', ['/bin/busybox', 'x'], { arg0: 'ls' }],
    ['a nested shell', bash("sh -c 'touch x'")],
    ['a shell in a shell in a shell', bash(`sh -c "sh -c 'touch x'"`)],
    ['a shell in another folder', ['/tmp/bash', '-lc', 'ls']],
    ['a relative shell', ['./bash', '-c', 'ls']],
    ['a shell with more options', ['bash', '-x', '-c', 'ls']],
    ['a shell with a startup file', ['bash', '--rcfile', '/tmp/x', '-ic', 'ls']],
    ['a script with arguments', ['bash', '-c', 'ls', 'x', 'y']],
    ['a second line', bash('ls\ntouch x')],
    ['a carriage return', bash('ls\rtouch x')],
    ['quotes in a word', bash(`t'ou'ch x`)],
    ['an escape in a word', bash('to\\uch x')],
    ['a substitution', bash('echo $(touch x)')],
    ['a substitution in quotes', bash('echo "$(touch x)"')],
    ['backticks', bash('echo `touch x`')],
    ['a process substitution', bash('cat <(touch x)')],
    ['a redirection', bash('echo x > ~/.bashrc')],
    ['a background command', bash('ls & touch x')],
    ['a here-document', bash('cat <<E | sh\ntouch x\nE')],
    ['a variable', bash('X=touch; $X x')],
    ['an assignment', bash('PATH=/tmp ls')],
    ['a group', bash('{ touch x; }')],
    ['a function', bash('ls() { touch x; }; ls')],
    ['an alias', bash("alias ls='touch x'\nls")],
    ['eval', bash("eval 'touch x'")],
    ['env', ['env', 'touch', 'x']],
    ['env with a variable that changes the program', ['env', 'PATH=/tmp', 'ls']],
    ['env with a string', ['env', '-S', 'touch x']],
    ['env in a script', bash('env touch x')],
    ['xargs', ['xargs', 'touch']],
    ['xargs with options', ['xargs', '-I', 'ls', 'touch', 'ls']],
    ['xargs with a wrapper', bash('echo ./x | xargs env')],
    ['xargs with a wrapper in a wrapper', ['xargs', 'env', 'timeout', '5']],
    ['xargs with a shell', bash('ls | xargs sh')],
    ['xargs with find', bash('ls | xargs find')],
    ['a wrapper that runs a shell', bash('echo id | unshare')],
    ['find -exec', ['find', '.', '-exec', 'touch', '{}', ';']],
    ['find -execdir', ['find', '.', '-execdir', 'touch', '{}', '+']],
    ['find -ok', ['find', '.', '-name', 'x', '-ok', 'touch', '{}', ';']],
    ['env without variables, so without a PATH', ['env', '-i', 'bash', '-c', 'ls']],
    ['a shell that reads what is printed', bash("echo 'touch x' | sh")],
    ['a find -exec with a plus', ['find', '.', '-exec', 'env', '+', 'touch', 'x', ';']],
    ['a second find -exec', ['find', '.', '-exec', 'ls', ';', '-exec', 'touch', 'x', ';']],
    ['nohup', ['nohup', 'touch', 'x']],
    ['timeout', ['timeout', '5', 'touch', 'x']],
    ['wrappers in wrappers', ['nohup', 'env', 'timeout', '1', 'touch', 'x']],
    ['a wrapper with a script', ['nohup', 'sh', '-c', 'touch x']],
    ['a shell that reads a file', ['sudo', 'bash', 'x.sh']],
    ['env with a variable', ['env', 'TAR_OPTIONS=--use-compress-program=x', 'ls']],
    ['a builtin that sets PATH', bash('printf -v PATH /tmp/x; ls')],
    ['a builtin that runs a command in a word', bash("test -v 'a[$(touch x)]'")],
    ['env with a frontend that is Perl', ['env', 'DEBIAN_FRONTEND=text; BEGIN { x }', 'ls']],
    ['env with a harmless variable that is a command', ['env', 'USER=a[$(touch x)]', 'ls']],
    ['PATH', ['ls'], { variables: ['PATH'] }],
    ['BASH_ENV', bash('ls'), { variables: ['BASH_ENV'] }],
    ['an empty command', bash('')],
    ['no script', ['bash', '-c']],
  ] as [string, string[], Asked?][])('[RL5] asks for %s', (_how, argv, asked) => {
    expect(verdict(ALLOWED, argv, asked).kind).toBe('ask');
  });
});

const FORBIDDEN = rulesOf(
  'prefix_rule(pattern=["git", "push"], decision="forbidden", justification="ask Ada")\n' +
    'host_executable(name="git", paths=["/usr/bin/git"])',
);

describe('A rule that forbids', () => {
  it.each([
    [['git', 'push', '--force']],
    [['/usr/bin/git', 'push']],
    [['/tmp/git', 'push']],
    [['./git', 'push']],
    [bash('git push')],
    [bash('ls; git push')],
    [bash('ls\ngit push')],
    [bash(`g'it' "push"`)],
    [bash('echo $(git push)')],
    [bash('echo `git push`')],
    [bash('cat <(git push)')],
    [bash('git push > x')],
    [bash("sh -c 'git push'")],
    [bash(`sh -c "bash -c 'git push'" > x`)],
    [['sh', '-x', '-c', 'git push']],
    [['fish', '-c', 'git push']],
    [['env', 'A=b', 'git', 'push']],
    [['env', '-u', 'A', 'git', 'push']],
    [['env', '-S', 'git push']],
    [['sudo', '-u', 'ada', 'git', 'push']],
    [['xargs', '-n', '1', 'git', 'push']],
    [['find', '.', '-exec', 'git', 'push', ';']],
    [['timeout', '-k', '5', '10', 'nice', '-n', '5', 'git', 'push']],
    [bash("eval 'git push'")],
    [bash('command git push')],
    [bash('exec git push')],
    [bash('if true; then git push; fi')],
    [bash("trap 'git push' EXIT")],
    [bash('A=b git push')],
    [bash('nohup git push &')],
  ])('[RL2][RL4][RL8] applies to %j under every policy', (argv) => {
    for (const policy of ['never', 'on-request', 'on-failure', 'always'] as const)
      expect(verdict(FORBIDDEN, argv, { policy })).toMatchObject({
        kind: 'refuse',
        reason: expect.stringContaining('ask Ada') as string,
      });
  });

  it('[RL2] applies to a matching arg0', () => {
    expect(verdict(FORBIDDEN, ['/bin/x', 'push'], { policy: 'never', arg0: 'git' }).kind).toBe('refuse');
  });

  it.each([[['git', 'status']], [['echo', 'git', 'push']], [bash("echo 'git push'")], [['pushgit']]])(
    '[RL2] does not apply to %j',
    (argv) => {
      expect(verdict(FORBIDDEN, argv, { policy: 'never' })).toEqual({ kind: 'run' });
    },
  );
});

describe('Several rules', () => {
  const rules = rulesOf(`
prefix_rule(pattern=["git"])
prefix_rule(pattern=["git", "push"], decision="prompt", justification="pushes")
prefix_rule(pattern=["git", "push", "--force"], decision="forbidden")
`);

  it.each([
    [['git', 'log'], 'allow', 'run'],
    [['git', 'push'], 'prompt', 'ask'],
    [bash('git log && git push'), 'prompt', 'ask'],
    [bash('git log && ls'), null, 'run'],
    [['git', 'push', '--force'], 'forbidden', 'refuse'],
  ] as const)('[RL2] yield the strictest decision: %j', (argv, decision, kind) => {
    expect(judge(rules, { argv, arg0: null }).decision).toBe(decision);
    expect(verdict(rules, argv, { policy: 'on-request' }).kind).toBe(kind);
  });

  it('[RL3] require approval of a complex script, except under the policy never', () => {
    expect(verdict(rules, bash('make > log'), { policy: 'on-request' }).kind).toBe('ask');
    expect(verdict(rules, bash('make > log'), { policy: 'never' }).kind).toBe('run');
    expect(verdict(rulesOf(''), bash('make > log'), { policy: 'on-request' }).kind).toBe('run');
  });
});

describe('host_executable', () => {
  const rules = rulesOf(
    'prefix_rule(pattern=["git"])\nhost_executable(name="git", paths=["/opt/git/bin/git"])',
  );

  it.each([
    [['git', 'log'], 'run'],
    [['/opt/git/bin/git', 'log'], 'run'],
    [['/usr/bin/git', 'log'], 'ask'],
  ] as const)('[RL2] limits the paths that a rule allows: %j', (argv, kind) => {
    expect(verdict(rules, argv).kind).toBe(kind);
  });
});

describe('Forced removal', () => {
  it.each([
    [['rm', '-rf', 'x']],
    [['rm', 'x', '-f']],
    [['rm', '-r', '--force', 'x']],
    [['/bin/rm', '--fo', 'x']],
    [['sudo', 'rm', '-fr', 'x']],
    [['env', 'A=b', 'rm', '-f', 'x']],
    [bash('rm -rf x')],
    [bash('echo $(rm -rf x)')],
    [bash("trap 'rm -rf x' EXIT")],
    [bash(`sh -c "sh -c 'rm -f x'"`)],
  ])('[RL6] requires approval under on-request: %j', (argv) => {
    expect(verdict(rulesOf(''), argv, { policy: 'on-request' }).kind).toBe('ask');
    expect(verdict(rulesOf(''), argv, { policy: 'on-failure' }).kind).toBe('ask');
    expect(verdict(rulesOf(''), argv, { policy: 'never' }).kind).toBe('run');
  });

  it.each([[['rm', 'x']], [['rm', '--', '-f']], [['ls', '-f']], [bash("echo 'rm -rf x'")]])(
    '[RL6] is not %j',
    (argv) => {
      expect(verdict(rulesOf(''), argv, { policy: 'on-request' }).kind).toBe('run');
    },
  );

  it('[RL6] needs no approval when a rule allows it', () => {
    const rules = rulesOf('prefix_rule(pattern=["rm", "-rf", "build"])');
    expect(verdict(rules, ['rm', '-rf', 'build'], { policy: 'on-request' }).kind).toBe('run');
  });
});

describe('A proposed rule', () => {
  const proposed = (argv: readonly string[]): readonly (readonly string[])[] =>
    proposalFor(judge(ALLOWED, { argv, arg0: null }));

  it('[RL7] names each command that no rule allows yet, once', () => {
    expect(proposed(['npm', 'test'])).toEqual([['npm', 'test']]);
    expect(proposed(bash('ls && npm test && make all; npm test'))).toEqual([
      ['npm', 'test'],
      ['make', 'all'],
    ]);
  });

  it.each([
    [['bash', 'x.sh']],
    [['rm', 'x']],
    [['git']],
    [['git', '-C', '/x', 'push']],
    [['sudo', 'ls']],
    [['xargs', 'touch']],
    [['find', '.', '-exec', 'touch', 'x', ';']],
    [['python3']],
    [['python3.12', '-c', 'print(1)']],
    [['node', '-e', '1']],
    [['node', '--eval=1']],
    [['perl', '-ne', 'print']],
    [['npm', 'run']],
    [['npx']],
    [['./gradlew', 'test']],
    [bash('make > log')],
    [bash('npm test; sudo ls')],
    [['echo', 'x'.repeat(2000)]],
    [['', 'x']],
  ])('[RL7] is never offered for %j', (argv) => {
    expect(proposalFor(judge(rulesOf(''), { argv, arg0: null }))).toEqual([]);
  });

  it('[RL7] allows the command for which it was offered', () => {
    const words = ['grep', '', '\u0000\u0007\b\t\n\v\f\r\u001B"\'\\\u007F\u2028\uD800'];
    for (const argv of [['npm', 'test'], bash('cargo build --release && make "a b"'), words]) {
      const source = proposed(argv).map(allowing);
      expect(source).not.toEqual([]);
      expect(verdict(rulesOf(source.join('\n')), argv)).toEqual({ kind: 'run' });
    }
  });

  it('[RL7] is not offered with variables that change the program, nor for a command that a rule prompts for', () => {
    expect(verdict(ALLOWED, ['npm', 'test'], { variables: ['PATH'] })).toMatchObject({ proposal: [] });
    const rules = rulesOf('prefix_rule(pattern=["npm"], decision="prompt")');
    expect(verdict(rules, ['npm', 'test'])).toMatchObject({ kind: 'ask', proposal: [] });
  });
});

describe('A decision', () => {
  it('[RL4] examines a limited number of parts of any command', () => {
    const nested = (depth: number): string[] =>
      depth === 0 ? ['touch', 'x'] : ['env', 'xargs', 'sh', '-c', nested(depth - 1).join(' ')];
    const long = bash('echo $(a);'.repeat(10_000));
    const many = bash('ls;'.repeat(40_000));
    for (const argv of [nested(20), long, many, ['env', ...Array<string>(20_000).fill('env')]]) {
      expect(verdict(ALLOWED, argv).kind).toBe('ask');
      expect(judge(ALLOWED, { argv, arg0: null }).parts.length).toBeLessThanOrEqual(5001);
    }
  });
});

describe('The identity of an approved command', () => {
  it('[RL3] is the words of a script with a single command', () => {
    const words = (argv: readonly string[]): object => canonical({ argv, arg0: null });
    expect(words(bash('git  status'))).toEqual({ isScript: true, words: ['git', 'status'] });
    expect(words(bash('a; b'))).toEqual({ isScript: false, words: ['-lc', 'a; b'] });
    expect(words(['git', 'status'])).toEqual({ isScript: false, words: ['status'] });
  });

  it('[AP3] differs between a script and a file of that name', () => {
    expect(canonical({ argv: bash('ls -l'), arg0: null })).not.toEqual(
      canonical({ argv: ['bash', 'ls', '-l'], arg0: null }),
    );
    expect(canonical({ argv: bash("'-c' 'a; b'"), arg0: null })).not.toEqual(
      canonical({ argv: ['bash', '-c', 'a; b'], arg0: null }),
    );
  });
});
