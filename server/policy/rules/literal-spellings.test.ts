// Tests of commands that appear whole inside another one, in unusual places: rules RL2, RL4 and RL6.
import { describe, expect, it } from 'vitest';
import type { ApprovalPolicy } from '../../../protocol/rules.ts';
import { judge } from './judge.ts';
import { parseRules } from './rule-parser.ts';
import { RuleSet } from './rule.ts';
import { verdictOf } from './verdict.ts';

const PATH = '/usr/bin:/bin';
const NONE = new RuleSet(parseRules('', 'none.rules'), PATH);
const FORBIDDEN = new RuleSet(
  parseRules('prefix_rule(pattern=["git", "push"], decision="forbidden")', 'x.rules'),
  PATH,
);

const kindOf = (rules: RuleSet, argv: readonly string[], policy: ApprovalPolicy): string =>
  verdictOf(rules, judge(rules, { argv, arg0: null }), { policy, variables: [], tightened: null }).kind;

const bash = (script: string): string[] => ['bash', '-c', script];

const SPELLINGS: readonly (readonly string[])[] = [
  // A redirection before the command.
  bash('>x git push'),
  bash('> "a b" git push'),
  bash('2>&1 git push'),
  bash('</dev/null git push'),
  bash('&>x git push'),
  bash('>|x git push'),
  bash('3<&- git push'),
  bash('<<<x git push'),
  bash('>x 2>y A=b git push'),
  bash('{ >x git push; }'),
  // A redirection between the words of the command.
  bash('git >/dev/null push'),
  bash('git 2>&1 push'),
  bash('git <<<x push'),
  bash('git &>/dev/null push'),
  bash('git {out}>x push'),
  bash('git > $(mktemp) push'),
  bash('git >"a b" 2>>log push'),
  bash('(git 2>&1 push)'),
  bash('echo $(git >x push)'),
  bash('echo `git 2>/dev/null push`'),
  bash('cat <(git 2>/dev/null push)'),
  bash('if true; then git 2>x push; fi'),
  // A word that may be empty, between the words of the command or in one of them.
  bash('git $x push'),
  bash('git ${x:-} push'),
  bash('git $(true) push'),
  bash('git `true` push'),
  bash('g${x}it push'),
  bash('git $(echo $(true)) push'),
  // Alternatives in braces.
  bash('{git,push}'),
  bash('{git,{push,x}}'),
  bash('git {push,--all}'),
  // A script that a shell reads from another command.
  bash("printf 'git push' | sh"),
  bash('echo git push | bash'),
  bash("printf '%s' 'git push' | bash -s"),
  bash("printf 'git push' | sh -"),
  // A preceding word that takes options or a number.
  bash('command -p git push'),
  bash('exec -a x git push'),
  bash('time -p git push'),
  ['zsh', '-c', 'repeat 2 git push'],
  ['zsh', '-c', '- git push'],
  // An assignment to an element of an array.
  bash('A[0]=b git push'),
  // Quotes that are translated.
  bash(`git $'push'`),
  bash('git $"push"'),
  // A script after the value of an option, and in the words after a script.
  ['bash', '-c', '-o', 'pipefail', 'git push'],
  bash('eval "$0"').concat('git push'),
  // A script in the same word as its option.
  ['fish', '-cgit push'],
  ['fish', '--command=git push'],
  ['fish', '--command', 'git push'],
  ['fish', '-C', 'git push'],
  ['fish', '--init-command=git push', 'x'],
  ['env', '-Sgit', 'push'],
  ['env', '-Sgit push'],
  ['env', '-iSgit push'],
  ['env', '--split-string=git push'],
  ['su', '-cgit push', 'ada'],
  ['su', '--command=git push', 'ada'],
  ['script', '-qcgit push', '/dev/null'],
  ['flock', 'x', '--command=git push'],
  // Shells other than bash and sh.
  ...['bash-static', 'bash5.2', 'zsh-5.9', 'yash', 'lksh', 'posh', 'nu', 'elvish', 'xonsh'].map((shell) => [
    shell,
    '-c',
    'git push',
  ]),
  // Other programs that run a command given as arguments.
  ...['chronic', 'tini', 'systemd-inhibit', 'valgrind', 'eatmydata', 'ssh-agent', 'run0', 'x86_64'].map(
    (wrapper) => [wrapper, 'git', 'push'],
  ),
  ['numactl', '-N', '0', 'git', 'push'],
  ['tmux', 'new-session', '-d', 'git push'],
  ['hyperfine', 'git push'],
  ['/lib64/ld-linux-x86-64.so.2', 'git', 'push'],
  ['chroot', '/srv', 'git', 'push'],
  ['sg', 'staff', '-c', 'git push'],
  ['sudo', '-u', 'ada', ...Array<string>(70).fill('x'), 'git', 'push'],
  // An assignment with blanks in quotes.
  bash('X="a b" git push'),
  bash(`GIT_AUTHOR_NAME='Ada L' X="$(echo "a; b")" git push`),
  bash(`eval 'X="a b" git push'`),
  bash('cat <<E\ndon\'t\nE\nX="a b" git push'),
  // Ranges in braces, escapes, default values, and a separator in a variable.
  bash('git pus{h..h}'),
  bash(String.raw`git $'pus\x68'`),
  bash(String.raw`git $'\160\u0075sh\0x'`),
  bash(String.raw`printf 'true\ngit push' | sh`),
  bash('${x:-git} push'),
  bash('git${IFS}push'),
  ['env', '-S', String.raw`git\_push`],
  // Words and signs of other shells.
  ...['not', 'true; and', 'false; or', 'begin;'].map((word) => ['fish', '-c', `${word} git push`]),
  ['fish', '-c', String.raw`\x67it push`],
  ['zsh', '-c', '=git push'],
  ['nu', '-c', '^git push'],
  // Names of files that may be the program.
  bash('/usr/bin/g?t push'),
  bash('/usr/bin/[[:alpha:]]it push'),
  bash('/usr/bin/[[=g=]]it push'),
  bash('/usr/bin/[[.g.]]it push'),
  bash('/usr/bin/[]g]it push'),
  bash('/usr/bin/[!]x]it push'),
  bash('/usr/bin/?[[:lower:]]t push'),
  bash('/usr/bin/g[i[:alnum:]]t push'),
  bash('/u[a-s]r/bin/g[[:lower:]i]t push'),
  bash('/usr/bin/[f-g]* push'),
  bash(`/usr/bin/'g'* push`),
  ['bash', '-O', 'extglob', '-c', '/usr/bin/@(git|x) push'],
  ['zsh', '-c', '/usr/bin/(git|x) push'],
  // A builtin or a variable that stores the command for later.
  bash("alias x='git push'; x"),
  bash('alias -p "x"="git push"; x'),
  bash("mapfile -C 'git push' -c 1 <x"),
  bash("complete -C 'git push' x"),
  bash('bind -x \'"a": git push\''),
  bash(String.raw`bind -x '"\C-x\"":git push'`),
  bash("PROMPT_COMMAND='git push' bash -i"),
  bash("export PROMPT_COMMAND='git push'"),
  bash("PROMPT_COMMAND+=('git push' true)"),
  bash('GIT_PAGER="git push" make'),
  bash('cmd="git push"; $cmd'),
  bash('set -- git push; "$@"'),
  ['zsh', '-c', "alias -g x='git push'"],
  ['zsh', '-c', "sched 1 'git push'"],
  ['fish', '-c', "alias x 'git push'; x"],
  ['fish', '-c', "abbr --add x 'git push'"],
  ['fish', '-c', "complete -c x -n 'git push'"],
  // An option of a program that is no wrapper.
  ['tar', '--to-command=git push', '-xf', 'a'],
  ['tar', '--checkpoint-action=exec=git push', '-cf', 'a', 'b'],
  ['rsync', '-e', 'git push', 'a', 'b:'],
  ['vim', '-c', ':!git push'],
  ['less', '+!git push', 'a'],
  ['man', '-P', 'git push', 'ls'],
  ['zip', '-T', '-TT', 'git push', 'a.zip', 'b'],
  ['rg', '--pre', 'git push', 'a'],
  ['fd', '-x', 'git', 'push'],
  ['fd', '-t', 'f', '--exec-batch=git', 'push'],
  ['ssh', '-o', 'ProxyCommand=git push', 'host'],
  ...['gtimeout', 'genv', 'gxargs', 'cross-env', 'start-stop-daemon'].map((each) => [each, 'git', 'push']),
  ['gfind', '.', '-exec', 'git', 'push', ';'],
  // A shell that reads what another command prints.
  bash('echo git push | su'),
  bash('echo git push | script x'),
  bash('echo git push | env sh'),
  bash('echo git push | sh > x'),
];

