// Describes for the gateway why the keeper cannot start a process.
import { SpawnError } from '../../host/spawn.ts';
import { isOutOfRoom, withRemedy } from '../../host/starved.ts';
import type { Refused } from '../wire/messages.ts';

export function refusalOf(error: unknown): Refused {
  if (error instanceof SpawnError) return { message: error.message, starved: error.starved?.message ?? null };
  const isFull = isOutOfRoom(error as Error);
  const reason = `process logs cannot be written: ${withRemedy(error as Error)}`;
  return {
    message: `cannot start the process: ${reason}`,
    starved: isFull ? reason : null,
    ...(isFull && { isUnlogged: true as const }),
  };
}
