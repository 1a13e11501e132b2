// The last line of a process's output as observers see it.
import { masked } from '../../text/masking.ts';
import { maskedLine } from '../../text/plain-text.ts';
import { lastLine } from '../keeper/last-line.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import { redacted } from './redacted-log.ts';

/** Last lines, with the number of bytes printed when each was computed. */
const lastLines = new WeakMap<ProcessView, { readonly atBytes: number; readonly line: string | null }>();

/**
 * Returns the last line of the masked output: the earlier result when the newest output has no visible text, and null
 * while the program uses the full screen. Masking the line alone would miss a secret that is recognized only by
 * overwritten letters, or by the missing beginning of a truncated line.
 */
export function redactedLastLine(process: ProcessView): string | null {
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
