// Attacks from inside a sandbox; each one succeeds without a sandbox, which proves that the sandbox stops it.
import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxIntent } from '../../../protocol/sandbox.ts';
import { placeholders, sandboxedArgv } from './bubblewrap.ts';
import { carried } from './carried.ts';
import { policyOf } from './intent.ts';
import { Placeholders } from './placeholders.ts';
import { isFiltered, seccompFilter } from './seccomp.ts';
import { findSupport, type Support } from './support.ts';

const top = mkdtempSync(join(tmpdir(), 'sandbox-attacks-'));
const [work, outside, state] = ['work', 'outside', 'state'].map((name) => join(top, name)) as [
  string,
  string,
  string,
];
const ENV = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' };
/** Context of a sandboxed command; `env` also has the variables that a command outside needs. */
const AROUND = { cwd: work, env: { ...ENV, ...carried(ENV) } };
const filter = join(top, 'filter');
const servers: Server[] = [];
let support: Support;
let port = 0;
/** A process that binds a socket to a name and does not read from it. */
let datagrams: ChildProcessByStdio<Writable, Readable, null>;

beforeAll(async () => {
  chmodSync(top, 0o755);
  if (isFiltered(process.arch))
    writeFileSync(filter, seccompFilter(process.arch, 'restricted'), { mode: 0o644 });
  support = await findSupport(filter);
  mkdirSync(state);
  for (const where of [{ port: 0, host: '127.0.0.1' }, { path: join(top, 'socket') }, { path: `\0${top}` }]) {
    const server = createServer((socket) => socket.end()).listen(where);
    await once(server, 'listening');
    servers.push(server);
  }
  chmodSync(join(top, 'socket'), 0o777);
  // Node has no datagram sockets of this kind.
  const bind = `import socket; s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind('${top}/datagrams'); print(flush=True)`;
  datagrams = spawn('python3', ['-c', `${bind}; input()`], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(datagrams.stdout, 'data');
  chmodSync(join(top, 'datagrams'), 0o777);
  const address = servers[0]?.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(() => {
  datagrams.kill();
  for (const server of servers) server.close();
  rmSync(top, { recursive: true, force: true });
});
beforeEach(() => {
  for (const folder of [work, outside]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    chmodSync(folder, 0o777);
  }
  symlinkSync(outside, join(work, 'link'));
  writeFileSync(join(work, 'secret'), 'hidden');
  writeFileSync(join(outside, 'file'), 'old');
  for (const file of [join(work, 'secret'), join(outside, 'file')]) chmodSync(file, 0o666);
});

function sandboxed(argv: readonly string[]): { argv: string[]; mounts: string[] } {
  const special = (kind: string, access: string, more = {}): object => ({
    path: { type: 'special', value: { kind, ...more } },
    access,
  });
  const intent = sandboxIntent.parse({
    permissions: {
      type: 'managed',
      file_system: {
        type: 'restricted',
        entries: [
          special('root', 'read'),
          special('project_roots', 'write'),
          special('project_roots', 'read', { subpath: '.git' }),
          { path: { type: 'path', path: `file://${work}/secret` }, access: 'none' },
        ],
      },
      network: 'restricted',
    },
    workspaceRoots: [`file://${work}`],
  });
  const policy = policyOf(intent, { cwd: work, tmpdir: undefined, masked: [state] });
  if (support.means !== 'bubblewrap') throw new Error('these tests need bubblewrap');
  const command = { argv, arg0: null, cwd: work, env: ENV };
  return {
    argv: sandboxedArgv(policy, command, { bwrap: support.bwrap, filter }),
    mounts: placeholders(policy, () => false),
  };
}

const asUser = (user: 'self' | 'nobody', argv: readonly string[]): string[] =>
  user === 'self'
    ? [...argv]
    : ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', ...argv];

function run(user: 'self' | 'nobody', argv: readonly string[]): number | null {
  const [file = '', ...args] = asUser(user, argv);
  return spawnSync(file, args, { ...AROUND, stdio: ['ignore', 'ignore', 'ignore'] }).status;
}

const connect = (family: string, to: string): string =>
  `python3 -c "import socket; socket.socket(socket.${family}).connect(${to})"`;

/** Sends from one socket of a pair; the kernel makes `SOCK_RAW` a datagram socket, too. */
const send = (type: string): string =>
  `python3 -c "import socket; socket.socketpair(socket.AF_UNIX, ${type})[0].sendto(b'x', '${top}/datagrams')"`;

/**
 * Returns a script that attacks the first process of the sandbox or, outside, a child; `how` refers to it as
 * `first`. A program that controls the first process can keep the sandbox running after its leader has ended.
 */
const toFirst = (how: string): string =>
  'python3 -c "' +
  'import ctypes, os, subprocess; libc = ctypes.CDLL(None, use_errno=True); ' +
  "first = 1 if os.getppid() < 3 else subprocess.Popen(['sleep', '5']).pid; " +
  `${how}"`;

/** Returns an attack by a system call, which exits with 1 when the call fails. */
const call = (text: string): string => toFirst(`os._exit(libc.${text} < 0)`);

const attacks: readonly (readonly [name: string, command: () => string])[] = [
  ['write outside', () => `echo x > ${outside}/new`],
  ['write through a symlink', () => 'echo x > link/new'],
  ['write through a hard link', () => `ln ${outside}/file hard && echo x > hard`],
  ['write through /proc/self/root', () => `echo x > /proc/self/root${outside}/new`],
  ['write to a new path', () => `mkdir -p ${outside}/a/b && echo x > ${outside}/a/b/c`],
  ['write from the background', () => `(echo x > ${outside}/new) & wait $!`],
  ['create a protected path', () => 'mkdir .git && echo x > .git/config'],
  ['mount a file system', () => 'unshare --user --map-root-user --mount mount -t tmpfs none /mnt'],
  ['read a denied file', () => 'cat secret'],
  ['replace a denied file', () => 'mv secret other && cat other'],
  ['list the gateway’s state', () => `ls ${state}`],
  ['reach loopback', () => connect('AF_INET', `('127.0.0.1', ${port})`)],
  ['reach a socket with a path', () => connect('AF_UNIX', `'${top}/socket'`)],
  ['send to a named socket from a pair', () => send('socket.SOCK_DGRAM')],
  ['send to a named socket from a raw pair', () => send('socket.SOCK_RAW')],
  ['send to a named socket from a raw pair with flags', () => send('socket.SOCK_RAW | socket.SOCK_CLOEXEC')],
  ['attach to its first process', () => call('ptrace(16, first, 0, 0)')],
  ['seize its first process', () => call('ptrace(0x4206, first, 0, 0)')],
  ['write to the memory of its first process', () => call('process_vm_writev(first, None, 0, None, 0, 0)')],
  ['read the memory of its first process', () => call('process_vm_readv(first, None, 0, None, 0, 0)')],
  ['open the memory of its first process', () => toFirst("open(f'/proc/{first}/mem', 'r+b')")],
  ['list what its first process has open', () => toFirst("os.listdir(f'/proc/{first}/fd')")],
  ['take a descriptor of its first process', () => call('syscall(438, libc.syscall(434, first, 0), 0, 0)')],
  ['reach an abstract socket', () => connect('AF_UNIX', `(chr(0) + '${top}').ljust(108, chr(0))`)],
];

describe.each(process.getuid?.() === 0 ? (['self', 'nobody'] as const) : (['self'] as const))(
  'A sandboxed command run as %s',
  (user) => {
    it.each(attacks)('[SB7] cannot %s', (_name, command) => {
      const argv = ['/bin/sh', '-c', command()];
      const inside = sandboxed(argv);
      const held = new Placeholders(top);
      const release = held.hold(inside.mounts);
      expect(run(user, inside.argv)).not.toBe(0);
      release();
      expect(readdirSync(work).toSorted()).toEqual(['link', 'secret']);
      expect(run(user, argv)).toBe(0);
    });

    it('[SB7] can do ordinary work', () => {
      const inside = sandboxed(['/bin/sh', '-c', 'echo x > new && cat new /etc/passwd && exit 7']);
      const release = new Placeholders(top).hold(inside.mounts);
      expect(run(user, inside.argv)).toBe(7);
      release();
    });

    it.each(['kill -0', 'cat /proc/%/environ; kill -0'])(
      '[SB7] cannot reach a process outside: %s',
      (how) => {
        const [file = '', ...args] = asUser(user, ['sleep', '60']);
        const victim = spawn(file, args, { stdio: 'ignore' });
        const argv = ['/bin/sh', '-c', `${how.replace('%', String(victim.pid))} ${victim.pid}`];
        const inside = sandboxed(argv);
        const release = new Placeholders(top).hold(inside.mounts);
        expect(run(user, inside.argv)).not.toBe(0);
        release();
        expect(run(user, argv)).toBe(0);
        victim.kill();
      },
    );
  },
);

it('[SB7] a sandboxed command inherits no descriptor below ten except its streams', () => {
  const argv = ['/bin/sh', '-c', 'echo x >&3'];
  const inside = sandboxed(argv);
  const release = new Placeholders(top).hold(inside.mounts);
  const status = ([file = '', ...args]: readonly string[]): number | null =>
    spawnSync(file, args, { ...AROUND, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] }).status;
  expect(status(inside.argv)).not.toBe(0);
  release();
  expect(status(argv)).toBe(0);
});

/** A kernel that refuses this to all programs (dev.tty.legacy_tiocsti = 0) returns EIO; the filter returns EPERM. */
it('[SB6] a sandboxed command cannot type into a terminal', () => {
  const code =
    "import fcntl, os\ntry: fcntl.ioctl(os.openpty()[1], 0x5412, b'x')\nexcept OSError as e: os._exit(e.errno)";
  const inside = sandboxed(['python3', '-c', code]);
  const release = new Placeholders(top).hold(inside.mounts);
  expect(run('self', inside.argv)).toBe(constants.errno.EPERM);
  release();
  if (process.getuid?.() === 0) expect(run('self', ['python3', '-c', code])).not.toBe(constants.errno.EPERM);
});

it('[SB7] a sandboxed command can handle an interrupt of its group', async () => {
  const inside = sandboxed(['/bin/sh', '-c', 'trap "exit 9" INT; echo up; while :; do sleep 0.05; done']);
  const release = new Placeholders(top).hold(inside.mounts);
  const [file = '', ...args] = inside.argv;
  const child = spawn(file, args, { ...AROUND, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  await once(child.stdout, 'data');
  process.kill(-(child.pid ?? 0), 'SIGINT');
  const [code] = (await once(child, 'exit')) as [number | null];
  release();
  expect(code).toBe(9);
});

it('[SB7] a sandboxed command leaves no process when its leader ends', async () => {
  const inside = sandboxed(['/bin/sh', '-c', 'setsid sh -c "echo up; sleep 60" & wait']);
  const release = new Placeholders(top).hold(inside.mounts);
  const [file = '', ...args] = inside.argv;
  const child = spawn(file, args, { ...AROUND, stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  // The descendant holds the pipe open, so `close` comes only when it has ended.
  await once(child, 'close');
  release();
  expect(existsSync(join(work, '.git'))).toBe(false);
});
