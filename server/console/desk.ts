// State of one connection at the console: attached processes, control, and whether it watches everything.
import type { AttachResult } from '../../protocol/console.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import { Attachment, type AttachmentLimits } from '../delivery/attachment.ts';
import type { WatchersTurn } from '../delivery/watchers-turn.ts';
import type { ProcessControl, ProcessView } from '../keeper/process-view.ts';
import { internal, RpcError } from '../rpc/rpc-error.ts';
import type { Tiles } from '../screens/tiles.ts';
import type { Usage } from '../monitor/usage.ts';
import type { Peer } from '../sessions/peer.ts';
import type { Watcher, Watching } from './changes.ts';
import { masked } from '../../text/masking.ts';
import { seenBy, seesSecrets, type Find } from './redacted.ts';
import { seenChanges, seenNotification } from './viewers.ts';

export interface DeskLimits extends AttachmentLimits {
  readonly attachments: number;
  readonly searches: number;
}

export interface DeskOptions {
  readonly peer: Peer;
  readonly watchersTurn: WatchersTurn;
  readonly find: Find;
  readonly limits: DeskLimits;
  /** Called when the connection attaches to a process or detaches from it. */
  readonly changed: (process: ProcessView) => void;
  /** Called when the connection starts or stops watching. */
  readonly watchesOrNot: () => void;
}

export interface AttachOptions {
  readonly windowBytes: number;
  readonly afterSeq?: number;
}

export class Desk {
  readonly #options: DeskOptions;
  readonly #attachments = new Map<string, Attachment>();
  readonly #controlled = new Set<ProcessControl>();
  #searches = 0;
  #watching: Watching | null = null;
  #watchesSinceMs: number | null = null;
  #isBrief = false;
  /** Processes in view, besides the attached ones; null while the page is hidden. */
  #looksAt: readonly ProcessView[] | null = [];
  #lookAwayFromUsage: (() => void) | null = null;
  #lookAwayFromTiles: (() => void) | null = null;

