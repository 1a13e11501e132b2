// Checks the payloads of hello and stop requests, which any program of this user can send to a keeper. The functions
// throw a RangeError, which closes the connection.
import { parseJson } from './line.ts';
import type { Hello, KeeperProgram } from './messages.ts';

export function readHello(payload: Buffer): Hello {
  const { min, max, pid, program } = recordIn(payload);
  if (!isCount(min) || !isCount(max) || !isCount(pid)) throw new RangeError('the hello is malformed');
  if (program === undefined) return { min, max, pid };
  if (!isProgram(program)) throw new RangeError('the hello is malformed');
  return { min, max, pid, program };
}

/** Returns the time in ms between SIGTERM and SIGKILL in a request to end the keeper. */
export function readGraceMs(payload: Buffer): number {
  const { graceMs } = recordIn(payload);
  if (!isCount(graceMs)) throw new RangeError('the stop request is malformed');
  return graceMs;
}

export function recordIn(payload: Buffer): Readonly<Record<string, unknown>> {
  const value = parseJson(payload);
  if (typeof value !== 'object' || value === null) throw new RangeError('the payload is not an object');
  return value as Record<string, unknown>;
}

export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function isProgram(value: unknown): value is KeeperProgram {
  const { id, argv } = (value ?? {}) as Partial<Record<keyof KeeperProgram, unknown>>;
  return typeof id === 'string' && Array.isArray(argv) && argv.every((word) => typeof word === 'string');
}
