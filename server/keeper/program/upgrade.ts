// Upgrade in place: the new program first rehearses with the keeper's state, then replaces the keeper's program by
// exec. The process remains the same, with its children, terminals and pipes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, readSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { execWith } from '../../host/exec.ts';
import { memoryFile, succeeded } from '../../host/libc.ts';
import { descriptorsOf } from '../../host/resumed-child.ts';
import type { KeeperProgram } from '../wire/messages.ts';
import { programId } from '../wire/program-id.ts';
import { encodePassed, sumIn, type Passed } from './passed.ts';

const REHEARSAL_MS = 15_000;
/** Time after the exit of a rehearsal for which its remaining output is read. */
const DRAIN_MS = 1000;
/** Maximum time to wait until no bytes are in flight. */
const REST_MS = 5000;
/** Length at which no more of a rehearsal's stdout or stderr is stored. */
const PRINTED_CHARS = 64 * 1024;
/** Descriptor of the passed state in a rehearsal. */
const REHEARSAL_FD = 3;

/** Mode argument of the new program; the next argument is the descriptor of the passed state. */
export type Mode = 'rehearse' | 'resume';

export interface Upgrading {
  /** Pauses reading from all processes; false ends this pause. */
  readonly setHandingOver: (isHandingOver: boolean) => void;
  /** Returns the current state; null while bytes are in flight. Throws when the upgrade must be cancelled. */
  readonly handOver: () => Passed | null;
}

/** Replaces this program. Resolves only on failure, with the reason, and then all processes continue as before. */
export async function upgraded(
  { id, argv }: KeeperProgram,
  own: readonly string[],
  { setHandingOver, handOver }: Upgrading,
): Promise<string> {
  const passed = async (): Promise<Passed> => {
    setHandingOver(true);
    return atRest(handOver);
  };
  try {
    const sample = encodePassed(await passed());
    setHandingOver(false);
    await rehearse([...argv, ...own], sample);
    const last = await passed();
    // An installation may have replaced the file since the rehearsal.
    if (programId(argv.at(-1) ?? '') !== id)
      throw new Error("the new program's file changed during the upgrade");
    throw new Error(`the system refused to run the new program: ${become([...argv, ...own], last).message}`);
  } catch (error) {
    setHandingOver(false);
    return (error as Error).message;
  }
}

/** Returns the encoded state from the previous program, and closes the descriptor. */
export function readPassed(descriptor: number): Buffer {
  const bytes = Buffer.alloc(fstatSync(descriptor).size);
  for (let at = 0; at < bytes.length;) at += readSync(descriptor, bytes, at, bytes.length - at, at);
  closeSync(descriptor);
  return bytes;
}

async function atRest(handOver: Upgrading['handOver']): Promise<Passed> {
  const givesUpAtMs = performance.now() + REST_MS;
  while (performance.now() < givesUpAtMs) {
    // No child is being reaped at the start of a turn; a half-processed exit would be lost.
    await nextTurn();
    const passed = handOver();
    if (passed) return passed;
  }
  throw new Error(`a terminal or pipe of a process was still in use after ${REST_MS / 1000} s`);
}

/** Runs the rehearsal; rejects with the reason when the program fails to decode the state within REHEARSAL_MS. */
async function rehearse(argv: readonly string[], sample: Buffer): Promise<void> {
  const [file = '', ...args] = argv;
  const descriptor = inMemory(sample);
  try {
    const child = spawn(file, [...args, 'rehearse' satisfies Mode, String(REHEARSAL_FD)], {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe', descriptor],
      timeout: REHEARSAL_MS,
      killSignal: 'SIGKILL',
    });
    const [stdout, stderr] = [printed(child.stdout), printed(child.stderr)];
    let drained: NodeJS.Timeout | undefined;
    // A program that the rehearsal has started may hold the pipes open.
    child.once('exit', () => {
      drained = setTimeout(() => [child.stdout, child.stderr].forEach((pipe) => pipe?.destroy()), DRAIN_MS);
    });
    const [code, signal] = (await once(child, 'close')) as [code: number | null, signal: string | null];
    clearTimeout(drained);
    if (code === 0 && stdout() === sumIn(sample)) return;
    const end = code === null ? `it was killed by ${signal}` : `it exited with code ${code}`;
    // `killed` means the timeout, since nothing else here sends the rehearsal a signal.
    const why = child.killed ? 'it took too long' : (whyOf(stderr()) ?? end);
    throw new Error(`the new program failed its rehearsal: ${why}`);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the first line that names an error, otherwise the last line with text; null when there is none. */
function whyOf(stderr: string): string | null {
  const lines = stderr.split('\n').map((line) => line.trim());
  return lines.find((line) => /^\w*Error\b.*:/.test(line)) ?? lines.findLast((line) => line !== '') ?? null;
}

/** Reads a pipe to its end; the returned function returns the text so far, cut after about PRINTED_CHARS. */
function printed(stream: Readable | null): () => string {
  let text = '';
  stream?.on('data', (bytes: Buffer) => {
    if (text.length < PRINTED_CHARS) text += String(bytes);
  });
  return () => text;
}

/** Replaces this program by exec; returns the error when that fails. */
function become(argv: readonly string[], passed: Passed): Error {
  const descriptor = inMemory(encodePassed(passed));
  const { lock, listener, others, gateway } = passed.keeper;
  const children = passed.processes.flatMap(({ state }) => descriptorsOf(state.child));
  const descriptors = [descriptor, lock, listener, gateway.fd, ...others, ...children];
  const error = execWith(descriptors, [...argv, 'resume' satisfies Mode, String(descriptor)]);
  closeSync(descriptor);
  return error;
}

/** Returns the descriptor of a file in memory, so that typed input never reaches the disk. */
function inMemory(bytes: Buffer): number {
  if (!memoryFile) throw new Error('this system does not support files in memory (memfd)');
  const descriptor = succeeded(memoryFile('exec-console-keeper', MFD_CLOEXEC));
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
  return descriptor;
}

const MFD_CLOEXEC = 1;
