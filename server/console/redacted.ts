// Masks secrets in the output of processes for observers.
import type { Identity } from '../policy/identity.ts';
import type { OutputEvent } from '../keeper/log-event.ts';
import { lastLine } from '../keeper/last-line.ts';
import { maskedLine } from '../../text/plain-text.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import type { Eyes } from '../../protocol/seen.ts';
import { masked } from '../../text/masking.ts';
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

/** Last lines, with the number of bytes printed when each was computed. */
const lastLines = new WeakMap<ProcessView, { readonly atBytes: number; readonly line: string | null }>();
const commands = new WeakMap<readonly string[], readonly string[]>();

export type Find = (key: string) => ProcessView | undefined;

/** `label`: the label of the viewing connection. */
export function eyesOf(label: string, find: Find): Eyes {
  return {
    label,
    masked,
    maskedCommand: redactedCommand,
    maskedLine: (key, line) => {
      const process = find(key);
      if (process && process.log.retainedBytes > 0) return redactedLastLine(process);
      return line && masked(line);
    },
  };
}

function redactedCommand(argv: readonly string[]): readonly string[] {
  const known = commands.get(argv) ?? argv.map(masked);
  commands.set(argv, known);
  return known;
}

/**
 * Returns the last line with secrets masked. If the line is truncated, its missing beginning might have
 * marked a secret.
 */
function redactedLastLine(process: ProcessView): string | null {
  const atBytes = process.log.totalBytes;
  const known = lastLines.get(process);
  if (known?.atBytes === atBytes) return known.line;
  const { outputEnd: end } = process;
  const line = process.isFullScreen
    ? null
    : (lastLine(redacted(process.log).tail(end.bytes), end, (each) => maskedLine(each, masked)) ??
      known?.line ??
      null);
  lastLines.set(process, { atBytes, line });
  return line;
}