  constructor(options: DeskOptions) {
    this.#options = options;
    options.peer.connection.onEnding(() => this.#close());
  }

  get attachmentCount(): number {
    return this.#attachments.size;
  }

  /** Throws when the connection is attached to the maximum number of processes. */
  checkRoom(): void {
    const { attachments } = this.#options.limits;
    if (this.#attachments.size < attachments) return;
    throw internal(
      `this connection has attached to ${attachments} processes, which is the limit; detach from one first`,
    );
  }

  /** Runs a search; rejects when too many searches of this connection are waiting or in progress. */
  async search<T>(search: () => Promise<T>): Promise<T> {
    const { searches } = this.#options.limits;
    if (this.#searches >= searches)
      throw internal(
        `${searches} searches of this connection are waiting or in progress, which is the limit; wait until one has ended`,
      );
    this.#searches += 1;
    try {
      return await search();
    } finally {
      this.#searches -= 1;
    }
  }

  attach(process: ProcessView, { windowBytes, afterSeq }: AttachOptions): AttachResult {
    const { peer, watchersTurn, limits, changed } = this.#options;
    if (this.#attachments.has(process.key)) {
      throw new RpcError(ErrorCode.alreadyAttached, `already attached to process ${process.key}`);
    }
    this.checkRoom();
    const attachment = new Attachment({
      process,
      processId: seesSecrets(peer.identity) ? process.processId : masked(process.processId),
      connection: peer.connection,
      connectionTurn: peer.turn,
      watchersTurn,
      windowBytes,
      ...(afterSeq !== undefined && { afterSeq }),
      limits,
      seen: seenBy(peer.identity, process),
    });
    this.#attachments.set(process.key, attachment);
    this.#updateHold(process);
    changed(process);
    const { nextSeq, offset } = attachment;
    const mark = process.log.sizeAt(nextSeq);
    const size = mark ? { rows: mark.rows, cols: mark.cols } : null;
    return { nextSeq, firstRetainedSeq: process.log.firstSeq, offset, size };
  }

  detach(key: string): void {
    const attachment = this.#attachments.get(key);
    if (!attachment) return;
    this.#attachments.delete(key);
    attachment.stop();
    this.#options.changed(attachment.process);
  }

  acknowledge(key: string, seq: number): void {
    this.#attachments.get(key)?.acknowledge(seq);
  }

  isAttached(key: string): boolean {
    return this.#attachments.has(key);
  }

  /** Takes control, from the current controller if there is one. */
  take(process: ProcessControl): void {
    this.#controlled.add(process);
    process.controller = this.#options.peer.label;
    this.#updateHold(process);
  }

  /** Releases control, if this connection has it. */
  release(process: ProcessControl): void {
    this.#controlled.delete(process);
    if (process.controller === this.#options.peer.label) process.controller = null;
    this.#updateHold(process);
  }

  /** Handles the loss of control to another connection; the process no longer waits for this one. */
  controlMoved(process: ProcessControl): void {
    if (process.controller === this.#options.peer.label || !this.#controlled.delete(process)) return;
    this.#updateHold(process);
  }

  /**
   * Drops control of a process that is forgotten; an attached client still gets the rest of the process's output.
   */
  forget(process: ProcessControl): void {
    this.#controlled.delete(process);
  }

  /** Starts watching; if the connection watches already, only `isBrief` changes. */
  watch(isBrief: boolean, changes: { watch(watcher: Watcher<ProcessView>): Watching }): void {
    const { peer, find, watchesOrNot } = this.#options;
    this.#isBrief = isBrief;
    if (this.#watching) return;
    const shown = seenChanges(peer, find);
    this.#watching = changes.watch({
      isBrief: () => this.#isBrief,
      inSight: () => this.#inSight(),
      send: (change) => {
        const seen = shown(change);
        if (seen) peer.connection.notify('console/changed', seen);
      },
    });
    this.#watchesSinceMs = Date.now();
    watchesOrNot();
  }

  get isWatching(): boolean {
    return this.#watchesSinceMs !== null;
  }

  /** Time at which the connection began to watch; null when it does not watch. */
  get watchesSinceMs(): number | null {
    return this.#watchesSinceMs;
  }

  /** Replaces the processes in view; null while the page is hidden. */
  look(processes: readonly ProcessView[] | null): void {
    this.#looksAt = processes;
    this.#watching?.looked();
  }

  /**
   * Sends the usage of these processes from now on, and no longer that of the previously requested ones; `tree`: key of
   * the process whose process tree is also sent, or null.
   */
  lookAtUsage(
    { processes, tree }: { readonly processes: readonly ProcessView[]; readonly tree: string | null },
    usage: Usage,
  ): void {
    this.#lookAwayFromUsage?.();
    const { peer, find } = this.#options;
    this.#lookAwayFromUsage = usage.look({ processes, tree }, (usages) => {
      const seen = seenNotification(peer, 'console/usageChanged', { usage: usages }, find);
      peer.connection.notify('console/usageChanged', seen);
    });
  }

  /** Sends tiles of these processes from now on, and no longer those of the previously requested ones. */
  lookAtTiles(processes: readonly ProcessView[], tiles: Tiles): void {
    this.#lookAwayFromTiles?.();
    const { peer, find } = this.#options;
    const { connection } = peer;
    const isRedacted = !seesSecrets(peer.identity);
    this.#lookAwayFromTiles = tiles.look({ processes, isRedacted }, (changed) => {
      // A client that has not read everything that was sent to it gets no tiles until it has.
      if (connection.channel.unsentBytes > 0) return false;
      const seen = seenNotification(peer, 'console/tilesChanged', { tiles: changed }, find);
      connection.notify('console/tilesChanged', seen);
      return true;
    });
  }

  unwatch(): void {
    if (!this.#watching) return;
    this.#watching.stop();
    this.#watching = null;
    this.#watchesSinceMs = null;
    this.#options.watchesOrNot();
  }

  #inSight(): Iterable<ProcessView> | null {
    if (this.#looksAt === null) return null;
    const attached = [...this.#attachments.values()].map(({ process }) => process);
    return new Set([...attached, ...this.#looksAt]);
  }

  /** Sets whether the process waits for this connection: a console process waits for its controller. */
  #updateHold(process: ProcessView): void {
    const holds = process.description.isConsole && process.controller === this.#options.peer.label;
    this.#attachments.get(process.key)?.setHolding(holds);
  }

  #close(): void {
    this.unwatch();
    this.#lookAwayFromUsage?.();
    this.#lookAwayFromTiles?.();
    for (const process of this.#controlled) this.release(process);
    for (const key of this.#attachments.keys()) this.detach(key);
  }
}
