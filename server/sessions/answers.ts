// Probes paths on file systems that may hang, in a process that is killed when a path does not answer in time. The
// gateway itself, and its few threads for files, would be blocked for as long as a file server does not respond.
import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import {
  guarded,
  hanging,
  hangingMounts,
  mountsBelow,
  NotAnswered,
  type Hanging,
  type HangingMount,
} from '../host/hanging.ts';
import { Budget, type Taker } from '../limits/budget.ts';
import { Turns } from '../limits/turns.ts';
import { internal } from '../rpc/rpc-error.ts';

/** Time within which all paths of a probe must answer, including the wait for a turn. */
const ANSWER_MS = 2000;

/**
 * Maximum number of probing processes: in total, for one token, and in reserve for operators and admins. A process that
 * cannot be killed counts until it ends.
 */
const ASKING = { all: 33, perToken: 8, reserve: 1 };

/** Maximum number of probes for one series of look-ups, which starts over after each answer. */
const MOST_QUESTIONS = 64;

/**
 * Shell script that prints an empty line for each path that has answered. For the first `$0` paths, it also reads the
 * state of their file system, since the kernel may have cached the path itself.
 */
const ASK = `
n=$0
for each do
  [ -e "$each" ]
  [ "$n" -le 0 ] || stat -f -- "$each" >/dev/null 2>&1
  n=$((n - 1))
  echo
done`;

const turns = new Turns(new Budget('path checks in progress', ASKING));
/** Running probes by share or token and by paths; identical requests use the same probe. */
const running = new Map<string, Promise<void>>();
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) kill(child);
});

/**
 * Returns a promise that resolves when all of these paths have answered and rejects when one does not; null when none
 * of them may hang.
 */
export function answers(
  paths: readonly string[],
  taker: Taker,
  mounts = hangingMounts(),
): Promise<void> | null {
  if (mounts.length === 0) return null;
  const found = [...new Set(paths)].flatMap((path) => hanging(path, mounts) ?? []);
  return found.length === 0 ? null : asked(found, taker);
}

/**
 * Returns a function that resolves to false for a path that does not answer. Use it for one request only, since it
 * probes each part of a file system once and remembers the answer. `isTree`: true to probe the mounts below the path as
 * well.
 */
export function answering(taker: Taker): (path: string, isTree?: boolean) => Promise<boolean> {
  const mounts = hangingMounts();
  const parts = new Map<string, Promise<boolean>>();
  const doesAnswer = (path: string): Promise<boolean> => {
    const found = hanging(path, mounts);
    if (!found) return Promise.resolve(true);
    const answer =
      parts.get(found.part) ??
      asked([found], taker).then(
        () => true,
        () => false,
      );
    parts.set(found.part, answer);
    return answer;
  };
  return async (path, isTree = false) => {
    if (!(await doesAnswer(path))) return false;
    const below = isTree ? mountsBelow(path, mounts) : [];
    return (await Promise.all(below.map(doesAnswer))).every(Boolean);
  };
}

/**
 * Returns the result of synchronous look-ups that call `beforeLook`. Returns a promise when one of them may hang: the
 * look-ups are repeated once the path has answered, and the promise rejects when a path does not answer.
 */
export function whenAnswered<T>(
  look: () => T,
  taker: Taker,
  mounts: readonly HangingMount[],
): T | Promise<Awaited<T>> {
  const answered = new Set<string>();
  try {
    return guarded(mounts, answered, look);
  } catch (error) {
    if (!(error instanceof NotAnswered)) throw error;
    return askedFirst(error, { look, taker, mounts, answered });
  }
}

async function askedFirst<T>(
  error: unknown,
  { look, taker, mounts, answered }: Looking<T>,
): Promise<Awaited<T>> {
  let cause = error;
  for (let questions = 0; questions < MOST_QUESTIONS; questions += 1) {
    if (!(cause instanceof NotAnswered)) throw cause;
    await asked(cause.hanging, taker);
    for (const { part } of cause.hanging) answered.add(part);
    try {
      return await guarded(mounts, answered, look);
    } catch (again) {
      cause = again;
    }
  }
  throw internal(
    `the request accesses more than ${MOST_QUESTIONS} paths on file systems that may hang, so nothing was done`,
  );
}

interface Looking<T> {
  readonly look: () => T;
  readonly taker: Taker;
  readonly mounts: readonly HangingMount[];
  readonly answered: Set<string>;
}

function asked(found: readonly Hanging[], taker: Taker): Promise<void> {
  const name = JSON.stringify([taker.share?.id ?? taker.tokenId, found.map(({ path }) => path)]);
  const same = running.get(name);
  if (same) return same;
  const question = inTime(found, taker).finally(() => running.delete(name));
  running.set(name, question);
  return question;
}

function inTime(found: readonly Hanging[], taker: Taker): Promise<void> {
  const firsts = [...new Map(found.toReversed().map((each) => [each.part, each])).values()];
  const all = [...firsts, ...found.filter((each) => !firsts.includes(each))];
  const paths = all.map(({ path }) => path);
  const over = new AbortController();
  let answered = 0;
  const refusal = (why: string): Error =>
    internal(`${paths[answered] ?? paths[0]} does not answer: ${why}, so nothing was done`);
  return new Promise((resolve, reject) => {
    let why = 'too many look-ups are already waiting for file systems';
    const timer = setTimeout(() => {
      over.abort(refusal(why));
      reject(over.signal.reason as Error);
    }, ANSWER_MS);
    const ask = (): Promise<void> => {
      why = `its file system did not reply within ${ANSWER_MS / 1000} s`;
      return askedBy(paths, firsts.length, over.signal, (count) => (answered += count));
    };
    turns
      .inTurn(taker, ask, over.signal)
      .then(() => {
        if (answered >= paths.length) resolve();
        else reject(refusal('the process that looked it up was terminated'));
      }, reject)
      .finally(() => clearTimeout(timer));
  });
}

/**
 * Probes the paths in a new process; resolves when the process has ended, even when it was killed; rejects when it
 * could not be started.
 */
function askedBy(
  paths: readonly string[],
  partCount: number,
  over: AbortSignal,
  onAnswers: (count: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', ASK, String(partCount), ...paths], {
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
      stdio: ['ignore', 'pipe', 'ignore'],
      // A separate process group, so that children of the shell are killed with it.
      detached: true,
    });
    // The gateway may exit before this process does.
    child.unref();
    if (child.stdout instanceof Socket) child.stdout.unref();
    children.add(child);
    const stop = (): void => kill(child);
    over.addEventListener('abort', stop);
    child.stdout.on('data', (lines: Buffer) => onAnswers(lines.length));
    child.once('error', ({ message }) =>
      reject(internal(`${paths[0]} could not be looked up: ${message}, so nothing was done`)),
    );
    // A process that was killed may still wait in the kernel, so it counts until it has closed.
    child.once('close', () => {
      over.removeEventListener('abort', stop);
      children.delete(child);
      resolve();
    });
  });
}

function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
