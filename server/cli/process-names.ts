// Names processes in a form that each command accepts, for `--quiet` and for completion.
import type { ProcessInfo } from '../../protocol/console.ts';
import { candidatesFor, shortKeyLength } from './find-process.ts';
import { print } from './print.ts';

export const QUIET_FLAG = {
  type: 'boolean',
  short: 'q',
  about: 'Print one name per line: the label if it is plain and unique, otherwise the key',
} as const;

/** A label that a shell reads as one plain word. */
const PLAIN = /^\w[\w.-]*$/;

/**
 * Returns a name for each process of `wanted`: its label if that is plain and names no other process, otherwise its
 * shortened key. Agents choose labels, and a shell might expand those that are not plain words.
 */
export function namesOf(wanted: readonly ProcessInfo[], all: readonly ProcessInfo[]): string[] {
  const keyLength = shortKeyLength(all.map(({ key }) => key));
  return wanted.map((info) => {
    const { key, label } = info;
    const isName = label !== null && PLAIN.test(label) && isOnly(candidatesFor(all, label), info);
    return isName ? label : key.slice(0, keyLength);
  });
}

const isOnly = (candidates: readonly ProcessInfo[], info: ProcessInfo): boolean =>
  candidates.length === 1 && candidates[0] === info;

export async function printNames(wanted: readonly ProcessInfo[], all: readonly ProcessInfo[]): Promise<void> {
  if (wanted.length > 0) await print(namesOf(wanted, all).join('\n'));
}
