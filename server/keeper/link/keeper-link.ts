// The gateway's connection to its keeper: starts processes there, and finds those started earlier.
import type { Socket } from 'node:net';
import type { ChildSpec } from '../../host/child.ts';
import { adoptMarks } from '../../host/lineage.ts';
import { SpawnError, wayInto } from '../../host/spawn.ts';
import { Starved } from '../../host/starved.ts';
import type { StdinQueueLimits } from '../writes.ts';
import { ToGateway, ToKeeper } from '../wire/frames.ts';
import { Line, parseJson } from '../wire/line.ts';
import {
  VERSIONS,
  type Held,
  type Hello,
  type Owned,
  type Refused,
  type SentFound,
  type Spawn,
  type Trouble,
  type Welcome,
} from '../wire/messages.ts';
import { HeldChild } from './held-child.ts';
import { readWelcome } from '../wire/welcome.ts';
import { StateFolderUnwritable } from './state-folder-unwritable.ts';
import { findOrStartKeeper, keeperProgram } from './keeper-start.ts';

export interface KeeperEvents {
  /** Called when another gateway has taken over the keeper. */
  readonly displaced: () => void;
  /** Called when the connection has closed unexpectedly, so that the keeper's processes are lost. */
  readonly lost: () => void;
  readonly trouble: (reason: string | null) => void;
}

/** Maximum time for a welcome: a former gateway may need 5 s to end, and the rehearsal of an upgrade 15 s. */
const WELCOME_MS = 60_000;

const SILENT =
  'the keeper of this state folder does not answer; it may be suspended. Resume it with kill -CONT; its PID is in keeper.lock there';

const NOT_A_KEEPER =
  'the program that listens on keeper.sock in this state folder is not a keeper; stop it, then start the gateway';

const NO_WELCOME =
  'the keeper of this state folder is a different version, is shutting down, or serves another gateway that has just started; try again in a few seconds';

const TOO_OLD =
  'The keeper is an older version, which cannot be upgraded while it runs. Stop the gateway when no process is running; its next start also starts a new keeper';

interface Starting {
  readonly resolve: (child: HeldChild) => void;
  readonly reject: (error: Error) => void;
}

export class KeeperLink {
  readonly welcome: Welcome;
  readonly #line: Line;
  readonly #children = new Map<number, HeldChild>();
  readonly #starting = new Map<number, Starting>();
  readonly #events: KeeperEvents;
  #next: number;
  #isClosing = false;
  readonly #gone: Promise<void>;

  private constructor(line: Line, welcome: Welcome, gone: Promise<void>, events: KeeperEvents) {
    this.#line = line;
    this.welcome = welcome;
    this.#next = welcome.nextProcess;
    this.#events = events;
    this.#gone = gone;
    adoptMarks(BigInt(welcome.firstMark));
  }

  /** Takes over the keeper of a state folder, or starts one. Rejects with a reason for people. */
  static async open(stateDir: string, events: KeeperEvents, welcomeMs = WELCOME_MS): Promise<KeeperLink> {
    return KeeperLink.#greet(await findOrStartKeeper(stateDir), events, welcomeMs);
  }

