// The ladder down which a process is ended: which steps there are now, which comes next, and which is asked about first.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { elapsedMs, isDraining, isHeld, isLive } from '../../../text/process-words.ts';

/** `endEscaped`: what left the OS session that a terminate has ended. */
export type Step = 'interrupt' | 'terminate' | 'kill' | 'endEscaped';

/** More work than that nobody loses by a slip. */
const LONG_MS = 5 * 60_000;
/** Who has just interrupted it means it. */
const JUST_NOW_MS = 60_000;

/** What can be done to it now, the gentlest first. */
export function stepsOf(info: ProcessInfo): readonly Step[] {
  // The command has not started.
  if (isHeld(info)) return [];
  if (isTerminating(info)) return isKilled(info) ? [] : ['kill'];
  if (isLive(info)) return ['interrupt', 'terminate', 'kill'];
  // Where all of its session has ended, only what left that holds its output open still.
  const isLeft = isDraining(info) && info.allEndedAtMs === null;
  const left: readonly Step[] = isLeft ? ['terminate', 'kill'] : [];
  return info.escaped.length > 0 ? [...left, 'endEscaped'] : left;
}

export const mayStep = (info: ProcessInfo, step: Step): boolean => stepsOf(info).includes(step);

/** The gentlest that has not been tried; null when there is nothing to do, or nothing left. */
export function nextStep(info: ProcessInfo): Step | null {
  const steps = stepsOf(info);
  const wasInterrupted = info.acts.findLast(isOfLadder)?.how === 'interrupt';
  return steps.find((step) => !(step === 'interrupt' && wasInterrupted)) ?? null;
}

/** Whether a slip would cost much. Once somebody is at it, no later step is asked about again. */
export function asksFirst(info: ProcessInfo, step: Step, nowMs: number): boolean {
  if (step === 'interrupt' || step === 'endEscaped' || !isLive(info) || isTerminating(info)) return false;
  const former = info.acts.findLast(isOfLadder);
  const hasBegun = former !== undefined && nowMs - former.atMs < JUST_NOW_MS;
  return !hasBegun && elapsedMs(info, nowMs) >= LONG_MS;
}

/** A terminate is under way, of itself or of what it left behind. */
export const isTerminating = ({ terminatingSinceMs }: Pick<ProcessInfo, 'terminatingSinceMs'>): boolean =>
  terminatingSinceMs !== null;

/** A terminate has ended everything: nothing of it has left its session and lives on, and nothing holds its output open. */
export const hasProof = ({ allEndedAtMs, escaped, outputHeld, ...info }: ProcessInfo): boolean =>
  allEndedAtMs !== null && !isLive(info) && escaped.length === 0 && !outputHeld;

/** A terminate has ended all that can be seen, and something holds the output open. */
export const isHeldUnseen = ({ allEndedAtMs, escaped, outputHeld }: HeldOutput): boolean =>
  allEndedAtMs !== null && escaped.length === 0 && outputHeld;

type HeldOutput = Pick<ProcessInfo, 'allEndedAtMs' | 'escaped' | 'outputHeld'>;

const isKilled = ({ acts }: ProcessInfo): boolean => acts.findLast(isOfLadder)?.how === 'kill';

const isOfLadder = ({ how }: ProcessInfo['acts'][number]): boolean =>
  how === 'interrupt' || how === 'terminate' || how === 'kill';

/** What a step is called on its button. */
export const STEP_NAME: { readonly [step in Step]: string } = {
  interrupt: 'Interrupt',
  terminate: 'Terminate',
  kill: 'Kill',
  endEscaped: 'Terminate these too',
};
