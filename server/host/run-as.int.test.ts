// Processes and files as another user: rules RU1 to RU6. Only root can start processes as another user.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { workspaceWrite } from '../testing/intents.ts';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';
import { PATH } from '../testing/test-child.ts';
import { lookAsUser } from './look-as-user.ts';
import { osProcesses } from './os-process.ts';
import { findUser } from './user.ts';

const isRoot = process.getuid?.() === 0 && process.platform === 'linux';

it('[RU1] findUser rejects an unknown user, root, and a gateway that root has not started', () => {
  const why = isRoot ? /no such user/ : /was started as root|only Linux/;
  expect(() => findUser('nobody-of-this-name')).toThrow(why);
  if (isRoot) expect(() => findUser('root')).toThrow('root');
});

describe.runIf(isRoot)('A process as nobody', () => {
  let server: TestServer;
  let client: TestClient;
  let dir: string;
  let started = 0;

  beforeAll(async () => {
    const user = findUser('nobody');
    dir = mkdtempSync('/var/tmp/run-as-');
    chmodSync(dir, 0o755);
    mkdirSync(join(dir, 'theirs'));
    execFileSync('chown', [`${user.uid}:${user.gid}`, join(dir, 'theirs')]);
    mkdirSync(join(dir, 'closed/open'), { recursive: true });
    writeFileSync(join(dir, 'closed/open/file'), 'x');
    chmodSync(join(dir, 'closed'), 0o700);
    writeFileSync(join(dir, 'mine'), 'of root', { mode: 0o600 });
    server = await TestServer.start({}, { user });
    client = await server.client();
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dir, { recursive: true });
  });

  const uri = (path: string): string => pathToFileURL(path).href;

  async function start(script: string, more: object = {}): Promise<string> {
    const processId = `p${(started += 1)}`;
    await client.request('process/start', {
      processId,
      argv: ['sh', '-c', script],
      cwd: uri(join(dir, 'theirs')),
      env: { PATH },
      tty: false,
      arg0: null,
      ...more,
    });
    return processId;
  }

  async function printed(processId: string): Promise<string> {
    await client.request('process/wait', { processId, waitMs: 20_000 });
    const { chunks } = await client.request<{ chunks: { chunk: string }[] }>('process/read', {
      processId,
      afterSeq: 0,
    });
    return chunks.map(({ chunk }) => Buffer.from(chunk, 'base64').toString()).join('');
  }

  const run = async (script: string, more: object = {}): Promise<string> =>
    printed(await start(script, more));

  it.each([{ tty: false }, { tty: true }])(
    '[RU1] runs as that user, in its group and no other: %j',
    async (more) => {
      const output = await run(
        'id -u; id -g; grep Groups: /proc/self/status; grep CapEff /proc/self/status',
        more,
      );
      expect(output.split(/\s+/)).toEqual(['65534', '65534', 'Groups:', 'CapEff:', '0000000000000000', '']);
    },
  );

  it('[RU1] runs as that user with arg0 too', async () => {
    expect(await run('id -u; echo $0; pwd', { arg0: 'own-name' })).toMatch(/^65534\n.*\n\/var\/tmp/);
    expect(await run('id -u', { arg0: 'own-name', tty: true })).toBe('65534\r\n');
  });

  it('[RU2] has that user’s home and names, and nothing of the gateway’s user', async () => {
    const envPolicy = { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] };
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'of root');
    vi.stubEnv('SOME_TOOLS_CONFIG', 'in the home of root');
    const output = await run('env', { env: { PATH }, envPolicy });
    vi.unstubAllEnvs();
    expect(output).toMatch(/^HOME=\/nonexistent$/m);
    expect(output).toMatch(/^USER=nobody$/m);
    expect(output).toMatch(/^LOGNAME=nobody$/m);
    expect(output).not.toContain('root');
    expect(output).not.toMatch(/^(XDG_|SUDO_|PERL_BADLANG)/m);
  });

  it('[RU3] cannot read the gateway’s state, its environment or root’s files, nor signal it', async () => {
    const output = await run(
      [
        `ls ${server.stateDir}`,
        `cat ${join(dir, 'mine')}`,
        `cat /proc/${process.pid}/environ`,
        `ls /proc/${process.pid}/fd/`,
        `kill -0 ${process.pid}`,
        'echo end',
      ].join('; '),
    );
    expect(output.match(/denied|not permitted/gi)).toHaveLength(5);
    expect(output).toContain('end');
  });

  it('[RU4] has only its own three streams open, and can open them by name', async () => {
    const script =
      'ls /proc/self/fd | wc -w; echo again > /dev/stdout; echo error > /dev/stderr; cat /dev/stdin';
    const processId = await start(script, { pipeStdin: true });
    await client.request('process/write', { processId, writeId: '1', chunk: 'aW4=' });
    await client.request('process/closeStdin', { processId });
    const output = await printed(processId);
    // A child of the tests inherits the descriptors of the tests; a child of a keeper does not.
    const asAnyChild = execFileSync('sh', ['-c', 'ls /proc/self/fd | wc -w'], { encoding: 'utf8' });
    expect(Number(/\d+/.exec(output)?.[0])).toBeLessThanOrEqual(Number(asAnyChild));
    for (const part of ['again\n', 'error\n', 'in']) expect(output).toContain(part);
  });

  it('[PK2] exists for requests sent right behind its start', async () => {
    const asked = start('cat', { pipeStdin: true });
    const processId = `p${started}`;
    const written = client.request('process/write', { processId, writeId: '1', chunk: 'aW4=' });
    const closed = client.request('process/closeStdin', { processId });
    const accepted = { status: 'accepted' };
    expect(await Promise.all([asked, written, closed])).toMatchObject([processId, accepted, accepted]);
    expect(await printed(processId)).toBe('in');
  });

  it('[RU4] has its own terminal, which it can open by name and as /dev/tty', async () => {
    const output = await run(
      'echo one > /dev/tty; echo two > $(tty); echo three > /dev/stdout; stat -c %U $(tty)',
      {
        tty: true,
      },
    );
    expect(output).toBe('one\r\ntwo\r\nthree\r\nnobody\r\n');
  });

  it('[RU5] can be interrupted, and is terminated with its descendants', async () => {
    const onTerminal = await start(
      'trap "echo caught; exit 3" INT; echo ready; while :; do sleep 0.1; done',
      {
        tty: true,
      },
    );
    await client.waitOutput(onTerminal, 'ready');
    await client.request('process/write', { processId: onTerminal, writeId: '1', chunk: 'Aw==' });
    expect(await printed(onTerminal)).toContain('caught');
    const sleeping = await start('sleep 1000 & echo $!; wait');
    await client.waitOutput(sleeping, '\n');
    expect(await client.request('process/terminate', { processId: sleeping })).toEqual({ running: true });
    expect(Number(await printed(sleeping))).toBeGreaterThan(1);
  });

  it('[RU1] is not started in a folder that the user cannot enter, nor from a file that the user cannot run', async () => {
    await expect(start('pwd', { cwd: uri(join(dir, 'closed/open')) })).rejects.toThrow(
      /folder \S+ cannot be entered by user nobody/,
    );
    await expect(start('', { argv: [join(dir, 'mine')] })).rejects.toThrow(/nobody is not allowed to run it/);
    await expect(start('', { argv: ['no-such-program-here'] })).rejects.toThrow(/not found/);
  });

  it('[RU6] file requests act as that user, by path and by handle', async () => {
    const path = uri(join(dir, 'theirs/file'));
    await client.request('fs/writeFile', { path, dataBase64: 'aGVsbG8=' });
    expect(readFileSync(join(dir, 'theirs/file'), 'utf8')).toBe('hello');
    expect(execFileSync('stat', ['-c', '%U', join(dir, 'theirs/file')], { encoding: 'utf8' })).toBe(
      'nobody\n',
    );
    await client.request('fs/open', { handleId: 'h', path });
    const block = await client.request('fs/readBlock', { handleId: 'h', offset: 0, len: 10 });
    expect(block).toMatchObject({ chunk: 'aGVsbG8=' });
    await client.request('fs/close', { handleId: 'h' });
    const forbidden: [string, object][] = [
      ['fs/readFile', { path: uri(join(dir, 'mine')) }],
      ['fs/readDirectory', { path: uri(server.stateDir) }],
      ['fs/writeFile', { path: uri(join(dir, 'new')), dataBase64: '' }],
      ['fs/watchMissing', { watchId: 1, missing: [uri(join(dir, 'x'))], present: null }],
    ];
    for (const [method, params] of forbidden)
      await expect(client.request(method, params)).rejects.toMatchObject({ code: -32600 });
    expect(await client.request('fs/readFile', { path })).toEqual({ dataBase64: 'aGVsbG8=' });
  });

  it('[RU3] does not delay other requests while its program is looked up as that user', async () => {
    let settled = 0;
    const starts = Array.from({ length: 8 }, () => start('exit').finally(() => (settled += 1)));
    await client.request('environment/status');
    expect(settled).toBeLessThan(starts.length);
    await Promise.all(starts);
  });

  it('[RU3] is refused within two seconds when the lookup of its program is stopped', async () => {
    const name = `never-there-${process.pid}`;
    const candidates = Array.from({ length: 20_000 }, (_, at) => `/nowhere/${at}/${name}`);
    const looking = lookAsUser(findUser('nobody'), '/', candidates).catch(String);
    const looker = osProcesses(performance.now()).find(({ pid, parent }) => {
      return parent === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(name);
    });
    if (!looker) throw new Error('nothing looks for it');
    process.kill(looker.pid, 'SIGSTOP');
    expect(await looking).toContain('took longer than 2 s');
  });

  it('[RU3] delays file requests by only ten seconds when it stops the file helper of another client', async () => {
    const other = await server.client();
    const path = uri(join(dir, 'theirs'));
    await other.request('fs/getMetadata', { path });
    const children = `grep -ls "^PPid:[[:space:]]*${process.pid}$" /proc/[0-9]*/status`;
    const stopped = await run(
      `for s in $(${children}); do p=$(echo $s | cut -d/ -f3); grep -qs file-helper /proc/$p/cmdline && kill -STOP $p && echo stopped; done`,
    );
    expect(stopped).toContain('stopped');
    await expect(other.request('fs/getMetadata', { path })).rejects.toMatchObject({
      message: expect.stringContaining('did not respond for 10 s'),
    });
    await expect(other.request('fs/getMetadata', { path })).resolves.toMatchObject({ isDirectory: true });
  });

  it('[RU3] does not harm the gateway when it kills the file helper of that user', async () => {
    const other = await server.client();
    const path = uri(join(dir, 'theirs'));
    await other.request('fs/getMetadata', { path });
    const children = `grep -ls "^PPid:[[:space:]]*${process.pid}$" /proc/[0-9]*/status`;
    const ended = await run(
      `for s in $(${children}); do p=$(echo $s | cut -d/ -f3); grep -qs file-helper /proc/$p/cmdline && kill -9 $p && echo ended; done`,
    );
    expect(ended).toContain('ended');
    await expect(
      other.request('fs/getMetadata', { path }).catch(() => other.request('fs/getMetadata', { path })),
    ).resolves.toMatchObject({ isDirectory: true });
  });

  it('[RU6] reads of agents’ configuration act as that user', async () => {
    const asked = { cwd: uri(join(dir, 'theirs')), configPaths: [['a']], requirementsPaths: [] };
    expect(await client.request('environmentConfig/read', asked)).toMatchObject({
      userHomeDir: uri('/nonexistent'),
      config: { layers: [] },
    });
  });

  it('[RU1] runs as that user inside a sandbox, which applies as for any user', async () => {
    const sandbox = workspaceWrite(join(dir, 'theirs'));
    expect(
      await run('id -u; touch in && echo written; touch /var/tmp/out || echo kept', { sandbox }),
    ).toMatch(/^65534\nwritten\n[^]*kept\n/);
    const path = uri(join(dir, 'theirs/inside'));
    await client.request('fs/writeFile', { path, dataBase64: 'aGVsbG8=', sandbox });
    expect(readFileSync(join(dir, 'theirs/inside'), 'utf8')).toBe('hello');
  });
});