  static #greet(socket: Socket, events: KeeperEvents, welcomeMs: number): Promise<KeeperLink> {
    return new Promise((resolve, reject) => {
      let link: KeeperLink | null = null;
      const timer = setTimeout(() => {
        reject(new Error(SILENT));
        socket.destroy();
      }, welcomeMs);
      let hasGone!: () => void;
      const gone = new Promise<void>((done) => (hasGone = done));
      const line = new Line(socket, {
        onFrame: (type, processNumber, payload) => {
          if (link) link.#receive(type, processNumber, payload);
          else if (type === ToGateway.welcome) {
            clearTimeout(timer);
            try {
              link = new KeeperLink(line, readWelcome(payload), gone, events);
              resolve(link);
            } catch (error) {
              if (!(error instanceof RangeError)) throw error;
              reject(new Error(NOT_A_KEEPER, { cause: error }));
              line.destroy();
            }
          } else if (type === ToGateway.displaced) line.destroy();
        },
        onDrain: () => {},
        onClose: () => {
          clearTimeout(timer);
          hasGone();
          if (link) link.#closed();
          else reject(new Error(NO_WELCOME));
        },
      });
      const hello: Hello = { ...VERSIONS, pid: process.pid, program: keeperProgram() };
      line.sendJson(ToKeeper.hello, 0, hello);
    });
  }

  get isOpen(): boolean {
    return this.#line.isOpen;
  }

  /** Reason, for people, why the keeper does not run this gateway's keeper program; null when it does. */
  get notUpgraded(): string | null {
    const { program, notUpgraded = null } = this.welcome;
    if (program === undefined) return TOO_OLD;
    return notUpgraded === null
      ? null
      : `The keeper still runs its earlier program: ${notUpgraded}. Repair the installation, then run "exec-console restart"`;
  }

  /** Starts a child in the keeper. Rejects with SpawnError, like a start in this program. */
  async spawn(key: string, spec: ChildSpec, stdin: StdinQueueLimits, owned: Owned): Promise<HeldChild> {
    const inside = spec.sandbox ? wayInto(spec, spec.sandbox) : null;
    const { sandbox: _, found, ...plain } = spec;
    const asked: Spawn = {
      key,
      spec: plain,
      inside: inside && { argv: inside.argv, env: inside.env },
      found: found ? sentFound(found) : null,
      stdin,
      ...owned,
    };
    try {
      const child = await this.#started(asked);
      if (inside) child.onExitOnce(inside.leave);
      return child;
    } catch (error) {
      inside?.leave();
      throw error;
    }
  }

  /** Registers a process that runs in the keeper. */
  adopt(held: Held): HeldChild {
    const child = new HeldChild(this.#line, held);
    this.#children.set(held.process, child);
    return child;
  }

  forget(child: HeldChild): void {
    this.#children.delete(child.number);
    child.forget();
  }

  /** Ends the keeper and its remaining processes; resolves when it has ended. */
  async stop(graceMs: number): Promise<void> {
    this.#isClosing = true;
    if (!this.#line.isOpen) return;
    this.#line.sendJson(ToKeeper.stop, 0, { graceMs });
    await this.#gone;
  }

  /** Stops sending to the keeper. */
  retire(): void {
    this.#isClosing = true;
    this.#line.mute();
  }

  /** Closes the connection, which leaves the keeper and its processes to a later gateway. */
  leave(): void {
    this.#isClosing = true;
    this.#line.destroy();
  }

  #started(asked: Spawn): Promise<HeldChild> {
    if (!this.#line.isOpen)
      return Promise.reject(
        new SpawnError('the connection to the keeper was lost; nothing was started', new Error('gone')),
      );
    const number = this.#next;
    this.#next += 1;
    this.#line.sendJson(ToKeeper.spawn, number, asked);
    return new Promise((resolve, reject) => this.#starting.set(number, { resolve, reject }));
  }

  #receive(type: number, processNumber: number, payload: Buffer): void {
    switch (type) {
      case ToGateway.spawned: {
        const child = this.adopt(parseJson(payload) as Held);
        this.#settled(processNumber)?.resolve(child);
        return;
      }
      case ToGateway.refused: {
        const { message, starved, isUnlogged } = parseJson(payload) as Refused;
        const cause = starved === null ? new Error(message) : new Starved(starved);
        const Refusal = isUnlogged ? StateFolderUnwritable : SpawnError;
        this.#settled(processNumber)?.reject(new Refusal(message, cause));
        return;
      }
      case ToGateway.displaced:
        this.#isClosing = true;
        this.#events.displaced();
        return;
      case ToGateway.trouble:
        this.#events.trouble((parseJson(payload) as Trouble).reason);
        return;
      default:
        this.#children.get(processNumber)?.receive(type, payload);
    }
  }

  #settled(processNumber: number): Starting | undefined {
    const starting = this.#starting.get(processNumber);
    this.#starting.delete(processNumber);
    return starting;
  }

  #closed(): void {
    for (const { reject } of this.#starting.values())
      reject(
        new SpawnError(
          'the connection to the keeper was lost; the process may or may not have been started',
          new Error('gone'),
        ),
      );
    this.#starting.clear();
    if (this.#isClosing) return;
    for (const child of this.#children.values()) child.lost();
    this.#events.lost();
  }
}

function sentFound(found: NonNullable<ChildSpec['found']>): SentFound {
  if (!(found instanceof Error)) return found;
  return { failed: found.message, code: (found as NodeJS.ErrnoException).code ?? null };
}
