// Encodes and decodes payloads of records other than output; decoding returns null for an invalid payload.
import type { Size } from '../../protocol/scalars.ts';

export interface RecordedExit {
  readonly code: number;
  readonly signal: string | null;
  /** True when the process probably failed because of its sandbox. */
  readonly sandboxDenied: boolean;
}

export function encodeSize({ rows, cols }: Size): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16LE(rows, 0);
  bytes.writeUInt16LE(cols, 2);
  return bytes;
}

export const decodeSize = (bytes: Buffer): Size | null =>
  bytes.length === 4 ? { rows: bytes.readUInt16LE(0), cols: bytes.readUInt16LE(2) } : null;

export function encodeExit({ code, signal, sandboxDenied }: RecordedExit): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeInt32LE(code, 0);
  bytes.writeUInt8(sandboxDenied ? 1 : 0, 4);
  return Buffer.concat([bytes, Buffer.from(signal ?? '', 'latin1')]);
}

export function decodeExit(bytes: Buffer): RecordedExit | null {
  if (bytes.length < 5) return null;
  const signal = bytes.toString('latin1', 5);
  return {
    code: bytes.readInt32LE(0),
    sandboxDenied: bytes.readUInt8(4) === 1,
    signal: signal === '' ? null : signal,
  };
}

/** Encodes a number, such as that of the next event; `decodeCount` is its inverse. */
export function encodeCount(count: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(count));
  return bytes;
}

export const decodeCount = (bytes: Buffer): number | null =>
  bytes.length === 8 ? Number(bytes.readBigUInt64LE(0)) : null;
