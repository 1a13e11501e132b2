// Sandboxes of another user, whose helper program checks the files and creates the placeholders.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { osProcesses } from '../os-process.ts';
import { findUser } from '../user.ts';
import type { WatchResult } from '../../../protocol/console.ts';
import { readOnly, workspaceWrite } from '../../testing/intents.ts';
import { PATH } from '../../testing/test-child.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { TestServer } from '../../testing/test-server.ts';
import { AsUser } from './as-user.ts';
import type { Floor } from './floor.ts';

const isRoot = process.getuid?.() === 0 && process.platform === 'linux';

describe('A helper program of another user', () => {
  const self = { name: 'somebody', home: '/', uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const asked = { floor: 'read-only', intent: null, cwd: '/', tmpdir: undefined, chosen: [] } as const;
  const grant = '{"path":"/","kind":"folder","access":"read"}';

  it.each([
    ['exits at once', 'exit 0', 'has ended'],
    ['prints something other than JSON', 'echo hello', 'JSON'],
    [
      'answers with an invalid policy',
      'echo "{}"; read q; echo "{\\"done\\":{\\"grants\\":[]}}"',
      'did not return a policy',
    ],
    [
      'answers with an invalid path',
      `echo "{}"; read q; echo '{"done":{"grants":[${grant}],"denied":[{"path":"--bind","kind":"file"}],"network":"enabled"}}'`,
      'did not return a policy',
    ],
    [
      'refuses with something other than text',
      `echo "{}"; read q; echo '{"refused":{"toString":1}}'`,
      'gave no reason',
    ],
    ['answers without end', 'exec cat /dev/zero', 'bytes'],
    ['answers twice', 'echo "{}"; read q; printf "{}\\n{}\\n"', 'JSON'],
    ['answers with unlimited depth', `echo "{}"; read q; printf '%0100000d\\n' 0 | tr 0 '['`, 'JSON'],
    ['is missing', null, 'ENOENT'],
  ])('[RU3] causes an error: %s', async (_what, script, why) => {
    const argv = script === null ? ['/nowhere/at/all'] : ['/bin/sh', '-c', script];
    const asUser = new AsUser(self, argv);
    await expect(asUser.inTurn(() => asUser.policy(asked))).rejects.toThrow(why);
    await asUser.close();
  });

  it('[RU3] causes an error after two seconds when it never answers, even for requests that wait behind it', async () => {
    const asUser = new AsUser(self, ['/bin/sh', '-c', 'echo "{}"; exec cat >/dev/null']);
    const turns = [1, 2].map(() => asUser.inTurnSoon(() => asUser.policy(asked)).catch(String));
    expect(await Promise.all(turns)).toEqual([
      expect.stringContaining('2 s'),
      expect.stringContaining('2 s'),
    ]);
    await asUser.close();
    await expect(asUser.inTurn(() => asUser.policy(asked))).rejects.toThrow('gateway is stopping');
  });
});

// Only root can start processes as another user.
describe.runIf(isRoot)('As nobody', () => {
  const servers = new Map<Floor, TestServer>();
  const clients = new Map<Floor, TestClient>();
  let dir: string;
  let started = 0;

  beforeAll(async () => {
    const user = findUser('nobody');
    dir = mkdtempSync('/var/tmp/as-user-');
    chmodSync(dir, 0o755);
    for (const name of ['theirs', 'theirs/repo']) {
      mkdirSync(join(dir, name));
      execFileSync('chown', [`${user.uid}:${user.gid}`, join(dir, name)]);
    }
    mkdirSync(join(dir, 'closed/folder/.git'), { recursive: true });
    writeFileSync(join(dir, 'closed/file'), 'x');
    symlinkSync('folder', join(dir, 'closed/linked'));
    symlinkSync('loop', join(dir, 'closed/loop'));
    chmodSync(join(dir, 'closed'), 0o700);
    symlinkSync(join(dir, 'closed/folder'), join(dir, 'way'));
    for (const sandbox of ['none', 'workspace-write'] as const) {
      const server = await TestServer.start({}, { user, sandbox });
      servers.set(sandbox, server);
      clients.set(sandbox, await server.client());
    }
  });
  afterAll(async () => {
    for (const server of servers.values()) await server.stop();
    rmSync(dir, { recursive: true });
  });

  const uri = (path: string): string => pathToFileURL(path).href;

  function clientOf(floor: Floor): TestClient {
    const client = clients.get(floor);
    if (!client) throw new Error('misuse: no such gateway');
    return client;
  }

  const start = (floor: Floor, script: string, more: object = {}): Promise<{ processId: string }> => {
    const processId = `p${(started += 1)}`;
    return clientOf(floor)
      .request('process/start', {
        processId,
        argv: ['sh', '-c', script],
        cwd: uri(join(dir, 'theirs')),
        env: { PATH },
        tty: false,
        arg0: null,
        ...more,
      })
      .then(() => ({ processId }));
  };

  const ended = (floor: Floor, processId: string): Promise<{ exit?: unknown }> =>
    clientOf(floor).request('process/wait', { processId, waitMs: 20_000 });

  /** Returns the description of the sandbox of a start, or the error of the start as text. */
  async function result(floor: Floor, sandbox: object | null, more: object = {}): Promise<string> {
    try {
      const { processId } = await start(floor, 'exit', { sandbox, ...more });
      const operator = await servers.get(floor)?.client('operator');
      const { processes } = (await operator?.request<WatchResult>('console/watch')) ?? { processes: [] };
      return String(processes.find((each) => each.processId === processId)?.sandbox);
    } catch (error) {
      return String(error);
    }
  }

  const withEntry = (entry: object): object => {
    const base = readOnly('/') as { permissions: { file_system: { entries: object[] } } };
    const { file_system } = base.permissions;
    const entries = [...file_system.entries, entry];
    return { ...base, permissions: { ...base.permissions, file_system: { ...file_system, entries } } };
  };

  const entryAt =
    (access: string, more: object = {}) =>
    (path: string): object =>
      withEntry({ path: { type: 'path', path: uri(path) }, access, ...more });

  const NAMES = [
    'folder',
    'folder/',
    'folder/.git',
    'file',
    'file/below',
    'linked',
    'loop',
    'missing',
    'missing/deep',
  ];

  async function alike(ask: (path: string) => Promise<string>): Promise<void> {
    const answers = await Promise.all(
      NAMES.map(async (name) => {
        const path = join(dir, 'closed', name);
        const reply = await ask(path);
        const spelled = [uri(path), path, path.replace(/\/$/, '')];
        return spelled.reduce((rest, each) => rest.replaceAll(each, 'PATH'), reply);
      }),
    );
    for (const [at, answer] of answers.entries())
      expect([NAMES[at], answer]).toEqual([NAMES[at], answers[0]]);
  }

  it.each<[string, Floor, (path: string) => object]>([
    ['a path to read', 'none', entryAt('read')],
    ['a path to write', 'none', entryAt('write')],
    ['a denied path', 'none', entryAt('none')],
    ['a path that is denied if it exists', 'none', entryAt('none', { missing_path_behavior: 'skip' })],
    ['a workspace', 'none', workspaceWrite],
    ['a workspace under the floor', 'workspace-write', workspaceWrite],
    ['only a root under the floor', 'workspace-write', readOnly],
    ['a denied path under the floor', 'workspace-write', entryAt('none')],
  ])(
    '[RU7] %s in a folder that the user cannot enter gets the same answer, whatever exists there (%s)',
    async (_what, floor, intent) => alike((path) => result(floor, intent(path))),
  );

  it.each(['none', 'workspace-write'] as const)(
    '[RU7] a working directory in such a folder gets the same answer, whatever exists there (%s)',
    async (floor) => alike((path) => result(floor, null, { cwd: uri(path) })),
  );

  it('[RU7] a file request with a sandbox there gets the same answer, whatever exists there', async () => {
    for (const intent of [entryAt('read'), workspaceWrite]) {
      await alike((path) =>
        clientOf('none')
          .request('fs/getMetadata', { path: uri('/'), sandbox: intent(path) })
          .then(() => 'done', String),
      );
    }
  });

  it('[RU7] a link into such a folder does not reveal its target', async () => {
    for (const floor of ['none', 'workspace-write'] as const) {
      for (const intent of [workspaceWrite, readOnly, entryAt('write')]) {
        expect(await result(floor, intent(join(dir, 'way')))).not.toContain('closed');
      }
    }
  });

  it('[RU7] paths that the user can see are reported as usual', async () => {
    symlinkSync('repo', join(dir, 'theirs/link'));
    expect(await result('none', workspaceWrite(join(dir, 'theirs/link')))).toContain(
      `writes to ${join(dir, 'theirs/repo')}`,
    );
    expect(await result('none', entryAt('read')(join(dir, 'theirs/link')))).toContain('is a symbolic link');
  });

  it('[RU7] placeholders are created by the user, and removed with the sandbox', async () => {
    const repo = join(dir, 'theirs/repo');
    const sandbox = workspaceWrite(repo);
    const { processId } = await start('none', 'echo up; cat', { sandbox, pipeStdin: true });
    await clientOf('none').waitOutput(processId, 'up');
    expect(statSync(join(repo, '.git')).uid).toBe(findUser('nobody').uid);
    await clientOf('none').request('process/terminate', { processId });
    await ended('none', processId);
    // The reply arrives only after the placeholders have been removed, since earlier requests have their turn first.
    await clientOf('none').request('fs/getMetadata', { path: uri('/'), sandbox });
    expect(readdirSync(repo)).toEqual([]);
  });

  it('[RU7] a start is rejected when the user cannot create a placeholder', async () => {
    const repo = join(dir, 'ours');
    mkdirSync(repo);
    await expect(start('none', 'exit', { sandbox: workspaceWrite(repo) })).rejects.toThrow(/EACCES.*\.git/);
    expect(existsSync(join(repo, '.git'))).toBe(false);
  });

  /** Returns the PIDs of all gateways' helper programs. */
  const programs = (): number[] =>
    osProcesses(performance.now())
      .filter(({ pid, parent }) => {
        return (
          parent === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('as-user-entry')
        );
      })
      .map(({ pid }) => pid);

  it('[RU3] a start is refused within seconds when the helper is stopped, and delays no other client', async () => {
    const sandbox = readOnly(join(dir, 'theirs'));
    await start('none', 'exit', { sandbox });
    for (const pid of programs()) process.kill(pid, 'SIGSTOP');
    let isSettled = false;
    const stopped = start('none', 'exit', { sandbox }).then(String, String);
    void stopped.then(() => (isSettled = true));
    await clientOf('workspace-write').request('environment/status');
    const other = await servers.get('none')?.client();
    await other?.request('fs/getMetadata', { path: uri('/') });
    expect(isSettled).toBe(false);
    expect(await stopped).toContain('took longer than 2 s');
    const { processId } = await start('none', 'exit', { sandbox });
    expect(await ended('none', processId)).toBeDefined();
  });

  it('[RU3] placeholders that cannot be removed at once are removed with those of the next sandbox', async () => {
    const repo = join(dir, 'theirs/repo');
    const sandbox = workspaceWrite(repo);
    const { processId } = await start('none', 'echo up; cat', { sandbox, pipeStdin: true });
    await clientOf('none').waitOutput(processId, 'up');
    for (const pid of programs()) process.kill(pid, 'SIGSTOP');
    await clientOf('none').request('process/terminate', { processId });
    await ended('none', processId);
    expect(readdirSync(repo)).toContain('.git');
    await clientOf('none').request('fs/getMetadata', { path: uri('/'), sandbox });
    expect(readdirSync(repo)).toEqual([]);
  });

  it('[RU3] many starts of one token do not hold up other tokens', async () => {
    const sandbox = readOnly(join(dir, 'theirs'));
    for (const pid of programs()) process.kill(pid, 'SIGKILL');
    const server = servers.get('none');
    if (!server) throw new Error('misuse: no such gateway');
    const agents = await Promise.all(Array.from({ length: 6 }, () => server.client()));
    const operator = await server.client('operator');
    let settled = 0;
    const count = (): void => void (settled += 1);
    const argv = ['sh', '-c', 'exit'];
    const many = agents.flatMap((agent) =>
      Array.from({ length: 20 }, () => agent.start(argv, { sandbox }).then(count, count)),
    );
    await Promise.all(agents.map((agent) => agent.request('environment/status')));
    const before = settled;
    await operator.start(argv, { sandbox });
    expect(settled - before).toBeLessThan(many.length / 4);
    await Promise.all(many);
  });

  it('[RU3] a helper that was killed is replaced for the next start', async () => {
    for (const pid of programs()) process.kill(pid, 'SIGKILL');
    const answers = await Promise.all(
      [1, 2, 3].map(() => start('none', 'exit', { sandbox: readOnly('/') }).then(() => 'started', String)),
    );
    expect(answers).toContain('started');
  });
});
