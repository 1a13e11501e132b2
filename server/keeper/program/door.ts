// The socket of a keeper: one gateway at a time, and whoever asks how things are.
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { firstMark } from '../../host/lineage.ts';
import { ToGateway, ToKeeper } from '../wire/frames.ts';
import { isOfOwnUser, Line, parseJson } from '../wire/line.ts';
import {
  VERSIONS,
  type Hello,
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
import { Room } from './room.ts';

/** Time without a gateway and without a live process after which the keeper ends. */
const IDLE_MS = 10_000;

/** Time for a gateway that is displaced to stop: two that serve the same clients would tell them different things. */
const DISPLACED_MS = 5000;

/** Time after which a connection that has not said what it is gets closed. */
const HELLO_MS = 10_000;

interface Gateway {
  readonly line: Line;
  readonly pid: number;
  /** The version that both speak. */
  readonly version: number;
}

export class Door {
  readonly #path: string;
  readonly #room: Room;
  readonly #server: Server;
  readonly #exit: () => void;
  readonly #startedAtMs = Date.now();
  #epoch = 0;
  #gateway: Gateway | null = null;
  /** A later gateway, which waits until the one that it displaces is gone. */
  #next: Gateway | null = null;
  #kill: NodeJS.Timeout | null = null;
  #aloneSinceMs: number | null = Date.now();
  #idle: NodeJS.Timeout | null = null;
  #isStopping = false;

  /** `exit` is called once, when nothing is left to do. */
  constructor(path: string, stateDir: string, exit: () => void) {
    this.#path = path;
    this.#exit = exit;
    this.#room = new Room(stateDir, () => this.#watchIdle());
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Resolves when it listens; throws when the socket cannot be made. */
  async listen(): Promise<void> {
    // The lock is held: what is there is left from a keeper that is gone.
    rmSync(this.#path, { force: true });
    const mask = process.umask(0o177);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#server.once('error', reject);
        this.#server.listen(this.#path, resolve);
      });
    } finally {
      process.umask(mask);
    }
    chmodSync(this.#path, 0o600);
    this.#watchIdle();
  }

  /** Ends all processes, then the keeper. */
  async stop(graceMs: number): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    await this.#room.endAll(graceMs);
    this.#over();
  }

  #over(): void {
    rmSync(this.#path, { force: true });
    this.#exit();
  }

  #accept(socket: Socket): void {
    if (!isOfOwnUser(socket)) {
      socket.destroy();
      return;
    }
    const silent = setTimeout(() => socket.destroy(), HELLO_MS);
    const line = new Line(socket, {
      onFrame: (type, process, payload) => {
        clearTimeout(silent);
        if (line === this.#gateway?.line) this.#serve(line, type, process, payload);
        else if (type === ToKeeper.hello) this.#join(line, parseJson(payload) as Hello);
        else if (type === ToKeeper.ask) line.sendJson(ToGateway.status, 0, this.#status());
        else if (type === ToKeeper.stop) void this.stop((parseJson(payload) as { graceMs: number }).graceMs);
      },
      onDrain: () => {
        if (line === this.#gateway?.line) this.#room.sendMore();
      },
      onClose: () => {
        clearTimeout(silent);
        if (line === this.#gateway?.line) this.#left();
      },
    });
  }

  #join(line: Line, { min, max, pid }: Hello): void {
    if (min > VERSIONS.max || max < VERSIONS.min || this.#isStopping) {
      line.destroy();
      return;
    }
    const gateway: Gateway = { line, pid, version: Math.min(max, VERSIONS.max) };
    if (this.#gateway) this.#displace(this.#gateway, gateway);
    else this.#admit(gateway);
  }

  /** The later one begins when the former is gone, so that no client is told by both. */
  #displace(former: Gateway, next: Gateway): void {
    this.#next?.line.destroy();
    this.#next = next;
    if (this.#kill) return;
    this.#room.unfollow();
    former.line.send(ToGateway.displaced);
    // Requests of it that were not read are not done: none of them was answered.
    former.line.ignore();
    this.#kill = setTimeout(() => former.line.killPeer(), DISPLACED_MS);
  }

  #admit(gateway: Gateway): void {
    const { line, version } = gateway;
    this.#gateway = gateway;
    this.#aloneSinceMs = null;
    if (this.#idle) clearTimeout(this.#idle);
    this.#epoch += 1;
    this.#room.joined(line);
    const welcome: Welcome = {
      version,
      pid: process.pid,
      epoch: this.#epoch,
      firstMark: String(firstMark()),
      nextProcess: this.#room.nextNumber,
      processes: this.#room.describe(),
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
      void this.stop((parseJson(payload) as { graceMs: number }).graceMs);
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
    };
  }

  /** Ends the keeper when there has been nothing to do for a while. */
  #watchIdle(): void {
    if (this.#idle) clearTimeout(this.#idle);
    this.#idle = null;
    if (this.#gateway || this.#room.hasLive) return;
    this.#idle = setTimeout(() => this.#over(), IDLE_MS);
  }
}
