// A run in which the gateway is killed, stopped and displaced, and the keeper stopped and upgraded, while the keeper
// holds two floods and a program that receives input. Finally both are killed during another flood.
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnProcess } from '../../client/own-process.ts';
import { Dice } from '../../client/testing/dice.ts';
import { KeeperGateway } from '../../server/testing/keeper-gateway.ts';
import { floodCommand, judge, judgeFlood, storyOf } from '../../server/testing/numbered-flood.ts';
import { judgeRecordings, killBoth } from './recordings.ts';

/** Time limit for the end of all processes after the input has ended; generous, for a busy machine. */
const REST_MS = 60_000;

/** Maximum time from the start of a gateway to the next fault. */
const ACT_MS = 900;

export interface KeeperRun {
  readonly seed: number;
  /** Number of faults in this run, each followed by a new gateway. */
  readonly faults: number;
  /** Built commands whose keepers are different programs; each gateway runs one of them. */
  readonly mains: readonly [string, ...string[]];
}

export interface KeeperResult {
  readonly kills: number;
  readonly stops: number;
  /** Number of times that the keeper switched to another program. */
  readonly upgrades: number;
  readonly bytes: number;
  readonly writes: number;
}

/** Executes a run; throws an error that describes what was wrong, with the end of the gateway's log. */
export async function keeperRun({ seed, faults, mains }: KeeperRun): Promise<KeeperResult> {
  const dice = new Dice(seed);
  const stopFile = join(tmpdir(), `exec-console-keeper-${process.pid}-${seed}`);
  const gateway = await KeeperGateway.start([], dice.oneOf(mains));
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
    const done = { kills: 0, stops: 0, upgrades: 0 };
    for (let fault = 0; fault < faults; fault += 1) {
      await sleep(dice.pick(0, ACT_MS));
      const program = gateway.keeperFile();
      await bring(gateway, () => gateway.startAgain('on', dice.oneOf(mains)), dice, done);
      if (gateway.keeperFile() !== program) done.upgrades += 1;
    }
    writeFileSync(stopFile, '');
    const lines = await writer.end();
    if ((await written.closeStdin()) !== 'accepted') throw new Error('the end of the input was not accepted');
    const timeout = sleep(REST_MS, null, { ref: false });
    const reported = await Promise.race([Promise.all(stories), timeout]);
    if (!reported) throw new Error('did not settle within the time limit');
    const [ofPty, ofPipe, ofWritten] = reported;
    judgeFlood('terminal', ofPty, 7);
    judgeFlood('pipe', ofPipe, 9);
    judge('written', ofWritten, 3);
    const all = Array.from({ length: lines }, (_, line) => `line ${line + 1}\n`).join('');
    if (ofWritten?.sha !== sha(all)) throw new Error(`written: not each of ${lines} lines once and in order`);
    client.close();
    await judgeRecordings(gateway, reported);
    rmSync(stopFile);
    await killBoth(gateway, flood(0), dice);
    await judgeRecordings(gateway, reported);
    return { ...done, bytes: reported.reduce((sum, { bytes }) => sum + bytes, 0), writes: lines };
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${gateway.log.slice(-3000)}`, { cause: error });
  } finally {
    rmSync(stopFile, { force: true });
    await gateway.stop();
  }
}

async function bring(
  gateway: KeeperGateway,
  startAgain: () => Promise<void>,
  dice: Dice,
  done: { kills: number; stops: number },
): Promise<void> {
  const chance = dice.random();
  if (chance < 0.1) {
    // The next gateway is killed as well, perhaps while it adopts the processes from the keeper.
    await gateway.end('SIGKILL');
    const starting = startAgain();
    starting.catch(() => {});
    await sleep(dice.pick(50, 1500));
    await gateway.end('SIGKILL');
    await starting.catch(() => {});
    done.kills += 2;
    await startAgain();
  } else if (chance < 0.2) {
    const keeper = gateway.keeperPid() ?? 0;
    process.kill(keeper, 'SIGSTOP');
    await sleep(dice.pick(10, 500));
    await gateway.end('SIGKILL');
    done.kills += 1;
    const starting = startAgain();
    await sleep(dice.pick(10, 500));
    process.kill(keeper, 'SIGCONT');
    done.stops += 1;
    await starting;
  } else if (chance < 0.3) {
    // Another gateway takes over while this one is stopped.
    const former = gateway.process;
    const gone = new Promise((resolve) => former.once('exit', resolve));
    former.kill('SIGSTOP');
    const starting = startAgain();
    await sleep(dice.pick(10, 3000));
    // The keeper kills a gateway that stays stopped for too long.
    if (dice.chance(0.7)) former.kill('SIGCONT');
    done.stops += 1;
    await Promise.all([starting, gone]);
  } else {
    await gateway.end('SIGKILL');
    done.kills += 1;
    await startAgain();
  }
}

interface Writer {
  /** Resolves with the number of lines when all were accepted; rejects if any line was not. */
  readonly end: () => Promise<number>;
}

function writeNumbered(child: OwnProcess): Writer {
  const over = new AbortController();
  let lines = 0;
  const writing = (async () => {
    const outcomes: Promise<string>[] = [];
    while (!over.signal.aborted) {
      lines += 1;
      const line = Buffer.from(`line ${lines}\n`);
      outcomes.push(child.write(line).catch((error: Error) => error.message));
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

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
