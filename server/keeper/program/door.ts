// The keeper's socket: serves one gateway at a time, and status requests.
import { chmodSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, Socket, type Server } from 'node:net';
import { firstMark, marksSoFar } from '../../host/lineage.ts';
import { ToGateway, ToKeeper } from '../wire/frames.ts';
import { fdOf, isOfOwnUser, Line, parseJson } from '../wire/line.ts';
import { readGraceMs, readHello } from '../wire/requests.ts';
import {
  VERSIONS,
  type Hello,
  type KeeperProgram,
  type Owned,
  type SignalRequest,
  type Spawn,
  type Status,
  type Trouble,
  type Welcome,
} from '../wire/messages.ts';
import type { Size } from '../../../protocol/scalars.ts';
import type { Terminating } from '../../host/termination.ts';
import type { HeldProcess } from './held-process.ts';
import type { Passed } from './passed.ts';
import { Room } from './room.ts';
import { upgraded } from './upgrade.ts';

/** Time with neither a gateway nor a live process, after which the keeper ends. */
const IDLE_MS = 10_000;

/**
 * Time after which a displaced gateway is killed, since two gateways with the same clients would contradict each other.
 */
const DISPLACED_MS = 5000;

/** Time after which a connection that has sent no frame is closed. */
const HELLO_MS = 10_000;

/** Maximum number of defects that are logged, since the log file is never truncated. */
const MOST_LOGGED = 100;

interface Gateway {
  readonly line: Line;
  readonly pid: number;
  /** Protocol version that both sides support. */
  readonly version: number;
  /** The gateway's own keeper program; null for a gateway of an earlier build, and after an upgrade. */
  readonly program: KeeperProgram | null;
}

export interface OwnPlace {
  /** Path of the socket. */
  readonly path: string;
  readonly stateDir: string;
  /** Descriptor of the lock file. */
  readonly lock: number;
  /** Id of this keeper's program. */
  readonly program: string;
}

export class Door {
  readonly #own: OwnPlace;
  readonly #room: Room;
  readonly #server: Server;
  readonly #exit: () => void;
  #startedAtMs = Date.now();
  #epoch = 0;
  #gateway: Gateway | null = null;
  /** A later gateway, which waits until the displaced one has disconnected. */
  #next: Gateway | null = null;
  #kill: NodeJS.Timeout | null = null;
  #aloneSinceMs: number | null = Date.now();
  #idle: NodeJS.Timeout | null = null;
  #isStopping = false;
  #defects = 0;
  /** Connections other than the gateway's. */
  readonly #others = new Set<Line>();
  /** Reason why the upgrade to the keeper program of the newest gateway failed; null if it did not fail. */
  #notUpgraded: string | null = null;

  /** `exit` is called once, when the keeper has nothing left to do. */
  constructor(own: OwnPlace, exit: () => void) {
    this.#own = own;
    this.#exit = exit;
    this.#room = new Room(own.stateDir, () => this.#watchIdle());
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Resolves when the socket accepts connections; rejects when it cannot be created. */
  async listen(): Promise<void> {
    // An existing socket was left by an earlier keeper, since this one holds the lock.
    rmSync(this.#own.path, { force: true });
    const mask = process.umask(0o177);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#server.once('error', reject);
        this.#server.listen(this.#own.path, resolve);
      });
    } finally {
      process.umask(mask);
    }
    chmodSync(this.#own.path, 0o600);
    this.#watchIdle();
  }

