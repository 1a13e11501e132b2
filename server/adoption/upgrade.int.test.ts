// Upgrades of a keeper while its processes run. Uses the built programs.
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OwnProcess } from '../../client/own-process.ts';
import { sharedMain, sharedProduct } from '../testing/command-line.ts';
import { KeeperGateway } from '../testing/keeper-gateway.ts';
import { floodCommand, judge, judgeFlood, storyOf } from '../testing/numbered-flood.ts';
import { otherProduct, type OtherProduct } from '../testing/other-product.ts';

const env = { PATH: process.env['PATH'] ?? '' };

let later: OtherProduct;
let work: string;
beforeAll(async () => {
  later = otherProduct(sharedProduct(), (code) => `${code}\n// A later version.\n`);
  work = mkdtempSync(join(tmpdir(), 'exec-console-upgrade-'));
});
afterAll(() => {
  for (const folder of [later.folder, work]) rmSync(folder, { recursive: true });
});

const gateways: KeeperGateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.stop();
});

async function started(flags: readonly string[] = []): Promise<KeeperGateway> {
  const gateway = await KeeperGateway.start(flags, sharedMain());
  gateways.push(gateway);
  return gateway;
}

/** Kills the gateway, and starts another build, which upgrades the keeper. */
async function upgradeTo(gateway: KeeperGateway, { main }: Pick<OtherProduct, 'main'>): Promise<void> {
  await gateway.end('SIGKILL');
  await gateway.startAgain('on', main);
}

const sha = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const perl = (script: string): string[] => ['perl', '-MDigest::SHA=sha256_hex', '-e', script];
const until = (path: string): string => `select undef, undef, undef, 0.02 until -e '${path}';`;

