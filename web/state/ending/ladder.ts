// Ladder of steps that end a process: those possible now, the next one, and those that need confirmation.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { elapsedMs, isDraining, isHeld, isLive } from '../../../text/process-words.ts';

/**
 * Step of the ladder; `endEscaped` ends the descendants that left the OS session, which the other steps do not reach.
 */
export type Step = 'interrupt' | 'terminate' | 'kill' | 'endEscaped';

/** Run time from which terminating or killing needs confirmation, so that long work is not lost by mistake. */
const LONG_MS = 5 * 60_000;
/** Time after a step during which the next one needs no confirmation. */
const JUST_NOW_MS = 60_000;

/** Returns the steps possible now, gentlest first. */
export function stepsOf(info: ProcessInfo): readonly Step[] {
  // The command has not started yet.
  if (isHeld(info)) return [];
  if (isTerminating(info)) return isKilled(info) ? [] : ['kill'];
  if (isLive(info) || info.stillRunning) return ['interrupt', 'terminate', 'kill'];
  // Terminate and kill reach only the OS session; once it has ended, only processes outside it can hold the output
  // open.
  const isLeft = isDraining(info) && info.allEndedAtMs === null;
  const left: readonly Step[] = isLeft ? ['terminate', 'kill'] : [];
  return info.escaped.length > 0 ? [...left, 'endEscaped'] : left;
}

export const mayStep = (info: ProcessInfo, step: Step): boolean => stepsOf(info).includes(step);

/** Returns the gentlest possible step, but not an interrupt directly after another; null when there is none. */
export function nextStep(info: ProcessInfo): Step | null {
  const steps = stepsOf(info);
  const wasInterrupted = info.acts.findLast(isOfLadder)?.how === 'interrupt';
  return steps.find((step) => !(step === 'interrupt' && wasInterrupted)) ?? null;
}

/**
 * Returns true when the step needs confirmation: it would terminate or kill a process that has run for a long time,
 * and no other step was requested shortly before.
 */
export function asksFirst(info: ProcessInfo, step: Step, nowMs: number): boolean {
  if (step === 'interrupt' || step === 'endEscaped' || !isLive(info) || isTerminating(info)) return false;
  const former = info.acts.findLast(isOfLadder);
  const hasBegun = former !== undefined && nowMs - former.atMs < JUST_NOW_MS;
  return !hasBegun && elapsedMs(info, nowMs) >= LONG_MS;
}

/** Returns true while the process or its survivors are being terminated. */
export const isTerminating = ({ terminatingSinceMs }: Pick<ProcessInfo, 'terminatingSinceMs'>): boolean =>
  terminatingSinceMs !== null;

/**
 * Returns true when terminating has ended everything: no process that left the OS session is still running or holds
 * the output open.
 */
export const hasProof = ({ allEndedAtMs, escaped, outputHeld, ...info }: ProcessInfo): boolean =>
  allEndedAtMs !== null && !isLive(info) && escaped.length === 0 && !outputHeld;

/** Returns true when terminating has ended all known processes, but an unknown one still holds the output open. */
export const isHeldUnseen = ({ allEndedAtMs, escaped, outputHeld }: HeldOutput): boolean =>
  allEndedAtMs !== null && escaped.length === 0 && outputHeld;

type HeldOutput = Pick<ProcessInfo, 'allEndedAtMs' | 'escaped' | 'outputHeld'>;

const isKilled = ({ acts }: ProcessInfo): boolean => acts.findLast(isOfLadder)?.how === 'kill';

const isOfLadder = ({ how }: ProcessInfo['acts'][number]): boolean =>
  how === 'interrupt' || how === 'terminate' || how === 'kill';

export const STEP_NAME: { readonly [step in Step]: string } = {
  interrupt: 'Interrupt',
  terminate: 'Terminate',
  kill: 'Kill',
  endEscaped: 'Terminate these too',
};