  /** Continues where the previous program in this process stopped. */
  async resume({ keeper, processes }: Passed): Promise<void> {
    const { epoch, startedAtMs, nextNumber, listener, others, gateway } = keeper;
    this.#epoch = epoch;
    this.#startedAtMs = startedAtMs;
    this.#room.resume(nextNumber, processes);
    const { fd, pid, version } = gateway;
    const line = this.#accept(new Socket({ fd }));
    if (line) this.#welcome(this.#enter({ line, pid, version, program: null }));
    for (const other of others) this.#accept(new Socket({ fd: other }));
    this.#server.listen({ fd: listener });
    await once(this.#server, 'listening');
    this.#watchIdle();
  }

  /** Reports a defect, and continues: an exit of the keeper would end all processes. */
  defect(error: Error): void {
    this.#defects += 1;
    if (this.#defects <= MOST_LOGGED) console.error('keeper defect:', error);
    this.#room.defect(error.message);
  }

  /** Ends all processes, then the keeper. */
  async stop(graceMs: number): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    await this.#room.endAll(graceMs);
    this.#over();
  }

  #over(): void {
    rmSync(this.#own.path, { force: true });
    this.#exit();
  }

  #accept(socket: Socket): Line | null {
    if (!isOfOwnUser(socket)) {
      socket.destroy();
      return null;
    }
    const silent = setTimeout(() => {
      if (line !== this.#gateway?.line) socket.destroy();
    }, HELLO_MS);
    const line = new Line(socket, {
      onFrame: (type, processNumber, payload) => {
        clearTimeout(silent);
        if (line === this.#gateway?.line) this.#serve(line, type, processNumber, payload);
        else if (type === ToKeeper.hello) this.#join(line, readHello(payload));
        else if (type === ToKeeper.ask) line.sendJson(ToGateway.status, 0, this.#status());
        else if (type === ToKeeper.stop) void this.stop(readGraceMs(payload));
      },
      onDrain: () => {
        if (line === this.#gateway?.line) this.#room.sendMore();
      },
      onClose: () => {
        clearTimeout(silent);
        this.#others.delete(line);
        if (line === this.#gateway?.line) this.#left();
      },
    });
    this.#others.add(line);
    return line;
  }

  #join(line: Line, { min, max, pid, program }: Hello): void {
    if (min > VERSIONS.max || max < VERSIONS.min || this.#isStopping) {
      line.destroy();
      return;
    }
    const gateway: Gateway = { line, pid, version: Math.min(max, VERSIONS.max), program: program ?? null };
    if (this.#gateway) this.#displace(this.#gateway, gateway);
    else this.#admit(gateway);
  }

  /** Displaces `former`; admits `next` once `former` has disconnected, so that no client is served by both. */
  #displace(former: Gateway, next: Gateway): void {
    this.#next?.line.destroy();
    this.#next = next;
    if (this.#kill) return;
    this.#room.unfollow();
    former.line.send(ToGateway.displaced);
    // Unread requests of the displaced gateway are dropped; none of them was answered.
    former.line.ignore();
    this.#kill = setTimeout(() => former.line.killPeer(), DISPLACED_MS);
  }

  #admit(gateway: Gateway): void {
    const { program } = this.#enter(gateway);
    this.#epoch += 1;
    if (!program || program.id === this.#own.program) {
      this.#notUpgraded = null;
      this.#welcome(gateway);
    } else void this.#upgrade(gateway, program);
  }

  /** Makes this the current gateway, and stops the timers that end the keeper and its processes. */
  #enter(gateway: Gateway): Gateway {
    this.#gateway = gateway;
    this.#others.delete(gateway.line);
    this.#aloneSinceMs = null;
    if (this.#idle) clearTimeout(this.#idle);
    this.#room.joined(gateway.line);
    return gateway;
  }

  /**
   * Replaces this program with the gateway's own keeper program, which then welcomes the gateway. This program
   * welcomes it only on failure.
   */
  async #upgrade(gateway: Gateway, program: KeeperProgram): Promise<void> {
    const { path, stateDir } = this.#own;
    const isWanted = (): boolean => this.#gateway === gateway && !this.#next && !this.#isStopping;
    const reason = await upgraded(program, [stateDir, path], {
      setHandingOver: (isHandingOver) => this.#room.setHandingOver(isHandingOver),
      handOver: () => {
        if (!isWanted()) throw new Error('the gateway has disconnected');
        return this.#handOver(gateway);
      },
    });
    if (!isWanted()) return;
    this.#notUpgraded = reason;
    this.#welcome(gateway);
  }

  #handOver({ line: { fd }, pid, version }: Gateway): Passed | null {
    const processes = this.#room.handOver();
    return (
      processes && {
        keeper: {
          epoch: this.#epoch,
          startedAtMs: this.#startedAtMs,
          nextNumber: this.#room.nextNumber,
          marks: marksSoFar(),
          lock: this.#own.lock,
          listener: fdOf(this.#server),
          others: [...this.#others].filter(({ isOpen }) => isOpen).map((other) => other.fd),
          gateway: { fd, pid, version },
        },
        processes,
      }
    );
  }

  #welcome({ line, version }: Gateway): void {
    const welcome: Welcome = {
      version,
      pid: process.pid,
      epoch: this.#epoch,
      firstMark: String(firstMark()),
      nextProcess: this.#room.nextNumber,
      processes: this.#room.describe(),
      program: this.#own.program,
      notUpgraded: this.#notUpgraded,
    };
    line.sendJson(ToGateway.welcome, 0, welcome);
    if (this.#room.trouble !== null)
      line.sendJson(ToGateway.trouble, 0, { reason: this.#room.trouble } satisfies Trouble);
  }

  #left(): void {
    if (this.#kill) clearTimeout(this.#kill);
    this.#kill = null;
    this.#gateway = null;
    const next = this.#next;
    this.#next = null;
    if (next?.line.isOpen) {
      this.#admit(next);
      return;
    }
    this.#aloneSinceMs = Date.now();
    this.#room.left(this.#aloneSinceMs);
    this.#watchIdle();
  }

  #serve(line: Line, type: number, number: number, payload: Buffer): void {
    if (type === ToKeeper.spawn) {
      this.#room.spawn(number, parseJson(payload) as Spawn, line);
      return;
    }
    if (type === ToKeeper.stop) {
      void this.stop(readGraceMs(payload));
      return;
    }
    if (type === ToKeeper.forget) {
      this.#room.forget(number);
      return;
    }
    const held = this.#room.get(number);
    if (held) this.#act(held, line, type, payload);
  }

  #act(held: HeldProcess, line: Line, type: number, payload: Buffer): void {
    switch (type) {
      case ToKeeper.input:
        return held.input(Number(payload.readBigUInt64LE(0)), payload.subarray(8));
      case ToKeeper.endInput:
        return held.endInput();
      case ToKeeper.resize:
        return held.resize(parseJson(payload) as Size);
      case ToKeeper.pause:
        return held.pause();
      case ToKeeper.resume:
        held.resume();
        return this.#room.sendMore();
      case ToKeeper.follow:
        held.follow(line, (parseJson(payload) as { offset: number }).offset);
        return this.#room.sendMore();
      case ToKeeper.signal:
        return held.signal(parseJson(payload) as SignalRequest);
      case ToKeeper.abandon:
        return held.abandon();
      case ToKeeper.terminating:
        held.terminating = parseJson(payload) as Terminating;
        return;
      case ToKeeper.owned:
        return held.setOwned(parseJson(payload) as Owned);
      default:
    }
  }

  #status(): Status {
    return {
      pid: process.pid,
      startedAtMs: this.#startedAtMs,
      gatewayPid: this.#gateway?.pid ?? null,
      aloneSinceMs: this.#aloneSinceMs,
      processes: this.#room.status(),
      notUpgraded: this.#notUpgraded,
    };
  }

  /** Ends the keeper after IDLE_MS with neither a gateway nor a live process. */
  #watchIdle(): void {
    if (this.#idle) clearTimeout(this.#idle);
    this.#idle = null;
    if (this.#gateway || this.#room.hasLive) return;
    this.#idle = setTimeout(() => this.#over(), IDLE_MS);
  }
}
