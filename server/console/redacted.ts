// Masks secrets in the commands and the output of processes for observers.
import type { Identity } from '../policy/identity.ts';
import type { OutputEvent } from '../keeper/log-event.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import type { Eyes } from '../../protocol/seen.ts';
import { masked } from '../../text/masking.ts';
import { redactedLastLine } from '../delivery/redacted-last-line.ts';
import { redacted } from '../delivery/redacted-log.ts';

/** Returns true for agents, operators and admins, who can read secrets from the processes themselves. */
export const seesSecrets = ({ role }: Identity): boolean => role !== 'observer';

/** Returns a function that maps each chunk to the version that this reader of the process gets. */
export function seenBy(
  identity: Identity,
  { log }: Pick<ProcessView, 'log'>,
  redactedOf = redacted,
): (chunk: OutputEvent) => OutputEvent {
  if (seesSecrets(identity)) return (chunk) => chunk;
  const seen = redactedOf(log);
  return (chunk) => seen.see(chunk);
}

const commands = new WeakMap<readonly string[], readonly string[]>();

export type Find = (key: string) => ProcessView | undefined;

/** Returns the functions that mask objects for the watching connection with this label. */
export function eyesOf(label: string, find: Find): Eyes {
  return {
    label,
    masked,
    maskedCommand: redactedCommand,
    maskedLine: (key, line) => {
      const process = find(key);
      // A process of an earlier gateway may have no output in memory, only its stored last line.
      return process && process.outputEnd.bytes > 0 ? redactedLastLine(process) : line && masked(line);
    },
  };
}

function redactedCommand(argv: readonly string[]): readonly string[] {
  const known = commands.get(argv) ?? argv.map(masked);
  commands.set(argv, known);
  return known;
}
