// Encodes and decodes the state that a keeper passes to the next program in its process: frames as on the wire, then a
// checksum.
import { createHash } from 'node:crypto';
import type { ChildExit, ChildState } from '../../host/child.ts';
import type { Marks } from '../../host/lineage.ts';
import type { Terminating } from '../../host/termination.ts';
import { encodeFrame, FrameReader, HEADER_BYTES } from '../wire/frames.ts';
import { parseJson } from '../wire/line.ts';
import type { Owned, Spawn } from '../wire/messages.ts';
import type { StdinState, WaitingWrite } from './held-stdin.ts';
import type { LogState } from './process-log.ts';
import type { Unlogged } from './recorder.ts';

/** Version of this format; `decodePassed` rejects all others. */
const FORM = 1;

/** Types of the frames: first the keeper, then each process, followed by its input and unlogged records. */
const Part = { keeper: 1, process: 2, queued: 3, waiting: 4, unlogged: 5 } as const;

const SUM_BYTES = 32;
const SEQ_BYTES = 8;

/** State of a process, apart from that of its log, child and stdin. */
export interface Course {
  readonly startedAtMs: number;
  readonly terminating: Terminating | null;
  readonly ranOutAtMs: number | null;
  readonly exit: ChildExit | null;
  readonly exitedAtMs: number | null;
  readonly hasEnded: boolean;
}

export const NOT_OVER = {
  terminating: null,
  ranOutAtMs: null,
  exit: null,
  exitedAtMs: null,
  hasEnded: false,
};

export interface PassedProcess {
  readonly state: Course & {
    readonly number: number;
    readonly key: string;
    readonly owned: Owned;
    readonly limits: Spawn['stdin'];
    readonly log: LogState;
    readonly child: ChildState;
    readonly stdin: StdinState;
  };
  /** Input that was queued, but not yet accepted by the kernel. */
  readonly queued: readonly Uint8Array[];
  readonly waiting: readonly WaitingWrite[];
  readonly unlogged: readonly Unlogged[];
}

/** Descriptor of the gateway's connection, PID of the gateway, and protocol version of the connection. */
export interface PassedGateway {
  readonly fd: number;
  readonly pid: number;
  readonly version: number;
}

export interface PassedKeeper {
  readonly epoch: number;
  readonly startedAtMs: number;
  readonly nextNumber: number;
  readonly marks: Marks;
  /** Descriptors of the lock file, the listening socket, and connections other than the gateway's. */
  readonly lock: number;
  readonly listener: number;
  readonly others: readonly number[];
  readonly gateway: PassedGateway;
}

export interface Passed {
  readonly keeper: PassedKeeper;
  readonly processes: readonly PassedProcess[];
}

export function encodePassed({ keeper, processes }: Passed): Buffer {
  const parts = [
    jsonPart(Part.keeper, { form: FORM, ...keeper }),
    ...processes.flatMap(({ state, queued, waiting, unlogged }) => [
      jsonPart(Part.process, state),
      ...queued.map((bytes) => part(Part.queued, bytes)),
      ...waiting.map(({ seq, bytes }) => part(Part.waiting, numbered(seq, bytes))),
      ...unlogged.map((record) =>
        jsonPart(Part.unlogged, { ...record, payload: record.payload.toString('base64') }),
      ),
    ]),
  ];
  const all = Buffer.concat([...parts, Buffer.alloc(SUM_BYTES)]);
  all.set(sumOf(all), all.length - SUM_BYTES);
  return all;
}

/** Returns the decoded state; throws when it is damaged or incomplete, or is in another version of the format. */
export function decodePassed(bytes: Buffer): Passed {
  if (bytes.length < SUM_BYTES || !sumOf(bytes).equals(bytes.subarray(bytes.length - SUM_BYTES)))
    throw new Error('the state from the previous program is damaged');
  let keeper: PassedKeeper | null = null;
  const processes: { -readonly [Name in keyof PassedProcess]: PassedProcess[Name] }[] = [];
  const reader = new FrameReader((type, _process, payload) => {
    const last = processes.at(-1);
    if (type === Part.keeper) keeper = keeperIn(payload);
    else if (type === Part.process)
      processes.push({
        state: parseJson(payload) as PassedProcess['state'],
        queued: [],
        waiting: [],
        unlogged: [],
      });
    else if (type === Part.queued && last) last.queued = [...last.queued, payload];
    else if (type === Part.waiting && last) {
      const seq = Number(payload.readBigUInt64LE(0));
      last.waiting = [...last.waiting, { seq, bytes: payload.subarray(SEQ_BYTES) }];
    } else if (type === Part.unlogged && last) last.unlogged = [...last.unlogged, unloggedIn(payload)];
    else throw new Error(`the state from the previous program has a part of unknown type ${type}`);
  });
  reader.take(bytes.subarray(0, -SUM_BYTES));
  if (!keeper) throw new Error('the state from the previous program is incomplete');
  return { keeper, processes };
}

/** Returns the checksum at the end of an encoded state, in hex. */
export const sumIn = (bytes: Buffer): string => bytes.toString('hex', bytes.length - SUM_BYTES);

const sumOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes.subarray(0, -SUM_BYTES)).digest();

function keeperIn(payload: Buffer): PassedKeeper {
  const { form, ...keeper } = parseJson(payload) as PassedKeeper & { readonly form: number };
  if (form !== FORM)
    throw new Error(
      `the state from the previous program has format ${form}, but this program reads format ${FORM}`,
    );
  return keeper;
}

function unloggedIn(payload: Buffer): Unlogged {
  const record = parseJson(payload) as Unlogged & { readonly payload: unknown };
  return { ...record, payload: Buffer.from(String(record.payload), 'base64') };
}

function part(type: number, payload: Uint8Array): Buffer {
  const frame = encodeFrame(type, 0, payload.length);
  frame.set(payload, HEADER_BYTES);
  return frame;
}

const jsonPart = (type: number, value: unknown): Buffer => part(type, Buffer.from(JSON.stringify(value)));

function numbered(seq: number, bytes: Uint8Array): Buffer {
  const payload = Buffer.alloc(SEQ_BYTES + bytes.length);
  payload.writeBigUInt64LE(BigInt(seq));
  payload.set(bytes, SEQ_BYTES);
  return payload;
}