describe('A keeper that is upgraded', () => {
  it('[KP21] loses no byte of floods on a terminal, on pipes and in a sandbox, and no exit, over several upgrades', async () => {
    const gateway = await started(['--sandbox', 'read-only']);
    const pid = gateway.keeperPid();
    const client = await gateway.resumingClient();
    const stop = join(work, 'stop-floods');
    const start = { cwd: work, env };
    const pty = await client.start({ ...start, argv: floodCommand(stop, 7, 1), tty: true });
    const pipe = await client.start({ ...start, argv: floodCommand(stop, 9, 1) });
    const stories = [pty, pipe].map(storyOf);
    // The processes end before, during and after the upgrades.
    const codes = Array.from({ length: 60 }, (_, at) => at + 1);
    const brief = await Promise.all(
      codes.map((code) =>
        client.start({
          ...start,
          argv: ['sh', '-c', `sleep ${code / 8}; echo out; exit ${code}`],
          tty: code % 2 === 0,
        }),
      ),
    );
    const briefStories = brief.map(storyOf);
    for (const program of [later.main, sharedMain(), later.main]) {
      await upgradeTo(gateway, { main: program });
      expect(gateway.keeperFile()).toBe(join(program, '../keeper.js'));
      expect(gateway.keeperPid()).toBe(pid);
    }
    for (const [at, code] of codes.entries())
      expect(judge(`exit ${code}`, await briefStories[at], code).tail).toMatch(/^out\r?\n$/);
    writeFileSync(stop, '');
    judgeFlood('terminal', await stories[0], 7);
    judgeFlood('pipe', await stories[1], 9);
    client.close();
  });

  it.each([
    { kind: 'pipe', tty: false },
    { kind: 'terminal', tty: true },
  ])('[KP21] writes queued input to a $kind once, including partly written input', async ({ tty }) => {
    const gateway = await started();
    const client = await gateway.resumingClient();
    const go = join(work, `go-${String(tty)}`);
    const input = randomBytes(tty ? 300_000 : 3_000_000);
    const ready = `open my $file, '>', '${go}-reads';`;
    const script = tty
      ? `system 'stty raw -echo'; ${ready} ${until(go)} my $all = ''; while (length $all < ${input.length}) { sysread STDIN, my $part, 65536 or last; $all .= $part } print sha256_hex($all); exit 5`
      : `${ready} ${until(go)} local $/; print sha256_hex(<STDIN>); exit 5`;
    const reader = await client.start({
      argv: perl(`$| = 1; ${script}`),
      cwd: work,
      env,
      tty,
      pipeStdin: !tty,
    });
    const story = storyOf(reader);
    await expect.poll(() => existsSync(`${go}-reads`)).toBe(true);
    const writes: Promise<string>[] = [];
    for (let at = 0; at < input.length; at += 50_000)
      writes.push(reader.write(input.subarray(at, at + 50_000)));
    // The kernel has accepted as much as it can, and the rest is queued in the keeper.
    expect(await Promise.all(writes)).toEqual(writes.map(() => 'accepted'));
    if (!tty) await reader.closeStdin();
    await upgradeTo(gateway, later);
    await upgradeTo(gateway, { main: sharedMain() });
    writeFileSync(go, '');
    expect(judge('reader', await story, 5).tail).toBe(sha(input).slice(-40));
    client.close();
  });

  it('[KP21] continues processes that have partly ended: output held by others, closed pipes and terminals', async () => {
    const gateway = await started();
    const client = await gateway.resumingClient();
    const go = join(work, 'go-parts');
    const wait = `: > ready-$$; until [ -e ${go} ]; do sleep 0.02; done`;
    const folder = mkdtempSync(join(work, 'parts-'));
    const begin = (script: string, more = {}): Promise<OwnProcess> =>
      client.start({ argv: ['sh', '-c', script], cwd: folder, env, ...more });
    const children = await Promise.all([
      begin(`(${wait}; echo late) & exit 3`),
      begin(`trap '' HUP; (${wait}; echo late) & exit 4`, { tty: true }),
      begin(`exec >&- 2>&-; ${wait}; exit 6`),
      begin(`exec 2>&-; ${wait}; echo out; exit 8`, { pipeStdin: true }),
      begin(`exec <&- >&- 2>&-; ${wait}; exit 9`, { tty: true }),
    ]);
    const [held, heldTerminal, closed, oneClosed, closedTerminal] = children.map(storyOf);
    await expect.poll(() => readdirSync(folder)).toHaveLength(children.length);
    await upgradeTo(gateway, later);
    writeFileSync(go, '');
    expect(judge('held', await held, 3).tail).toBe('late\n');
    expect(judge('held terminal', await heldTerminal, 4).tail).toBe('late\r\n');
    judge('closed', await closed, 6);
    expect(judge('one closed', await oneClosed, 8).tail).toBe('out\n');
    judge('closed terminal', await closedTerminal, 9);
    client.close();
  });

  it('[KP22] keeps its program, and reports why, while the new program is broken', async () => {
    const broken = otherProduct(sharedProduct(), (code) => `import './not-there.js';\n${code}`);
    try {
      const gateway = await started();
      const client = await gateway.resumingClient();
      const stop = join(work, 'stop-broken');
      const flood = await client.start({ argv: floodCommand(stop, 7, 1), cwd: work, env, tty: true });
      const story = storyOf(flood);
      const before = [gateway.keeperPid(), gateway.keeperFile()];
      await upgradeTo(gateway, broken);
      expect([gateway.keeperPid(), gateway.keeperFile()]).toEqual(before);
      const why =
        /The keeper still runs its earlier program: the new program failed its rehearsal: Error \[ERR_MODULE_NOT_FOUND\].*not-there\.js/;
      expect(await health(gateway)).toMatch(why);
      expect(await status(gateway)).toMatch(/could not be upgraded: .*not-there\.js/);
      await upgradeTo(gateway, later);
      expect(await health(gateway)).not.toMatch(/keeper/);
      expect(await status(gateway)).not.toMatch(/could not be upgraded/);
      expect(gateway.keeperFile()).toBe(later.keeper);
      writeFileSync(stop, '');
      judgeFlood('terminal', await story, 7);
      client.close();
    } finally {
      rmSync(broken.folder, { recursive: true });
    }
  });

  it.each([
    ['ends immediately without output', () => ''],
    ['never ends', () => 'setInterval(() => {}, 1000);'],
    [
      'leaves a program that holds its output open',
      () => `import { spawn } from 'node:child_process';
        spawn('sleep', ['30'], { stdio: 'inherit' }).once('spawn', () => process.exit(1));`,
    ],
    ['cannot decode the passed state', (code: string) => code.replace(/FORM = 1\b/, 'FORM = 2')],
  ])('[KP22] does not become a program that %s', async (_, change) => {
    const broken = otherProduct(sharedProduct(), change);
    try {
      const gateway = await started();
      const before = [gateway.keeperPid(), gateway.keeperFile()];
      await upgradeTo(gateway, broken);
      expect([gateway.keeperPid(), gateway.keeperFile()]).toEqual(before);
      expect(await health(gateway)).toContain('failed its rehearsal');
    } finally {
      rmSync(broken.folder, { recursive: true });
    }
  });

  it('[KP20][KP21] retains output that could not be written, and the last output of a terminal, until there is room', async () => {
    const gateway = await started();
    const client = await gateway.resumingClient();
    // The limit has room only for the first output, and for the state passed in an upgrade, whose memory file
    // counts too.
    limitFiles(gateway, '20000');
    const script = `$| = 1; print "x" x 19000; select undef, undef, undef, 0.3; print "x" x 2000; ${until(join(work, 'go-full'))} print "y" x 2000; exit 4`;
    const printing = await client.start({ argv: ['perl', '-e', script], cwd: work, env, tty: true });
    const story = storyOf(printing);
    await expect.poll(() => health(gateway)).toContain('cannot be written to the disk');
    writeFileSync(join(work, 'go-full'), '');
    await expect.poll(() => status(gateway)).toContain('exited, output pipe still open');
    await upgradeTo(gateway, later);
    await expect.poll(() => health(gateway)).toContain('cannot be written to the disk');
    limitFiles(gateway, 'unlimited');
    expect(judge('printing', await story, 4).sha).toBe(sha('x'.repeat(21_000) + 'y'.repeat(2000)));
    expect(gateway.keeperFile()).toBe(later.keeper);
    client.close();
  });

  it('[KP2][KP21] becomes the program of a gateway that displaces another, and of one that is restarted after an update', async () => {
    const product = otherProduct(sharedProduct(), (code) => `${code}\n// Before the update.\n`);
    try {
      const gateway = await started();
      const client = await gateway.resumingClient();
      const stop = join(work, 'stop-restarted');
      const flood = await client.start({ argv: floodCommand(stop, 7, 1), cwd: work, env, tty: true });
      const story = storyOf(flood);
      const former = once(gateway.process, 'exit');
      await gateway.startAgain('on', product.main);
      expect(await former).toEqual([0, null]);
      expect(gateway.keeperFile()).toBe(product.keeper);
      const before = programOf(gateway);
      appendFileSync(product.keeper, '// After it.\n');
      const argv = [product.main, 'restart', '--state-dir', gateway.stateDir];
      expect(execFileSync(process.execPath, argv, { encoding: 'utf8' })).toContain('was restarted');
      expect(programOf(gateway)).not.toBe(before);
      writeFileSync(stop, '');
      judgeFlood('terminal', await story, 7);
      client.close();
    } finally {
      rmSync(product.folder, { recursive: true });
    }
  });

  it('[KP21] continues the marks that identify descendants of its processes', async () => {
    const gateway = await started();
    const client = await gateway.resumingClient();
    const start = { argv: ['grep', 'Max file locks', '/proc/self/limits'], cwd: work, env };
    const before = await (await client.start(start)).communicate();
    await upgradeTo(gateway, later);
    const next = await gateway.resumingClient();
    const after = await (await next.start(start)).communicate();
    const [first, second] = [before, after].map(
      ({ stdout }) => /(\d+) +(\d+)/.exec(Buffer.from(stdout).toString()) ?? [],
    );
    expect(BigInt(second?.[1] ?? 0)).toBe(BigInt(first?.[1] ?? 0) + 1n);
    expect(second?.[2]).toBe(first?.[2]);
    client.close();
    next.close();
  });
});

/** Returns the address of the keeper's arguments, which changes with each exec. */
const programOf = (gateway: KeeperGateway): string | undefined =>
  readFileSync(`/proc/${gateway.keeperPid()}/stat`, 'latin1').split(' ')[47];

/** Limits the size of the keeper's files, which acts like a full disk, or lifts the limit. */
const limitFiles = (gateway: KeeperGateway, bytes: string): unknown =>
  execFileSync('prlimit', ['--pid', String(gateway.keeperPid()), `--fsize=${bytes}:unlimited`]);

async function health(gateway: KeeperGateway): Promise<string> {
  const headers = { authorization: `Bearer ${gateway.token}` };
  const answer = await fetch(new URL('/status', gateway.url.replace('ws', 'http')), { headers });
  return JSON.stringify(await answer.json()).replaceAll(String.raw`\n`, ' ');
}

const status = async (gateway: KeeperGateway): Promise<string> =>
  execFileSync(process.execPath, [sharedMain(), 'keeper', 'status', '--state-dir', gateway.stateDir], {
    encoding: 'utf8',
  });
