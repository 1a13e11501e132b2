// Behaviour that every child has, on pipes and on a terminal, with real processes.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { WriteOutcome } from './child.ts';
import { startInKeeper, stopKeeperOfTests } from '../testing/keeper-child.ts';
import { KINDS, PATH, raw, specOf, startChild, type TestChild } from '../testing/test-child.ts';

const folder = mkdtempSync(join(tmpdir(), 'child-contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const allBytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));

const startHere = (...given: Parameters<typeof startChild>): Promise<TestChild> =>
  Promise.resolve(startChild(...given));
const HOMES = [
  // One read of at most 64 KiB before the pause, and one after it.
  { home: 'in this program', startIn: startHere, mostReads: 1, mostBytes: 2 * 64 * 1024 },
  // A keeper's queue and the socket's buffers may be full when a pause is requested.
  { home: 'in a keeper', startIn: startInKeeper, mostReads: Infinity, mostBytes: 768 * 1024 },
];
const PLACES = HOMES.flatMap((home) => KINDS.map((kind) => ({ ...home, ...kind })));
afterAll(stopKeeperOfTests);

describe.each(PLACES)(
  '[KP11] A child on $kind $home',
  ({ tty, pipeStdin, startIn, mostReads, mostBytes, home }) => {
    const start = (argv: readonly string[], changes = {}) =>
      startIn(specOf(argv, { tty, pipeStdin, ...changes }));

    it.each([0, 1, 3, 127, 255])('exits with %i', async (code) => {
      const { exited, ended } = await start(['sh', '-c', `exit ${code}`]);
      expect(await exited).toEqual({ code, signal: null });
      await ended;
    });

    it.each([
      ['TERM', 143],
      ['KILL', 137],
      ['HUP', 129],
      ['SEGV', 139],
      ['ABRT', 134],
      ['34', 162],
    ])('reports its death by SIG%s with exit code %i', async (name, code) => {
      const { exited, ended } = await start(['sh', '-c', `ulimit -c 0; kill -${name} $$`]);
      expect(await exited).toEqual({ code, signal: `SIG${name}` });
      await ended;
    });

    it('leads its own session and group, and has no signal blocked or ignored', async () => {
      const script =
        '$| = 1; open F, "/proc/self/status"; print grep /^Sig(Blk|Ign)/, <F>; print "\nready\n"; sleep 60';
      const { child, exited, printed, output } = await start(['perl', '-e', script]);
      await printed('ready');
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      expect(fields.slice(2, 4)).toEqual([String(child.pid), String(child.pid)]);
      // perl itself ignores SIGFPE, signal 8.
      expect(output().toString()).toMatch(/SigBlk:\s+0+\s+SigIgn:\s+0+80\s/);
      process.kill(-child.pid, 'SIGKILL');
      expect((await exited).signal).toBe('SIGKILL');
    });

    it('has exactly the given environment variables', async () => {
      const env = {
        PATH,
        EMPTY: '',
        'A-B': 'odd name',
        ÜML: 'größer=日本',
        PERL_BADLANG: '1',
        LC_ALL: 'xx_XX',
      };
      const { ended, output } = await start(['/usr/bin/env'], { env });
      await ended;
      const expected = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      expect(output().toString().trim().split(/\r?\n/).sort()).toEqual(expected.sort());
    });

    it.each([
      { arg0: null, shown: 'perl' },
      { arg0: '-login', shown: '-login' },
    ])('shows the name $shown with arg0 $arg0', async ({ arg0, shown }) => {
      const script = 'open F, "/proc/self/cmdline"; local $/; print <F>, join ",", sort keys %ENV';
      const { ended, output } = await start(['perl', '-e', script, 'a b', '$HOME'], { arg0 });
      await ended;
      expect(output().toString()).toBe(`${[shown, '-e', script, 'a b', '$HOME'].join('\0')}\0PATH`);
    });

    it('starts in its working directory, and finds its program relative to it', async () => {
      const program = join(folder, 'here');
      writeFileSync(program, '#!/bin/sh\npwd\n', { mode: 0o755 });
      const { ended, output } = await start(['./here'], { cwd: folder });
      await ended;
      expect(output().toString().trim()).toBe(folder);
    });

    it('is run by the shell when its first line names no interpreter', async () => {
      writeFileSync(join(folder, 'plain'), 'echo "$0: $1"\n', { mode: 0o755 });
      const { ended, output } = await start(['./plain', 'of one'], { cwd: folder });
      await ended;
      expect(output().toString().trim()).toBe(`${join(folder, 'plain')}: of one`);
    });

    it('finds its program in the default path when it has no PATH', async () => {
      const { exited } = await start(['true'], { env: {} });
      expect(await exited).toEqual({ code: 0, signal: null });
    });

    it('prints all 256 byte values', async () => {
      const { ended, output } = await start(raw(`exec perl -e 'print map chr, 0..255'`));
      await ended;
      expect(output()).toEqual(allBytes);
    });

    it('reads all 256 byte values', async () => {
      const { child, ended, output, printed } = await start(raw(`printf ready; exec head -c 256`));
      await printed('ready');
      expect(await child.write(allBytes)).toBe('accepted');
      await ended;
      expect(output()).toEqual(Buffer.concat([Buffer.from('ready'), allBytes]));
    });

    it('reads everything that is written, in order, whatever its size', async () => {
      const bytes = randomBytes(1_000_000);
      const { child, ended, output, printed } = await start(
        raw(`printf ready; exec head -c ${bytes.length}`),
      );
      await printed('ready');
      const outcomes: Promise<WriteOutcome>[] = [];
      for (let at = 0; at < bytes.length; at += 4321)
        outcomes.push(Promise.resolve(child.write(bytes.subarray(at, at + 4321))));
      expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['accepted']));
      await ended;
      expect(sha(output().subarray('ready'.length))).toBe(sha(bytes));
    });

    it('reads the end of its stdin, and exits', async () => {
      const { child, exited, printed } = await start(['sh', '-c', 'echo ready; exec cat']);
      await printed('ready');
      void child.write(Buffer.from('line\n'));
      await printed('line');
      child.closeStdin();
      expect(await exited).toEqual({ code: 0, signal: null });
    });

    it('prints all 5 MB, however often it is paused', async () => {
      const size = 5_000_000;
      let seed = 1;
      const { ended, output } = await startIn(
        specOf(raw(`exec perl -e 'srand 1; $b = join "", map chr(rand 256), 1..1000; print $b x 5000'`), {
          tty,
        }),
        (child) => {
          seed = (seed * 16_807) % 2_147_483_647;
          if (seed % 3 > 0) return;
          child.pause();
          if (seed % 2 > 0) setImmediate(() => child.resume());
          else setTimeout(() => child.resume(), seed % 3);
        },
      );
      await ended;
      const all = output();
      expect(all.length).toBe(size);
      expect(sha(all)).toBe(sha(Buffer.concat(Array.from({ length: 5000 }, () => all.subarray(0, 1000)))));
    });

    it('emits little after a pause, and the rest after a resume', async () => {
      const total = 4_000_000;
      let paused = false;
      const chunks: boolean[] = [];
      const { child, ended, output, printed } = await startIn(
        specOf(raw(`exec perl -e 'print "x" x ${total}'`), { tty }),
        (child) => {
          chunks.push(paused);
          paused = true;
          child.pause();
        },
      );
      await printed('x');
      // Output that can still arrive does so within a few turns of the event loop and a few file reads.
      for (let turn = 0; turn < 20; turn += 1) await readFile('/proc/self/stat');
      expect(chunks.filter(Boolean).length).toBeLessThanOrEqual(mostReads);
      expect(output().length).toBeLessThanOrEqual(mostBytes);
      paused = false;
      const resume = setInterval(() => child.resume(), 1);
      await ended;
      clearInterval(resume);
      expect(output().length).toBe(total);
    });

    it('emits at most one read when it is paused immediately after its start', async () => {
      let chunks = 0;
      // The program prints only after it reads a line, which is sent after the pause, however long a message to a
      // keeper takes.
      const steps = `$| = 1; <STDIN>; for (1..20) { print "x"; select undef, undef, undef, 0.01 }`;
      const { child, exited, ended, output } = await startIn(
        // The program waits for the line only if it has a stdin.
        specOf(raw(`exec perl -e '${steps}'`), { tty, pipeStdin: !tty }),
        () => {
          chunks += 1;
        },
      );
      child.pause();
      void child.write(Buffer.from('\n'));
      await exited;
      expect(chunks).toBeLessThanOrEqual(1);
      child.resume();
      await ended;
      // A terminal echoes the line when it arrives before `stty`.
      expect(output().toString().replace('\r\n', '')).toBe('x'.repeat(20));
    });

    it('[PR8] reports its exit while it is paused, and its output after the resume', async () => {
      const onSignal = `$| = 1; $SIG{USR1} = sub { print "0" x 2999, "7"; exit 0 }; print "ready\\n"; sleep 1 while 1`;
      const { child, exited, ended, record, printed } = await start(raw(`exec perl -e '${onSignal}'`));
      await printed('ready');
      child.pause();
      // A keeper handles the signal after the pause, and the output follows both.
      child.signalGroup(child.pid, 'SIGUSR1');
      expect((await exited).code).toBe(0);
      child.resume();
      await ended;
      expect(record.filter((each) => each !== 'exit').join('')).toMatch(/^ready\n0{2999}7end$/);
      expect(record.at(-1)).toBe('end');
    });

    it('reports its exit at once while a grandchild holds its output open, and late output and the end afterwards', async () => {
      const trigger = join(folder, `trigger-${tty ? 'tty' : 'pipes'}-${home.length}`);
      const late = `until [ -e ${trigger} ]; do sleep 0.01; done; printf late`;
      const { exited, ended, record, printed } = await start([
        'sh',
        '-c',
        `trap "" HUP; (${late}) & printf early`,
      ]);
      await exited;
      await printed('early');
      writeFileSync(trigger, '');
      await ended;
      expect(record.join(' ')).toMatch(/^(early exit|exit early) ?late end$/);
    });

    it('stops waiting for a grandchild that holds its output open once it is abandoned', async () => {
      const { child, exited, ended, printed } = await start([
        'sh',
        '-c',
        'trap "" HUP; (echo ready; exec sleep 60) & wait',
      ]);
      await printed('ready');
      process.kill(child.pid, 'SIGKILL');
      await exited;
      child.abandon();
      await ended;
      expect(await child.write(Buffer.from('x'))).toBe('closed');
      process.kill(-child.pid, 'SIGKILL');
    });

    it('[PR9] reports its exit code after it has closed all its streams', async () => {
      const script = 'close STDIN; close STDOUT; close STDERR; select undef, undef, undef, 0.1; exit 7';
      const { exited, ended } = await start(['perl', '-e', script]);
      expect(await exited).toEqual({ code: 7, signal: null });
      await ended;
    });

    // A keeper replies as soon as it has queued the bytes, so only a write in this program can be resolved with
    // closed.
    it.runIf(startIn === startHere)('resolves a write with closed when it can no longer arrive', async () => {
      const { child, exited, ended } = await start(raw('exec sleep 60'));
      const outcome = child.write(Buffer.alloc(2_000_000));
      process.kill(child.pid, 'SIGKILL');
      await exited;
      await ended;
      expect(await outcome).toBe('closed');
    });

    it.runIf(startIn === startHere)(
      'does not block other work while it does not read its stdin',
      async () => {
        const children = await Promise.all(
          Array.from({ length: 8 }, () => start(raw('printf ready; exec sleep 60'))),
        );
        await Promise.all(children.map(({ printed }) => printed('ready')));
        const outcomes = children.map(({ child }) => Promise.resolve(child.write(Buffer.alloc(2_000_000))));
        // Four blocked writes would occupy all threads that read files.
        expect((await readFile(join(folder, 'here'))).length).toBeGreaterThan(0);
        const settled = await Promise.race([Promise.any(outcomes), readFile('/proc/self/stat')]);
        expect(settled).toBeInstanceOf(Buffer);
        for (const { child } of children) process.kill(child.pid, 'SIGKILL');
        expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['closed']));
      },
    );
  },
);
