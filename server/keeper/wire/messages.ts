// Payloads of frames: JSON, except for output, input and the answers to input, which are bytes.
import type { Stream } from '../../../protocol/process.ts';
import type { Size } from '../../../protocol/scalars.ts';
import type { ChildExit, ChildSpec } from '../../host/child.ts';
import type { Lineage } from '../../host/lineage.ts';
import type { Found } from '../../host/look-as-user.ts';
import type { Terminating } from '../../host/termination.ts';
import type { StdinQueueLimits } from '../writes.ts';

/** Supported versions of this protocol. */
export const VERSIONS = { min: 1, max: 1 } as const;

/** Greeting of a gateway. The keeper serves one gateway at a time; a later one displaces an earlier one. */
export interface Hello {
  readonly min: number;
  readonly max: number;
  readonly pid: number;
  /**
   * The gateway's own keeper program, which replaces the keeper's before the welcome if their ids differ; absent from
   * an earlier build.
   */
  readonly program?: KeeperProgram;
}

export interface KeeperProgram {
  readonly id: string;
  /** Command line, without the arguments that differ between keepers. */
  readonly argv: readonly string[];
}

export interface Welcome {
  readonly version: number;
  readonly pid: number;
  /** Number of this gateway, counted from 1 by the keeper. */
  readonly epoch: number;
  /** First lineage mark of the processes that the keeper starts. */
  readonly firstMark: string;
  /** Lowest process number above all numbers used so far. */
  readonly nextProcess: number;
  readonly processes: readonly Held[];
  /** Id of the keeper's program; absent from an earlier build, which cannot be upgraded. */
  readonly program?: string;
  /**
   * Reason why the upgrade to the gateway's keeper program failed; null when none failed, absent from an earlier build.
   */
  readonly notUpgraded?: string | null;
}

/** A process of the keeper. */
export interface Held {
  readonly process: number;
  readonly key: string;
  readonly child: ChildFacts;
  readonly exit: ChildExit | null;
  readonly exitedAtMs: number | null;
  readonly hasEnded: boolean;
  /** Highest number of an input that was not rejected with `full`; 0 before the first. */
  readonly applied: number;
  /** Number of the first input that was answered with `closed`; null while there is none. */
  readonly closedFrom: number | null;
  /** Decoded bytes of all output, and of the part that is no longer on disk. */
  readonly endOffset: number;
  readonly firstOffset: number;
  /** Size of the terminal; null without one, absent from an earlier build. */
  readonly size?: Size | null;
  readonly startedAtMs: number;
  /** Newest termination; null before the first, absent from an earlier build. */
  readonly terminating?: Terminating | null;
  /**
   * Time at which the keeper started to terminate the process because no gateway came back; null before that, absent
   * from an earlier build.
   */
  readonly ranOutAtMs?: number | null;
}

/** Facts about a child; only `streams` can change. */
export interface ChildFacts {
  readonly pid: number;
  readonly writable: boolean;
  readonly tty: boolean;
  readonly lineage: Lineage;
  readonly streams: readonly string[];
}

/** `ChildSpec.found`, with an Error as plain values. */
export type SentFound = Found | { readonly failed: string; readonly code: string | null };

export interface Spawn {
  readonly key: string;
  readonly spec: Omit<ChildSpec, 'sandbox' | 'found'>;
  /** Command line and environment for entering the sandbox that the gateway has prepared; null without a sandbox. */
  readonly inside: {
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  } | null;
  readonly found: SentFound | null;
  readonly stdin: StdinQueueLimits;
  readonly lingerMs: number;
  readonly isOwned: boolean;
}

export interface Refused {
  readonly message: string;
  /** Reason when a system resource is exhausted; null for any other failure. */
  readonly starved: string | null;
  /** True when the log could not be created because disk space or descriptors ran out; absent otherwise. */
  readonly isUnlogged?: true;
}

/** Names of the open streams, and whether another process holds them open. */
export interface Streams {
  readonly streams: readonly string[];
  readonly isHeld: boolean;
}

export interface Exit extends Streams {
  readonly exit: ChildExit;
  /** Absent from an earlier build. */
  readonly exitedAtMs?: number | null;
}

/** Retention of a process, as set by the gateway. */
export interface Owned {
  /** Time without a gateway after which the keeper terminates the process, in ms. */
  readonly lingerMs: number;
  /** True while a client must receive all output, so that the process is paused before unread output is evicted. */
  readonly isOwned: boolean;
  /** Offset from which output may be unread by a client that has not resumed yet; absent without such a client. */
  readonly owedFrom?: number;
}

export interface SignalRequest {
  readonly group: number;
  readonly signal: NodeJS.Signals;
}

export interface Trouble {
  /** Null when the problem has been resolved. */
  readonly reason: string | null;
}

export interface Status {
  readonly pid: number;
  readonly startedAtMs: number;
  readonly gatewayPid: number | null;
  /** Time since which no gateway is connected; null while one is. */
  readonly aloneSinceMs: number | null;
  readonly processes: readonly {
    readonly key: string;
    readonly pid: number;
    readonly hasExited: boolean;
    readonly endsAtMs: number | null;
  }[];
  /**
   * Reason why the upgrade to the last gateway's keeper program failed; null when none failed, absent from an earlier
   * build.
   */
  readonly notUpgraded?: string | null;
}

export const Written = { accepted: 0, closed: 1, full: 2 } as const;

const STREAMS: readonly Stream[] = ['stdout', 'stderr', 'pty'];

const OUTPUT_HEAD = 13;

/** Returns the payload length for `bytes` of output. */
export const outputBytes = (bytes: number): number => OUTPUT_HEAD + bytes;

/**
 * Writes the header of an output payload at `at`: offset, stream, and time of the read. Returns the position
 * after it.
 */
export function putOutputHead(
  into: Buffer,
  at: number,
  { offset, stream, atMs }: { readonly offset: number; readonly stream: Stream; readonly atMs: number },
): number {
  into.writeUIntLE(offset, at, 6);
  into.writeUInt8(STREAMS.indexOf(stream), at + 6);
  into.writeUIntLE(atMs, at + 7, 6);
  return at + OUTPUT_HEAD;
}

export interface OutputFrame {
  readonly offset: number;
  readonly stream: Stream;
  readonly atMs: number;
  readonly bytes: Buffer;
}

export const readOutput = (payload: Buffer): OutputFrame => ({
  offset: payload.readUIntLE(0, 6),
  stream: STREAMS[payload.readUInt8(6)] ?? 'stdout',
  atMs: payload.readUIntLE(7, 6),
  bytes: payload.subarray(OUTPUT_HEAD),
});

/** A terminal size, and the output offset from which it applies. */
export interface ResizedFrame extends Size {
  readonly offset: number;
}
