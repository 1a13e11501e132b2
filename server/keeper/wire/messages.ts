// Payloads of the frames that are JSON, and of output and input, which are bytes.
import type { Stream } from '../../../protocol/process.ts';
import type { Size } from '../../../protocol/scalars.ts';
import type { ChildExit, ChildSpec } from '../../host/child.ts';
import type { Lineage } from '../../host/lineage.ts';
import type { Found } from '../../host/look-as-user.ts';
import type { Terminating } from '../../host/termination.ts';
import type { StdinQueueLimits } from '../writes.ts';

/** Versions of this protocol that are spoken here. */
export const VERSIONS = { min: 1, max: 1 } as const;

/** Greeting of a gateway. The keeper serves one gateway at a time, and a later one displaces an earlier one. */
export interface Hello {
  readonly min: number;
  readonly max: number;
  readonly pid: number;
  /** The gateway's own keeper program, which the keeper becomes before its welcome; a gateway of an earlier build has none. */
  readonly program?: KeeperProgram;
}

export interface KeeperProgram {
  readonly id: string;
  /** Its start, without the arguments that each keeper has of its own. */
  readonly argv: readonly string[];
}

export interface Welcome {
  readonly version: number;
  readonly pid: number;
  /** One above that of the gateway before; the first is 1. */
  readonly epoch: number;
  /** The first of the marks of what the keeper starts. */
  readonly firstMark: string;
  /** The first number that no process has. */
  readonly nextProcess: number;
  readonly processes: readonly Held[];
  /** Id of its program; a keeper of an earlier build does not say, and cannot become another. */
  readonly program?: string;
  /** The reason why it has not become the gateway's program; null when it is that. */
  readonly notUpgraded?: string | null;
}

/** A process of the keeper's. */
export interface Held {
  readonly process: number;
  readonly key: string;
  readonly child: ChildFacts;
  readonly exit: ChildExit | null;
  readonly exitedAtMs: number | null;
  readonly hasEnded: boolean;
  /** The highest number of an input that was queued. */
  readonly applied: number;
  /** The first input that came when nothing read it any more; null when there is none. */
  readonly closedFrom: number | null;
  /** Decoded bytes of all output, and of the part that is no longer on disk. */
  readonly endOffset: number;
  readonly firstOffset: number;
  readonly startedAtMs: number;
  /** Null when it is not being terminated; a keeper of an earlier build does not say. */
  readonly terminating?: Terminating | null;
  /** Time at which the keeper began to end it, since no gateway came back; null when it has not. */
  readonly ranOutAtMs?: number | null;
}

/** Facts about a child from its start. */
export interface ChildFacts {
  readonly pid: number;
  readonly writable: boolean;
  readonly tty: boolean;
  readonly lineage: Lineage;
  readonly streams: readonly string[];
}

/** An Error or what was found, as `ChildSpec.found`. */
export type SentFound = Found | { readonly failed: string; readonly code: string | null };

export interface Spawn {
  readonly key: string;
  readonly spec: Omit<ChildSpec, 'sandbox' | 'found'>;
  /** The way into its sandbox, which the gateway has made; null without one. */
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
  /** The resource that is exhausted; null when the request itself is wrong. */
  readonly starved: string | null;
}

/** Names of the streams that are open, and whether another process holds them. */
export interface Streams {
  readonly streams: readonly string[];
  readonly isHeld: boolean;
}

export interface Exit extends Streams {
  readonly exit: ChildExit;
}

/** The same facts at the end of a gateway or while there is none. */
export interface Owned {
  /** Time for which it is kept without a gateway, in ms. */
  readonly lingerMs: number;
  /** True while a client waits for all of its output, so that it is rather held back than forgotten. */
  readonly isOwned: boolean;
}

export interface SignalRequest {
  readonly group: number;
  readonly signal: NodeJS.Signals;
}

export interface Trouble {
  /** Null when it is over. */
  readonly reason: string | null;
}

/** Answer to a question that does not come from the gateway. */
export interface Status {
  readonly pid: number;
  readonly startedAtMs: number;
  readonly gatewayPid: number | null;
  /** Time at which the last gateway vanished; null while there is one. */
  readonly aloneSinceMs: number | null;
  readonly processes: readonly {
    readonly key: string;
    readonly pid: number;
    readonly hasExited: boolean;
    readonly endsAtMs: number | null;
  }[];
  /** The reason why it has not become the program of the last gateway; null when it is that. */
  readonly notUpgraded?: string | null;
}

export const Written = { accepted: 0, closed: 1, full: 2 } as const;

const STREAMS: readonly Stream[] = ['stdout', 'stderr', 'pty'];

const OUTPUT_HEAD = 13;

/** Bytes of a payload of output besides the output. */
export const outputBytes = (bytes: number): number => OUTPUT_HEAD + bytes;

/** Writes the head of an output at `at`: where it begins, its stream, and when it was read. */
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

/** A size in the place of the output at which it applies. */
export interface ResizedFrame extends Size {
  readonly offset: number;
}
