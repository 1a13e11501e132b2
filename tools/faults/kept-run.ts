// A run in which the gateway is killed, stopped and displaced while its keeper holds two floods and a program
// that receives input.
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnProcess } from '../../client/own-process.ts';
import { Dice } from '../../client/testing/dice.ts';
import { KeptGateway } from '../../server/testing/kept-gateway.ts';

/** Time limit for the run to settle, long after the last gateway has started. */
const REST_MS = 60_000;

/** Longest time until the next fault of a gateway. */
const ACT_MS = 900;

export interface KeptRun {
  readonly seed: number;
  /** Number of faults in this run, each followed by a new gateway. */
  readonly faults: number;
  /** Path of the built command. */
  readonly main: string;
}

export interface KeptResult {
  readonly kills: number;
  readonly stops: number;
  readonly bytes: number;
  readonly writes: number;
}

/** Executes a run; throws an error that names the wrong byte, write or exit. */
export async function keptRun({ seed, faults, main }: KeptRun): Promise<KeptResult> {
  const dice = new Dice(seed);
  const stopFile = join(tmpdir(), `exec-console-kept-${process.pid}-${seed}`);
  const gateway = await KeptGateway.start([], main);
  try {
    const client = await gateway.resumingClient();
    const env = { PATH: process.env['PATH'] ?? '' };
    const flood = (code: number): string[] => floodCommand(stopFile, code, dice.oneOf([1, 4, 10]));
    const pty = await client.start({ argv: flood(7), cwd: '/tmp', env, tty: true });
    const pipe = await client.start({ argv: flood(9), cwd: '/tmp', env });
    const repeat = ['perl', '-e', '$| = 1; while (<STDIN>) { print } exit 3'];
    const written = await client.start({ argv: repeat, cwd: '/tmp', env, pipeStdin: true });
    const stories = [pty, pipe, written].map(storyOf);
    const writer = writeNumbered(written);
    const done = { kills: 0, stops: 0 };
    for (let fault = 0; fault < faults; fault += 1) {
      await sleep(dice.pick(0, ACT_MS));
      await bring(gateway, dice, done);
    }
    writeFileSync(stopFile, '');
    const lines = await writer.end();
    if ((await written.closeStdin()) !== 'accepted') throw new Error('the end of the input was not accepted');
    const timeout = sleep(REST_MS, null, { ref: false });
    const told = await Promise.race([Promise.all(stories), timeout]);
    if (!told) throw new Error('does not come to rest');
    const [ofPty, ofPipe, ofWritten] = told;
    judgeFlood('terminal', ofPty, 7);
    judgeFlood('pipe', ofPipe, 9);
    judge('written', ofWritten, 3);
    const all = Array.from({ length: lines }, (_, line) => `line ${line + 1}\n`).join('');
    if (ofWritten?.sha !== sha(all)) throw new Error(`written: not each of ${lines} lines once and in order`);
    client.close();
    return { ...done, bytes: told.reduce((sum, { bytes }) => sum + bytes, 0), writes: lines };
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${gateway.log.slice(-3000)}`, { cause: error });
  } finally {
    rmSync(stopFile, { force: true });
    await gateway.stop();
  }
}

async function bring(
  gateway: KeptGateway,
  dice: Dice,
  done: { kills: number; stops: number },
): Promise<void> {
  const chance = dice.random();
  if (chance < 0.1) {
    // Kill it again while it takes over from the keeper.
    await gateway.end('SIGKILL');
    const starting = gateway.startAgain();
    starting.catch(() => {});
    await sleep(dice.pick(50, 1500));
    await gateway.end('SIGKILL');
    await starting.catch(() => {});
    done.kills += 2;
    await gateway.startAgain();
  } else if (chance < 0.2) {
    const keeper = gateway.keeperPid() ?? 0;
    process.kill(keeper, 'SIGSTOP');
    await sleep(dice.pick(10, 500));
    await gateway.end('SIGKILL');
    done.kills += 1;
    const starting = gateway.startAgain();
    await sleep(dice.pick(10, 500));
    process.kill(keeper, 'SIGCONT');
    done.stops += 1;
    await starting;
  } else if (chance < 0.3) {
    // Another gateway takes over while this one is stopped.
    const former = gateway.process;
    const gone = new Promise((resolve) => former.once('exit', resolve));
    former.kill('SIGSTOP');
    const starting = gateway.startAgain();
    await sleep(dice.pick(10, 3000));
    // If it stays stopped for too long, the keeper kills it.
    if (dice.chance(0.7)) former.kill('SIGCONT');
    done.stops += 1;
    await Promise.all([starting, gone]);
  } else {
    await gateway.end('SIGKILL');
    done.kills += 1;
    await gateway.startAgain();
  }
}

/** Returns a command that prints numbered lines until `stopFile` exists, and finally their count. */
const floodCommand = (stopFile: string, code: number, pauseMs: number): string[] => [
  'sh',
  '-c',
  `stty raw -echo 2>/dev/null; exec perl -e '$| = 1; my $n = 0; until (-e $ARGV[0]) { print $n++, " ", "x" x 40, "\\n" for 1..50; ` +
    `select undef, undef, undef, ${pauseMs / 1000} } print "end $n\\n"; exit ${code}' '${stopFile}'`,
];

interface Writer {
  /** Resolves with the number of lines when all were accepted; rejects if one was not. */
  readonly end: () => Promise<number>;
}

function writeNumbered(process: OwnProcess): Writer {
  const over = new AbortController();
  let lines = 0;
  const writing = (async () => {
    const outcomes: Promise<string>[] = [];
    while (!over.signal.aborted) {
      lines += 1;
      const line = Buffer.from(`line ${lines}\n`);
      outcomes.push(process.write(line).catch((error: Error) => error.message));
      await sleep(5);
    }
    const wrong = (await Promise.all(outcomes)).filter((outcome) => outcome !== 'accepted');
    if (wrong.length > 0) throw new Error(`${wrong.length} writes were ${wrong[0] ?? ''}`);
    return lines;
  })();
  writing.catch(() => {});
  return {
    end: () => {
      over.abort();
      return writing;
    },
  };
}

interface Told {
  readonly sha: string;
  readonly bytes: number;
  /** End of the output. */
  readonly tail: string;
  readonly exitCode: number | null;
  /** Gaps, each with its time. */
  readonly gaps: readonly string[];
  /** First seq that does not follow its predecessor; null if there is none. */
  readonly brokenAt: number | null;
}

async function storyOf(process: OwnProcess): Promise<Told> {
  const hash = createHash('sha256');
  const told = {
    bytes: 0,
    exitCode: null as number | null,
    gaps: [] as string[],
    brokenAt: null as number | null,
  };
  let tail = '';
  let next = 1;
  for await (const event of process.events()) {
    if (event.kind === 'gap') told.gaps.push(`${new Date().toISOString()} ${JSON.stringify(event)}`);
    else if (event.kind === 'exited') told.exitCode = event.exitCode;
    else if (event.kind === 'output') {
      hash.update(event.bytes);
      told.bytes += event.bytes.length;
      tail = (tail + Buffer.from(event.bytes).toString('latin1')).slice(-40);
    }
    if (!('seq' in event)) continue;
    if (event.seq !== next) told.brokenAt ??= next;
    next = event.seq + 1;
  }
  return { ...told, sha: hash.digest('hex'), tail };
}

function judge(who: string, told: Told | undefined, code: number): Told {
  if (!told) throw new Error(`${who}: nothing was told`);
  const { exitCode, gaps, brokenAt } = told;
  if (exitCode !== code) throw new Error(`${who}: exit code ${exitCode} instead of ${code}`);
  if (gaps.length > 0) throw new Error(`${who}: ${gaps.length} gaps: ${gaps.join(', ')}`);
  if (brokenAt !== null) throw new Error(`${who}: event ${brokenAt} is missing or repeated`);
  return told;
}

function judgeFlood(who: string, told: Told | undefined, code: number): void {
  const { tail, sha: given, bytes } = judge(who, told, code);
  const lines = Number(/end (\d+)\n$/.exec(tail)?.[1] ?? Number.NaN);
  const hash = createHash('sha256');
  for (let line = 0; line < lines; line += 1) hash.update(`${line} ${'x'.repeat(40)}\n`);
  if (hash.update(`end ${lines}\n`).digest('hex') !== given)
    throw new Error(`${who}: not every byte of ${lines} lines once and in order, in ${bytes} bytes`);
}

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
