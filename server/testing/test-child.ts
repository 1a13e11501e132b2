// A real child whose events are recorded in order, with promises for its output, exit and end.
import { expect } from 'vitest';
import type { Child, ChildEvents, ChildExit, ChildSpec } from '../host/child.ts';
import { spawnChild } from '../host/spawn.ts';
import type { Stream } from '../../protocol/process.ts';

export interface TestChild {
  readonly child: Child;
  readonly exited: Promise<ChildExit>;
  readonly ended: Promise<void>;
  /** Output and the events `exit` and `end`, in order; consecutive output is one entry. */
  readonly record: string[];
  readonly output: (stream?: Stream) => Buffer;
  /** Resolves once the output so far contains `text`. */
  readonly printed: (text: string) => Promise<void>;
}

export const PATH = '/usr/local/bin:/usr/bin:/bin';
export const TERMINAL = { rows: 24, cols: 80 };

/** Children with pipes and with a terminal, for suites that test both. */
export const KINDS = [
  { kind: 'pipes', tty: null, pipeStdin: true },
  { kind: 'terminal', tty: TERMINAL, pipeStdin: false },
] as const;

export function specOf(argv: readonly string[], changes: Partial<ChildSpec> = {}): ChildSpec {
  return {
    argv,
    arg0: null,
    cwd: '/tmp',
    env: { PATH },
    tty: null,
    pipeStdin: false,
    sandbox: null,
    user: null,
    ...changes,
  };
}

/** Returns a command that runs the script in raw mode, in which a terminal neither translates nor echoes bytes. */
export function raw(script: string): string[] {
  return ['sh', '-c', `stty raw -echo 2>/dev/null; ${script}`];
}

/** Records the events of the child that `start` returns; `onChunk` is called after each recorded chunk. */
export function recorded(
  start: (events: ChildEvents) => Child,
  onChunk: (child: Child) => void = () => {},
): TestChild {
  const chunks: { stream: Stream; bytes: Buffer }[] = [];
  const record: string[] = [];
  const awaited: { text: string; resolve: () => void }[] = [];
  let last: 'output' | 'other' = 'other';
  let exit!: (exit: ChildExit) => void;
  let end!: () => void;
  const exited = new Promise<ChildExit>((resolve) => (exit = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  const output = (stream?: Stream): Buffer =>
    Buffer.concat(chunks.filter((each) => !stream || each.stream === stream).map(({ bytes }) => bytes));
  const other = (name: string): void => {
    record.push(name);
    last = 'other';
  };

  const child = start({
    onOutput(stream, bytes) {
      expect(bytes.length).toBeGreaterThan(0);
      chunks.push({ stream, bytes: Buffer.from(bytes) });
      if (last === 'output') record.push(`${record.pop()}${bytes.toString('latin1')}`);
      else record.push(bytes.toString('latin1'));
      last = 'output';
      for (const each of awaited.filter(({ text }) => output().includes(text))) each.resolve();
      onChunk(child);
    },
    onResized() {},
    onExit(event) {
      other('exit');
      exit(event);
    },
    onEnd() {
      other('end');
      end();
    },
  });
  const printed = (text: string): Promise<void> =>
    new Promise((resolve) => {
      if (output().includes(text)) resolve();
      else awaited.push({ text, resolve });
    });
  return { child, exited, ended, record, output, printed };
}

export const startChild = (spec: ChildSpec, onChunk?: (child: Child) => void): TestChild =>
  recorded((events) => spawnChild(spec, events), onChunk);
