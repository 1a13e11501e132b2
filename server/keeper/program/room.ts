// All processes of a keeper: started by a gateway, followed by it, and ended when no gateway comes back.
import type { ChildSpec, Enclosure } from '../../host/child.ts';
import { ToGateway } from '../wire/frames.ts';
import type { Line } from '../wire/line.ts';
import type { Held, SentFound, Spawn, Status } from '../wire/messages.ts';
import { processFolder } from '../wire/place.ts';
import { QUEUED_BYTES } from './gateway-feed.ts';
import { HeldProcess, type HeldEvents } from './held-process.ts';
import { shareOfLogs } from './log-limits.ts';
import type { PassedProcess } from './passed.ts';
import { refusalOf } from './refusal.ts';
import { Troubles } from './troubles.ts';

/** Time between SIGTERM and SIGKILL for processes that are terminated because no gateway came back. */
const GRACE_MS = 3000;

export class Room {
  readonly #stateDir: string;
  readonly #changed: () => void;
  readonly #processes = new Map<number, HeldProcess>();
  readonly #lingering = new Map<HeldProcess, { readonly timer: NodeJS.Timeout; readonly endsAtMs: number }>();
  readonly #troubles = new Troubles((reason) => this.#line?.sendJson(ToGateway.trouble, 0, { reason }));
  #next = 1;
  #line: Line | null = null;

  /** `changed` is called when a process has exited and its output has ended. */
  constructor(stateDir: string, changed: () => void) {
    this.#stateDir = stateDir;
    this.#changed = changed;
  }

  get nextNumber(): number {
    return this.#next;
  }

  /** True while a process has not exited, or its output has not ended. */
  get hasLive(): boolean {
    return this.all().some((held) => !held.isOver);
  }

  all(): readonly HeldProcess[] {
    return [...this.#processes.values()];
  }

  get(number: number): HeldProcess | undefined {
    return this.#processes.get(number);
  }

  /** Most serious problem of the keeper; null when there is none. */
  get trouble(): string | null {
    return this.#troubles.now;
  }

  /** Reports a defect of the keeper's program to the gateway. */
  defect(message: string): void {
    this.#troubles.defect(message);
  }

  describe(): readonly Held[] {
    return this.all().map((held) => held.describe());
  }

  status(): Status['processes'] {
    return this.all()
      .filter((held) => !held.isOver)
      .map((held) => ({
        key: held.key,
        pid: held.pid,
        hasExited: held.hasExited,
        endsAtMs: this.#lingering.get(held)?.endsAtMs ?? null,
      }));
  }

  /**
   * Registers a gateway, which takes over all terminations; while it is connected, no process is terminated for lack of
   * a gateway.
   */
  joined(line: Line): void {
    this.#line = line;
    for (const { timer } of this.#lingering.values()) clearTimeout(timer);
    this.#lingering.clear();
    for (const held of this.#processes.values()) held.joined();
  }

  /** Stops sending to the gateway, which was displaced or has disconnected. */
  unfollow(): void {
    this.#line = null;
    for (const held of this.#processes.values()) held.unfollow();
  }

  /**
   * Handles the disconnection of the gateway: continues its terminations, and terminates each process after the
   * `lingerMs` of the process unless a gateway connects before.
   */
  left(atMs: number): void {
    this.unfollow();
    for (const held of this.#processes.values()) {
      if (held.terminating) held.termination.goOn(held.terminating);
      const endsAtMs = atMs + held.lingerMs;
      const timer = setTimeout(() => held.runOut(GRACE_MS), held.lingerMs);
      this.#lingering.set(held, { timer, endsAtMs });
    }
  }

  /**
   * Starts a process; sends its description and then all of its output to the gateway, or the reason why it did not
   * start.
   */
  spawn(number: number, asked: Spawn, line: Line): void {
    this.#next = Math.max(this.#next, number + 1);
    try {
      const folder = processFolder(this.#stateDir, asked.key);
      const held = HeldProcess.start(number, folder, asked, specOf(asked), this.#eventsOf(number));
      this.#processes.set(number, held);
      // More processes mean a smaller log limit for each.
      for (const each of this.#processes.values()) each.makeRoom();
      line.sendJson(ToGateway.spawned, number, held.describe());
      held.follow(line, 0);
    } catch (error) {
      line.sendJson(ToGateway.refused, number, refusalOf(error));
    }
  }

  /** Pauses reading from all processes for a handover; false ends this pause. */
  setHandingOver(isHandingOver: boolean): void {
    for (const held of this.#processes.values()) held.setHandingOver(isHandingOver);
  }

  /** Returns the state of all processes for the next program; null while bytes of any are in flight. */
  handOver(): readonly PassedProcess[] | null {
    const all = this.all().map((held) => held.handOver());
    return all.includes(null) ? null : all.filter((passed) => passed !== null);
  }

  /** Resumes the processes of the keeper's previous program. One that cannot be resumed is lost, but is not ended. */
  resume(nextNumber: number, processes: readonly PassedProcess[]): void {
    this.#next = nextNumber;
    for (const passed of processes) {
      const { number, key } = passed.state;
      try {
        const folder = processFolder(this.#stateDir, key);
        this.#processes.set(number, HeldProcess.resume(folder, passed, this.#eventsOf(number)));
      } catch (error) {
        console.error(`process ${key} was not taken over from the previous program:`, error);
      }
    }
  }

  forget(number: number): void {
    const held = this.#processes.get(number);
    if (!held) return;
    this.#processes.delete(number);
    this.#troubles.unwritten(number, null);
    held.forget();
  }

  /**
   * Sends unsent records of all processes, one of each in turn, until all are sent or more than QUEUED_BYTES are
   * queued.
   */
  sendMore(): void {
    const line = this.#line;
    if (!line) return;
    let behind = this.all().filter((held) => held.hasMore);
    while (behind.length > 0 && line.queuedBytes <= QUEUED_BYTES) {
      behind = behind.filter((held) => line.queuedBytes > QUEUED_BYTES || held.sendNext());
    }
  }

  #eventsOf(number: number): HeldEvents {
    return {
      over: () => this.#changed(),
      unwritten: (reason) => this.#troubles.unwritten(number, reason),
      slow: (ms) => this.#troubles.slow(ms),
      mostLogBytes: () => shareOfLogs(this.#processes.size),
    };
  }

  /** Terminates all processes; resolves when they have ended, but at the latest 1 s after SIGKILL. */
  async endAll(graceMs: number): Promise<void> {
    for (const { timer } of this.#lingering.values()) clearTimeout(timer);
    this.#lingering.clear();
    for (const held of this.#processes.values()) held.termination.start(graceMs);
    const untilMs = performance.now() + graceMs + 1000;
    const isOver = (): boolean =>
      this.all().every((held) => held.termination.state === null && held.hasExited);
    while (!isOver() && performance.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns the spec of a child; the gateway has prepared its sandbox and, for another user, looked up its program. */
function specOf({ spec, inside, found }: Spawn): ChildSpec {
  return {
    ...spec,
    sandbox: inside && enclosureOf(inside),
    ...(found && { found: foundOf(found) }),
  };
}

const enclosureOf = (inside: NonNullable<Spawn['inside']>): Enclosure => ({
  type: '',
  policy: '',
  isOpen: false,
  enter: () => ({ ...inside, leave: () => {} }),
  wasDenied: () => false,
});

function foundOf(found: SentFound): NonNullable<ChildSpec['found']> {
  if (!('failed' in found)) return found;
  return Object.assign(new Error(found.failed), found.code !== null && { code: found.code });
}
