// Rooms of the gateway that need much of it: the history of what ran, and unified exec.
import { History } from './history/history.ts';
import type { Limits } from './config.ts';
import type { Gateway } from './gateway.ts';
import { osProcess } from './host/os-process.ts';
import { Recorder } from './record/recorder.ts';
import { Refused } from './unified/line.ts';
import { UnifiedRoom } from './unified/room.ts';

export interface Recordings {
  /** The folder of all recordings. */
  readonly root: string;
  /** True when what runs now is recorded. */
  readonly isOn: boolean;
}

export function openHistory(gateway: Gateway, { root, isOn }: Recordings, limits: Limits): History {
  const startTime = osProcess(process.pid)?.startTime ?? null;
  return new History({
    limits,
    recorder: new Recorder({
      root,
      limits,
      owner: { pid: process.pid, startTime },
      isRunning: (owner) => osProcess(owner.pid)?.startTime === owner.startTime,
      failed: (reason) => gateway.health.report('recordings', reason),
    }),
    isOn,
    present: () => gateway.console.directory.all(),
    describe: (each) => gateway.console.describe(each),
    opened: (each) => gateway.console.screens.follow(each),
    closed: (each) => gateway.console.screens.forget(each),
  });
}

type UnifiedOptions = ConstructorParameters<typeof UnifiedRoom>[0];

export function openUnifiedRoom(
  gateway: Gateway,
  known: Pick<UnifiedOptions, 'approval' | 'policyOf' | 'shell' | 'outages' | 'hasFloor'>,
): UnifiedRoom {
  return new UnifiedRoom({
    ...known,
    serve: (channel, identity) => {
      const why = gateway.whyFull(identity);
      if (why !== null) throw new Refused(why);
      gateway.serve(channel, identity);
    },
    process: (key) => gateway.console.directory.get(key),
    waitsForInput: (process) => {
      gateway.console.waiting.begin();
      return gateway.console.waiting.isWaiting(process);
    },
  });
}
