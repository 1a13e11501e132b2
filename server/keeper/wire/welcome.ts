// Checks the welcome of a program that listens as the keeper, which may be any program of this user.
import { isCount, recordIn } from './requests.ts';
import type { Held, Welcome } from './messages.ts';

/** Returns the welcome; throws a RangeError when a member that the gateway needs is missing or invalid. */
export function readWelcome(payload: Buffer): Welcome {
  const welcome = recordIn(payload);
  const { version, pid, epoch, firstMark, nextProcess, processes } = welcome;
  const isValid =
    [version, pid, epoch, nextProcess].every(isCount) &&
    typeof firstMark === 'string' &&
    /^\d+$/.test(firstMark) &&
    Array.isArray(processes) &&
    processes.every(isHeld);
  if (!isValid) throw new RangeError('the welcome is malformed');
  return welcome as unknown as Welcome;
}

function isHeld(value: unknown): value is Held {
  const { process, key, child, applied, endOffset, firstOffset } = (value ?? {}) as Partial<Held>;
  return (
    [process, applied, endOffset, firstOffset, child?.pid].every(isCount) &&
    typeof key === 'string' &&
    Array.isArray(child?.streams) &&
    Array.isArray(child?.lineage?.marks)
  );
}
