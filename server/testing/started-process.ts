// Processes in this program or behind a message line, with helpers to await and read their output.
import { createHash } from 'node:crypto';
import { Cursor } from '../delivery/attachment.ts';
import type { Step } from '../delivery/frames.ts';
import type { ChildSpec } from '../host/child.ts';
import { Process } from '../keeper/process.ts';
import type { ProcessLimits } from '../keeper/process-limits.ts';
import type { ProcessControl, ProcessDescription, Writer } from '../keeper/process-view.ts';
import { whenTerminated } from '../keeper/when-terminated.ts';
import { startFar } from './far-process.ts';

export const DESCRIPTION: ProcessDescription = {
  processId: 'p',
  session: 's',
  isConsole: false,
  startedBy: 'Ada',
  starter: { tokenId: 't', role: 'agent' },
  metadata: { thread: 'one' },
  label: null,
  restartOf: null,
};
export const ADA: Writer = { session: 's', who: 'Ada' };
const LONG_MS = 60_000;
export const END = Number.POSITIVE_INFINITY;

export type Start = (spec: ChildSpec, limits: ProcessLimits) => Promise<ProcessControl>;

/** Processes that tests have started and `endAll` terminates. */
export const running: Process[] = [];
/** Functions that cut the message lines to processes. */
export const cuts: (() => void)[] = [];

/** Ends all processes; call it after each test. */
export async function endAll(): Promise<void> {
  for (const cut of cuts.splice(0)) cut();
  for (const process of running.splice(0)) {
    process.terminate(0, 'test');
    await whenTerminated(process, LONG_MS);
  }
}

export const startHere: Start = async (spec, limits) => {
  const process = new Process(DESCRIPTION, spec, limits);
  running.push(process);
  return process;
};
export const startBehindLine: Start = async (spec, limits) => {
  const { process, real, cut } = await startFar(DESCRIPTION, spec, limits);
  running.push(real);
  cuts.push(cut);
  return process;
};

/** Resolves when `isSo` returns true; `isSo` is called at once and after every change. */
export function until(process: ProcessControl, isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (!isSo()) return;
      stopChanges();
      stopLog();
      resolve();
    };
    const stopChanges = process.onChange(check);
    const stopLog = process.log.onChange(check);
    check();
  });
}

export const printed = (process: ProcessControl, text: string): Promise<void> =>
  until(process, () => process.log.tail(END).includes(text));
export const closed = (process: ProcessControl): Promise<void> => until(process, () => process.isClosed);
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Reads to the end, one step in each turn of the event loop; `took` is called after each step. */
export async function readAll(
  process: ProcessControl,
  took: (cursor: Cursor) => void = () => {},
): Promise<Step[]> {
  const cursor = new Cursor(process.log, 0);
  const steps: Step[] = [];
  while (steps.at(-1)?.kind !== 'closed') {
    const step = cursor.pull();
    if (step) {
      steps.push(step);
      took(cursor);
    }
    await turn();
  }
  return steps;
}

export const bytesOf = (steps: readonly Step[]): Buffer =>
  Buffer.concat(steps.flatMap((step) => (step.kind === 'output' ? step.bytes : [])));
export const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const FLOOD_LINES = 400_000;
export const FLOOD = ['seq', '1', String(FLOOD_LINES)];
export const flood = Buffer.from(Array.from({ length: FLOOD_LINES }, (_, line) => `${line + 1}\n`).join(''));