const removing = (argv: readonly string[]): string[] =>
  argv.map((word) =>
    [
      ['g${x}it', 'r${x}m'],
      ['/[f-g]*', '/[q-r]*'],
      ['g?t', 'r?'],
      ['?[[:lower:]]t', '?[[:lower:]]'],
      ['g[i[:alnum:]]t', 'r[m[:alnum:]]'],
      ['g[[:lower:]i]t', 'r[[:lower:]m]'],
      ['[=g=]', '[=r=]'],
      ['[.g.]', '[.r.]'],
      ['[]g]', '[]r]'],
      [']it', ']m'],
      ["'g'*", "'r'*"],
      ['\\x67it', '\\x72m'],
      ['pus{h..h}', '-r{f..f}'],
      ['pus\\x68', '-r\\x66'],
      ['\\160\\u0075sh', '\\55r\\u0066'],
      ['push', '-rf'],
    ]
      .reduce((text, [from = '', to = '']) => text.replace(from, to), word)
      .replace(/git(?=\b|_)/, 'rm'),
  );

describe('A command in a less usual place of another one', () => {
  it.each(SPELLINGS.map((argv) => [argv]))('[RL2][RL4] is refused by a rule that forbids it: %j', (argv) => {
    expect(kindOf(FORBIDDEN, argv, 'never')).toBe('refuse');
  });

  it.each(SPELLINGS.map((argv) => [removing(argv)]))(
    '[RL6] is asked about when it removes files: %j',
    (argv) => {
      expect(argv.join(' ')).not.toMatch(/git|push/);
      expect(kindOf(NONE, argv, 'on-request')).toBe('ask');
    },
  );

  it.each(['alias.x=!git push', 'core.sshCommand=git push', '--exec=git push'])(
    '[RL2][RL4] is refused in an option of git: %s',
    (option) => expect(kindOf(FORBIDDEN, ['git', '-c', option, 'x'], 'never')).toBe('refuse'),
  );

  it.each([
    [bash('echo git push > x')],
    [bash('make > log 2>&1; git status')],
    [['env', '-C', '/git', 'git', 'status']],
    [bash('echo -- git push')],
    [bash('git status > push')],
    [bash('git status 2> >(tee push)')],
    [bash('cp {git,push} x')],
    [bash('make 2>&1 | tee log; git status')],
    [bash('git log | cat; echo push')],
    [bash('X="git push" make > log')],
    [bash('alias x=git; alias y=push')],
    [['git', '-c', 'core.pager=cat', 'log', 'push']],
    [bash('EDITOR=git make push')],
    [bash('cat > x <<E\n* **git** push\nE')],
    [bash('./scripts/*.sh push > log')],
    [bash('echo "git push" > log; sudo -u ada make')],
  ])('[RL2] is not found where there is none: %j', (argv) => {
    expect(kindOf(FORBIDDEN, argv, 'never')).toBe('run');
  });
});
