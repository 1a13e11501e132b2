// Tests that the built gateway reports lacking resources, harms nothing else, and recovers later.
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { findLocalGateway } from './policy/local-gateway.ts';
import { CommandLine, type StartOptions } from './testing/command-line.ts';
import { writeTestCertificate } from './testing/test-certificate.ts';
import { starterOf, TESTS_HAVE_KEEPER } from './testing/keeper-tests.ts';
import { TestClient } from './testing/test-client.ts';

const NOBODY = 65_534;
const AS_NOBODY = ['setpriv', '--reuid', String(NOBODY), '--clear-groups'];
const KIB = 1024;

/** Returns true when the system permits a command; some tests need Linux, root or namespaces. */
const can = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;
const hasLimits = can('prlimit', '--pid', String(process.pid));
const hasMounts = can('unshare', '-m', 'mount', '-t', 'tmpfs', 'none', '/mnt');
const hasNobody = can(
  'setpriv',
  ...AS_NOBODY.slice(1),
  'ls',
  join(import.meta.dirname, '../node_modules/ws'),
);

/** Returns a command prefix for a separate mount namespace, set up by `script`, whose `$0` is the state folder. */
const withMounts = (script: string) => (stateDir: string) => [
  'unshare',
  '-m',
  'sh',
  '-c',
  `${script} && exec "$@"`,
  stateDir,
];

/** Assigns the folder to a user whose processes can be counted; returns a command prefix for that user. */
const asNobody = (folder: string): string[] => {
  chownSync(dirname(folder), NOBODY, NOBODY);
  chownSync(folder, NOBODY, NOBODY);
  return AS_NOBODY;
};

let line: CommandLine;
let client: TestClient;
let pid: number;
let token: string;

afterEach(async () => {
  client.ws.terminate();
  await line.stop();
});

async function start(
  inside?: StartOptions['inside'],
  tls?: ReturnType<typeof writeTestCertificate>,
  record: 'on' | 'off' = 'off',
): Promise<void> {
  // Recording is off by default, because its open files would disturb the count of descriptors.
  const flags = ['--record', record, '--keeper', TESTS_HAVE_KEEPER ? 'auto' : 'off'];
  if (tls) flags.push('--tls-cert', tls.certPath, '--tls-key', tls.keyPath);
  line = await CommandLine.start({ flags, ...(inside && { inside }) });
  pid = line.gateway.pid ?? Number.NaN;
  token = findLocalGateway(stateDir())?.token ?? '';
  client = await TestClient.open(line.url, { token, ...(tls && { ca: tls.cert }) });
  await client.initialize();
}

/** Returns the state folder in the gateway's mount namespace. */
const stateDir = (): string => join(`/proc/${pid}/root`, line.stateDir);

/** Sets a limit as the gateway's own user, because even root is not always allowed to do so for others. */
function limit(what: string, asUser: readonly string[] = [], program = pid): void {
  const [command, ...args] = [...asUser, 'prlimit', '--pid', String(program), what];
  execFileSync(command, args);
}

/** Returns the first free descriptor, which equals the number of open ones if there are no gaps. */
function firstFree(): number {
  const open = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
  let fd = 0;
  while (open.has(fd)) fd += 1;
  return fd;
}

/** Returns the number of open descriptors, excluding those of threads, which start only when needed. */
const descriptors = (): number =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => !/eventfd|eventpoll/.test(linkOf(fd))).length;

