// Programs whose input a person has to approve before they read it: rule AP12.
import { describe, expect, it } from 'vitest';
import { isFedByStdin } from './fed-by-stdin.ts';

const fed = (line: string): boolean => isFedByStdin(line.split(' '));

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
  ])('%s', (line) => expect(fed(line)).toBe(false));
});
