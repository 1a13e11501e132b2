// Creates parts of the gateway: audit log, history, unified exec, and the --on-waiting command.
import { pid as ownPid } from 'node:process';
import { Audit } from './audit/audit.ts';
import { OnWaiting } from './approvals/on-waiting.ts';
import { History } from './history/history.ts';
import type { Limits } from './config.ts';
import type { KeeperHome } from './adoption/keeper-home.ts';
import type { Gateway, GatewayOptions } from './gateway.ts';
import { osProcess } from './host/os-process.ts';
import { actLine, auditSkippedLine } from './ops/lines.ts';
import type { Log } from './ops/log.ts';
import { Recorder } from './record/recorder.ts';
import { Refused } from './unified/line.ts';
import { UnifiedRoom } from './unified/room.ts';

export interface Recordings {
  /** Folder of all recordings. */
  readonly root: string;
  /** True when running processes are recorded. */
  readonly isOn: boolean;
}

/** Opens the history. `home`: the keeper in which processes run; null when they run in this program. */
export function openHistory(
  gateway: Gateway,
  { root, isOn }: Recordings,
  limits: Limits,
  home: KeeperHome | null,
): History {
  return new History({
    limits,
    recorder: new Recorder({
      root,
      limits,
      owner: () => {
        const pid = home?.link.welcome.pid ?? ownPid;
        return { pid, startTime: osProcess(pid)?.startTime ?? null };
      },
      isRunning: (owner) => osProcess(owner.pid)?.startTime === owner.startTime,
      // A process whose keeper has ended counts as held while notes of the process exist, since some of its output may
      // not be recorded yet.
      isHeld: (key) => home?.hasLeft(key) === true,
      failed: (reason) => gateway.health.report('recordings', reason),
    }),
    isOn,
    present: () => gateway.console.directory.all(),
    describe: (each) => gateway.console.describe(each),
    clientNameOf: (each) => gateway.console.sessions.clientNameOf(each.description.session),
    opened: (each) => gateway.console.screens.follow(each),
    closed: (each) => gateway.console.screens.forget(each),
    removed: (key, who) => {
      const isOpen = gateway.console.find(key) !== undefined;
      gateway.console.changes.recordingRemoved(key, { who, isOpen });
      if (who !== 'gateway') removeOutput(gateway, key);
    },
  });
}

/**
 * Removes a process's output from memory when its recording is removed: its session still finds the process by its id
 * for a while, and unified exec has output that the agent has not read.
 */
function removeOutput({ console, unified }: Gateway, key: string): void {
  const known = [console.directory.get(key), ...console.sessions.all().flatMap((each) => each.processes())];
  console.directory.forget(key);
  for (const process of known) if (process?.key === key) process.discardOutput(true);
  unified.removeOutput(key);
}

export const openAudit = ({ health }: Gateway, { auditPath, limits, log }: GatewayOptions): Audit =>
  new Audit({
    path: auditPath,
    limits,
    failed: (reason) => health.report('audit', reason),
    recorded: (entry) => log(...actLine(entry)),
    skipped: (...what) => log(...auditSkippedLine(...what)),
  });

type UnifiedOptions = ConstructorParameters<typeof UnifiedRoom>[0];

export function openUnifiedRoom(
  gateway: Gateway,
  known: Pick<UnifiedOptions, 'approval' | 'policyOf' | 'shell' | 'outages' | 'hasFloor' | 'notes'>,
): UnifiedRoom {
  return new UnifiedRoom({
    ...known,
    serve: (channel, identity) => {
      const why = gateway.whyFull(identity);
      if (why !== null) throw new Refused(why);
      gateway.serve(channel, identity);
    },
    process: (key) => gateway.console.directory.get(key),
    reissue: (label) => gateway.console.sessions.reissue(label),
    started: (label, processId) =>
      gateway.console.directory
        .all()
        .find((each) => each.description.session === label && each.processId === processId),
    isPinned: (key) => gateway.console.pins.has(key),
    waitsForInput: (process) => {
      gateway.console.waiting.begin();
      return gateway.console.waiting.isWaiting(process);
    },
  });
}

/**
 * Returns a runner that executes `command` for each request that starts to wait while no operator or admin is
 * watching; null without a command.
 */
export const openOnWaiting = (command: string | null, log: Log): OnWaiting | null =>
  command === null
    ? null
    : new OnWaiting(command, (reason) =>
        log('warn', `the --on-waiting command failed: ${reason}`, { event: 'onWaitingFailed', reason }),
      );
