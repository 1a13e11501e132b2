// Tests of the detection of programs whose input needs approval before they read it: rule AP12.
import { describe, expect, it } from 'vitest';
import { isFedByStdin } from './fed-by-stdin.ts';

const fed = (line: string): boolean => isFedByStdin(line.split(' '), true);
const fedScript = (script: string, shell = 'bash', runsAsWritten = true): boolean =>
  isFedByStdin([shell, '-c', script], runsAsWritten);

describe('[AP12] Input is executed by', () => {
  it.each([
    'sh',
    'bash -s',
    'bash -x',
    'bash --norc -o posix',
    'bash -O extglob',
    'bash --rcfile f',
    'bash /dev/stdin',
    'sh /proc/self/fd/0',
    'bash -- -',
    'bash5',
    'bash-static',
    'ksh93',
    'zsh-5.9',
    'yash',
    'python3',
    'python3 -u -',
    'python3 /dev/fd/0',
    'python3 -c exec(input())',
    'python3 -W ignore',
    'python3 -m code',
    'python3 -i f.py',
    'node -r x',
    'node --import x',
    'perl -n -e system($_)',
    'awk {system($0)}',
    'sed e',
    'make -f -',
    'make -f-',
    'crontab -',
    'valgrind sh',
    'rlwrap bash --norc',
    'find . -exec sh ;',
    'find . -execdir perl ;',
    'find . -exec env python3 ;',
    'find . -exec timeout 9 node -- ;',
    'find /dev/stdin -exec sh {} ;',
    'find /proc/self/fd/0 -exec python3 {} +',
    'python3 --check-hash-based-pycs never',
    'node --title x --env-file /dev/null',
    'lxc exec c sh',
    'oc exec -i p cat',
    'kubectl exec -i p cat',
    'adb shell',
    'aws ssm start-session',
    'python3 manage.py shell',
    'poetry run python',
    'npx node',
    '/lib64/ld-linux-x86-64.so.2 /bin/sh',
    'nc -l 1 -e /bin/sh',
    'env -i sh',
    'timeout 5 sh',
    'bash -c cat|sh',
    'sh //dev/stdin',
    'sh /dev/./stdin',
    'sh ../dev/stdin',
    'bash /dev/../dev/fd//0',
    'sh fd/0',
    'bash /proc/self/task/7/fd/0',
    'coffee',
    'cmake -P /dev/stdin',
    'java --source 21 /dev/stdin',
    'ip -batch -',
    'gtimeout 5 sh',
    'su',
    'su -',
    'su - ada',
    'sudo -i',
    'sudo -n',
    'newgrp staff',
    'unshare',
    'busybox',
    'npx tsx',
    'uv run -',
    'pipx run ipython',
    'poetry run ptpython',
    'guile3.0',
    'mit-scheme',
  ])('%s', (line) => expect(fed(line)).toBe(true));
});

describe('[AP12] Input is data for', () => {
  it.each([
    'cat',
    'node server.js',
    'node --enable-source-maps dist/server.js --stdio',
    'python3 server.py',
    'python3 -u server.py -v',
    'python3 -m mcp_server_fetch',
    'npx -y @modelcontextprotocol/server-filesystem folder',
    'npm exec -- @modelcontextprotocol/server-github',
    'uvx mcp-server-git --repository .',
    'uv run server.py',
    'uv run --with mcp python server.py',
    'bash run.sh',
    'bash -O extglob run.sh',
    'rust-analyzer',
    'typescript-language-server --stdio',
    'git cat-file --batch',
    'tar -x -f -',
    'git apply -',
    'sort -',
    'uv run --directory stdin-tools server.py',
  ])('%s', (line) => expect(fed(line)).toBe(false));
});

describe('[AP12] Input is executed by a program that', () => {
  it.each([
    // A program whose name shows that it executes its input.
    'gsed -n x',
    'raku',
    'clickhouse-client -q x',
    'sqlite x.db',
    'qjs',
    'utop',
    // A program whose subcommand, module or option executes its input.
    'rails c',
    'rails runner -',
    'dotnet fsi',
    'python3 manage.py dbshell',
    'zig run -',
    'cabal run /dev/stdin',
    'python3 -mpdb x.py',
    'php -R x',
    // A program that executes the file that an option names.
    'make --file=-',
    'make -sf-',
    'make --makefile=/dev/stdin',
    'bmake -f -',
    'just -f -',
    // A program that runs another program, which an option or a word names.
    'split --filter=sh',
    'tar xf - --to-command=python3',
    'tar --checkpoint-action=exec=sh -x',
    'git -c alias.x=!sh x',
    'sort --compress-prog=sh',
    'aws-vault exec x',
    'op run -- psql',
    'npx -y @scope/tsx@1',
    'npx tsx@latest',
    // A program that runs a shell when no program is named, or that runs something in a container.
    'npx',
    'npm exec',
    'docker start -ai x',
    'docker build -',
    'podman-remote run x',
    'kubectl debug -i x',
  ])('%s', (line) => expect([fed(line), fedScript(line.replace('!', "'!'"))]).toEqual([true, true]));

  it('is named among the words of an option', () => {
    expect(fedScript("split --filter 'sh -s'")).toBe(true);
    expect(fedScript("git -c 'alias.x=!python3 -' x")).toBe(true);
  });
});

describe('[AP12] Input of a script is executed by', () => {
  it.each([
    'sh',
    'python3',
    'python3 -',
    'bash -s',
    'cat | sh',
    'sort | python3',
    'env sh',
    'bash -c sh',
    'bash -c "cat | sh"',
    'ssh host',
    'psql',
    'make -f -',
    'npx tsx',
    // Scripts that `plainScript` cannot parse.
    'sort > f',
    '$0',
    'eval sort',
    'read x; $x',
    '. /dev/stdin',
    'sort &',
    '',
    // Input that becomes a file, which is executed.
    'tee f; sh f',
    'tee f && ./f',
    'tee f | bash f',
    'dd of=f; python3 f',
    'sort -o f; npm test',
    'uniq - f; make',
    'tee f; sort --compress-program=./f g',
    'cp a b; ./b',
  ])('%j', (script) => expect(fedScript(script)).toBe(true));

  it('a shell that may act before its script, or reads it in another way', () => {
    expect(fedScript('sort', 'bash', false)).toBe(true);
    expect(fedScript('sort', 'fish')).toBe(true);
    expect(isFedByStdin(['bash', '-c', '-i', 'sort'], true)).toBe(true);
    expect(isFedByStdin(['bash', '-ic', 'sort'], true)).toBe(true);
    expect(isFedByStdin(['bash', '-c', 'sort', 'x', 'y'], true)).toBe(true);
  });
});

describe('[AP12] Input of a script is data for', () => {
  it.each([
    'sort',
    'cat',
    'sort | uniq -c | head -3',
    'grep -v "a b" | wc -l',
    "jq '.name'",
    'cd web && npm test',
    'cat; echo done',
    'node server.js',
    'git apply -',
    'bash -c sort',
    'tee f | wc -l',
    'grep sh',
    'which bash python3',
    'cat; echo python3',
    'split --filter=cat',
    "git commit -F - -m 'fix the shell'",
    'bundle exec rake',
  ])('%j', (script) => {
    expect(fedScript(script)).toBe(false);
    expect(isFedByStdin(['/bin/sh', '-lc', script], true)).toBe(false);
  });
});