function linkOf(fd: string): string {
  try {
    return execFileSync('readlink', [`/proc/${pid}/fd/${fd}`]).toString();
  } catch {
    return 'eventfd';
  }
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const ask = (path: string, init: Asked = {}): Promise<Response> =>
  fetch(new URL(path, line.url.replace('ws', 'http')), {
    ...init,
    headers: { authorization: `Bearer ${token}`, connection: 'close', ...init.headers },
  });

const health = async (): Promise<string> => (await ask('/status')).text();

async function bothWork(): Promise<void> {
  for (const tty of [true, false]) {
    const { processId } = await client.start(['echo', 'works'], { tty });
    await client.waitOutput(processId, 'works');
    await client.waitEvent(processId, 'process/closed');
  }
}

interface Want {
  readonly what: string;
  readonly isPossible: boolean;
  readonly inside?: StartOptions['inside'];
  readonly tty: boolean;
  /** Uses up the resource; resolves with a function that releases it. */
  readonly take: () => Promise<() => Promise<void> | void>;
  readonly error: RegExp;
}

const WANTS: Want[] = [
  {
    what: 'descriptors',
    isPossible: hasLimits,
    tty: false,
    take: async () => {
      const open = readdirSync(`/proc/${starterOf(pid, line.stateDir)}/fd`).length;
      limit(`--nofile=${open + 2}:`, [], starterOf(pid, line.stateDir));
      return () => limit('--nofile=4096:', [], starterOf(pid, line.stateDir));
    },
    error: /cannot start "sleep": the gateway has too many files open \(raise its limit/,
  },
  {
    what: 'terminals',
    isPossible: hasMounts,
    inside: withMounts(
      'mount -t devpts -o newinstance,max=2,ptmxmode=666 devpts /dev/pts && mount --bind /dev/pts/ptmx /dev/ptmx',
    ),
    tty: true,
    take: async () => {
      const held = [await client.start(['cat'], { tty: true }), await client.start(['cat'], { tty: true })];
      return async () => {
        for (const { processId } of held) await client.request('process/terminate', { processId });
        for (const { processId } of held) await client.waitEvent(processId, 'process/closed');
      };
    },
    error: /cannot start "sleep": no pseudo-terminals are left/,
  },
  {
    what: 'processes of an unprivileged user',
    isPossible: hasLimits && hasNobody,
    inside: asNobody,
    tty: false,
    take: async () => {
      limit('--nproc=1:', AS_NOBODY, starterOf(pid, line.stateDir));
      return () => limit('--nproc=4096:', AS_NOBODY, starterOf(pid, line.stateDir));
    },
    error: /cannot start "sleep": the limit on processes is reached \(raise the user's limit/,
  },
];

describe.each(WANTS)('[UB3] Without $what', ({ isPossible, inside, tty, take, error }) => {
  it.skipIf(!isPossible)(
    'a start fails with the reason, everything else continues, and the same start works later',
    async () => {
      await start(inside);
      const { processId: cat } = await client.start(['cat'], { pipeStdin: true });
      await bothWork();
      // The first output opens a file of seqs when there is a keeper; `before` must include it.
      await client.write({ processId: cat }, 'here\n');
      await client.waitOutput(cat, 'here\n');
      const before = descriptors();
      const giveBack = await take();
      for (let n = 0; n < 3; n += 1) {
        const asked = client.start(['sleep', '1000'], { tty });
        await expect(asked).rejects.toMatchObject({ code: -32603, message: expect.stringMatching(error) });
      }
      await client.write({ processId: cat }, 'still here\n');
      await client.waitOutput(cat, 'still here\n');
      expect(await health()).toContain('No process can be started: ');
      await giveBack();
      await expect.poll(health, { timeout: 10_000 }).toContain('"status":"ok"');
      await bothWork();
      expect(descriptors()).toBe(before);
    },
  );
});

describe('[UB3] With its last descriptor', () => {
  it.skipIf(!hasLimits)('the gateway reports its health, except figures that need a descriptor', async () => {
    await start();
    const before = descriptors();
    // The first request loads the metrics library, as in a gateway that is monitored from the start.
    expect((await ask('/metrics')).status).toBe(200);
    // The connection of that request may still be open for a moment after its answer.
    await expect.poll(descriptors).toBe(before);
    const last = firstFree();
    limit(`--nofile=${last + 1}:`);
    for (const path of ['/status', '/metrics']) {
      expect((await ask(path)).status).toBe(200);
      // The next connection needs this descriptor.
      await expect.poll(firstFree).toBe(last);
    }
    limit('--nofile=4096:');
    expect(await health()).toMatch(/"memoryBytes":\d/);
    await bothWork();
  });
});

describe('[UB3] Without room for another thread', () => {
  it.skipIf(!hasLimits || !hasNobody)(
    'the gateway works without its threads, and starts them when there is room',
    async () => {
      await start(asNobody);
      const { key, processId } = await client.start(['sh', '-c', 'echo up; read -r line'], { tty: true });
      await client.waitOutput(processId, 'up');
      limit('--nproc=1:', AS_NOBODY);
      await client.request('console/watch', {});
      await client.request('console/usage', { keys: [key] });
      const search = client.request('console/search', { query: 'up' });
      await expect(search).rejects.toMatchObject({ code: -32603 });
      await client.write({ processId }, 'x');
      limit('--nproc=4096:', AS_NOBODY);
      await expect
        .poll(() => client.request('console/search', { query: 'up' }), { timeout: 10_000 })
        .toMatchObject({ hits: [{ key }] });
      await expect
        .poll(() => client.request('process/snapshot', { key }), { timeout: 10_000 })
        .toMatchObject({ rows: 24 });
    },
  );
});

interface Most {
  readonly what: string;
  readonly most: () => number;
  readonly isAsked: boolean;
}
const MOSTS: Most[] = [
  { what: 'no free descriptor', most: firstFree, isAsked: true },
  { what: 'not even the reserved descriptor', most: () => 3, isAsked: false },
];

describe.each(MOSTS)('[UB3] A termination with $what', ({ most, isAsked }) => {
  it.skipIf(!hasLimits)('ends the process', async () => {
    await start();
    const script = 'trap "echo asked" TERM; echo up; while :; do sleep 0.1; done';
    const { key, processId } = await client.start(['sh', '-c', script]);
    await client.waitOutput(processId, 'up');
    limit(`--nofile=${most()}:`);
    await expect(client.start(['true'])).rejects.toMatchObject({ code: -32603 });
    expect(await client.request('process/terminate', { key, graceMs: 500 })).toEqual({ running: true });
    const { params } = await client.waitEvent(processId, 'process/exited');
    expect(params).toMatchObject({ exitCode: 137 });
    limit('--nofile=4096:');
    await client.waitEvent(processId, 'process/closed');
    expect(client.output(processId).includes('asked')).toBe(isAsked);
    await bothWork();
  });
});

describe('[UB3] With a full disk', () => {
  const withSmallDisk = withMounts('mount -t tmpfs -o size=256k,mode=700 none "$0"');

  /** Fills the disk completely; returns the path of the file that fills it. */
  function fill(): string {
    const path = join(stateDir(), 'fill');
    for (const size of [64 * KIB, KIB, 1]) {
      try {
        for (;;) writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' });
      }
    }
    return path;
  }

  it.skipIf(!hasMounts)(
    'the gateway works, reports that the audit log is unwritten, and later notes how much is missing',
    async () => {
      await start(withSmallDisk, undefined, 'on');
      const filled = fill();
      while (!(await health()).includes('audit log cannot be written')) await bothWork();
      expect(await health()).toMatch(
        /The audit log cannot be written \(.+\): new entries are only in memory/,
      );
      const { entries } = await client.request<{ entries: { act: string }[] }>('console/audit', { limit: 1 });
      expect(entries).toHaveLength(1);
      rmSync(filled);
      await bothWork();
      // Recording recovers with its next write, which takes a moment.
      await expect.poll(health).toContain('"status":"ok"');
      const written = readFileSync(join(stateDir(), 'audit.jsonl'), 'utf8').trim().split('\n');
      const acts = written.map((each) => JSON.parse(each) as { act: string; count?: number });
      expect(acts.find(({ act }) => act === 'unwritten')?.count).toBeGreaterThan(0);
    },
  );

  it.skipIf(!hasMounts)('the commands get a renewed certificate as soon as there is space', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'exec-console-tls-'));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    const renew = () => writeTestCertificate(dir, '127.0.0.1');
    await start(withSmallDisk, renew());
    await client.request('console/watch', {});
    const filled = fill();
    const { fingerprint } = renew();
    const isReported = (): boolean => JSON.stringify(client.log).includes('could not be stored for them');
    await client.until(isReported, 'the warning about the certificate');
    const announced = (): string | null | undefined => findLocalGateway(stateDir())?.fingerprint;
    expect(announced()).not.toBe(fingerprint);
    rmSync(filled);
    await expect.poll(announced, { timeout: 20_000 }).toBe(fingerprint);
  });

  it.skipIf(!hasMounts)('a link fails with the reason, and works when there is space again', async () => {
    await start(withSmallDisk);
    const { url: link } = (await (await ask('/auth/link', { method: 'POST' })).json()) as { url: string };
    const code = /#code=(.*)$/.exec(link)?.[1];
    const exchange = (): Promise<Response> =>
      ask('/auth/exchange', {
        method: 'POST',
        headers: { origin: new URL(link).origin },
        body: JSON.stringify({ code }),
      });
    const filled = fill();
    const refused = await exchange();
    expect([refused.status, await refused.text()]).toEqual([
      507,
      expect.stringContaining('the same link works'),
    ]);
    // No partial file remains that would waste space.
    expect(readdirSync(stateDir()).filter((name) => name.startsWith('tokens.json.'))).toEqual([]);
    rmSync(filled);
    expect((await exchange()).status).toBe(200);
    expect((await exchange()).status).toBe(401);
  });
});
