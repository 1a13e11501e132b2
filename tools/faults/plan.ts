// Plan of a fault run, derived from a seed: processes, their input and signals, and faults.
import { Dice } from '../../client/testing/dice.ts';
import type { Direction } from '../../server/testing/fault-proxy.ts';
import type { Step } from './printer.ts';

/** Time in which all planned actions and faults begin; soon afterwards, faults are repaired and the run must settle. */
const ACT_MS = 700;

/** The acting client: the owner of the session, or a watcher by key. */
export type Who = 'owner' | 'watcher';

export type Deed =
  | { readonly kind: 'write'; readonly atMs: number; readonly who: Who; readonly bytes: number }
  | { readonly kind: 'interrupt'; readonly atMs: number; readonly who: Who }
  | { readonly kind: 'kill'; readonly atMs: number }
  | { readonly kind: 'resize'; readonly atMs: number; readonly who: Who };

export interface PlannedProcess {
  /** Client that starts the process: in its own session as owner, in the console's as watcher. */
  readonly startedBy: Who;
  readonly atMs: number;
  readonly tty: boolean;
  readonly readsStdin: boolean;
  readonly exitCode: number;
  readonly steps: readonly Step[];
  readonly deeds: readonly Deed[];
  /** Delay until the watcher attaches to a process of the owner; null: never. Unused for a process of the watcher. */
  readonly watchedAfterMs: number | null;
  /** Time by which each reader delays every third event; 0: no delay. */
  readonly slowMs: number;
}

export type Fault =
  | { readonly kind: 'cut'; readonly atMs: number }
  | { readonly kind: 'down'; readonly atMs: number; readonly ms: number }
  | {
      readonly kind: 'cutAfter';
      readonly atMs: number;
      readonly bytes: number;
      readonly direction: Direction;
    }
  /** A cut, after which the next connection is cut while it is being established. */
  | {
      readonly kind: 'cutTwice';
      readonly atMs: number;
      readonly bytes: number;
      readonly direction: Direction;
    }
  | { readonly kind: 'silence'; readonly atMs: number; readonly ms: number }
  | { readonly kind: 'hold'; readonly atMs: number; readonly ms: number }
  | {
      readonly kind: 'dribble';
      readonly atMs: number;
      readonly bytes: number;
      readonly direction: Direction;
    };

export interface Plan {
  readonly seed: number;
  /** True when so little output is retained that a cut may lose some of it. */
  readonly isTight: boolean;
  readonly processes: readonly PlannedProcess[];
  readonly faults: { readonly [who in Who]: readonly Fault[] };
}

export function planOf(seed: number): Plan {
  const dice = new Dice(seed);
  return {
    seed,
    isTight: dice.chance(0.4),
    processes: Array.from({ length: dice.pick(1, 3) }, () => planProcess(dice)),
    faults: { owner: planFaults(dice), watcher: planFaults(dice) },
  };
}

function planProcess(dice: Dice): PlannedProcess {
  const tty = dice.chance(0.4);
  const startedBy: Who = dice.chance(0.75) ? 'owner' : 'watcher';
  const leaves = !tty && dice.chance(0.15);
  const readsStdin = !leaves && dice.chance(0.6);
  const isKilled = !leaves && dice.chance(0.12);
  return {
    startedBy,
    atMs: dice.pick(0, ACT_MS / 3),
    tty,
    readsStdin,
    exitCode: dice.oneOf([0, 0, 1, dice.pick(2, 255)]),
    steps: planSteps(dice, { tty, leaves }),
    deeds: planDeeds(dice, { tty, readsStdin, isKilled }),
    watchedAfterMs: dice.chance(0.8) ? dice.pick(0, ACT_MS / 2) : null,
    slowMs: dice.chance(0.3) ? dice.pick(1, 30) : 0,
  };
}

function planSteps(dice: Dice, { tty, leaves }: { tty: boolean; leaves: boolean }): Step[] {
  // The first output shows that the process can receive input and signals.
  const steps: Step[] = [{ kind: 'print', stream: 'stdout', bytes: dice.pick(1, 200) }];
  const isLarge = dice.chance(0.3);
  for (let n = dice.pick(0, 12); n > 0; n -= 1) {
    const stream = !tty && dice.chance(0.35) ? 'stderr' : 'stdout';
    const bytes = dice.pickAnySize(1, isLarge ? 800_000 : 40_000);
    steps.push({ kind: 'print', stream, bytes });
    if (dice.chance(0.7)) steps.push({ kind: 'sleep', ms: dice.pick(0, 80) });
  }
  if (leaves) steps.splice(dice.pick(1, steps.length), 0, { kind: 'leave' });
  return steps;
}

function planDeeds(
  dice: Dice,
  { tty, readsStdin, isKilled }: { tty: boolean; readsStdin: boolean; isKilled: boolean },
): Deed[] {
  const deeds: Deed[] = [];
  const when = (): number => dice.pick(0, ACT_MS);
  const who = (): Who => dice.oneOf(['owner', 'watcher']);
  const times = (most: number): number[] => Array.from({ length: dice.pick(0, most) }, when);
  if (readsStdin) {
    for (const atMs of times(25)) {
      deeds.push({
        kind: 'write',
        atMs,
        who: who(),
        bytes: dice.pickAnySize(1, dice.chance(0.1) ? 50_000 : 2000),
      });
    }
  }
  if (dice.chance(0.3)) for (const atMs of times(3)) deeds.push({ kind: 'interrupt', atMs, who: who() });
  if (tty && dice.chance(0.3)) for (const atMs of times(4)) deeds.push({ kind: 'resize', atMs, who: who() });
  if (isKilled) deeds.push({ kind: 'kill', atMs: when() });
  return deeds.toSorted((a, b) => a.atMs - b.atMs);
}

function planFaults(dice: Dice): Fault[] {
  return Array.from({ length: dice.pick(0, 6) }, () => planFault(dice, dice.pick(0, ACT_MS))).toSorted(
    (a, b) => a.atMs - b.atMs,
  );
}

function planFault(dice: Dice, atMs: number): Fault {
  const direction = dice.oneOf<Direction>(['up', 'down']);
  const chance = dice.random();
  if (chance < 0.2) return { kind: 'cut', atMs };
  if (chance < 0.45) return { kind: 'cutAfter', atMs, direction, bytes: dice.pickAnySize(1, 100_000) };
  if (chance < 0.6) return { kind: 'cutTwice', atMs, direction, bytes: dice.pick(1, 700) };
  if (chance < 0.7) return { kind: 'down', atMs, ms: dice.pick(20, 500) };
  if (chance < 0.78) return { kind: 'silence', atMs, ms: dice.pick(10, 3000) };
  if (chance < 0.9) return { kind: 'hold', atMs, ms: dice.pick(5, 300) };
  return { kind: 'dribble', atMs, direction, bytes: dice.pick(1, 600) };
}
