// A bar of the timeline in words: what ran, when, for how long, how it ended, and where.
import { clockText, durationText } from '../../../text/amounts.ts';
import { shortCommand } from '../../../text/command-line.ts';
import { isLive, statusText } from '../../../text/process-words.ts';
import { visible } from '../../../text/visible.ts';
import type { Bar } from '../../state/timeline/timeline-lanes.ts';

/** Describes a bar, for example `npm test, exit 1, started 14:03:05, took 12s`, or while it runs `…, 12s so far`. */
export function barText({ entry, fromMs, toMs }: Bar, nowMs: number): string {
  // The bar of a running process ends at the time of its last drawing, so the duration is measured up to now.
  const duration = isLive(entry)
    ? `${durationText(nowMs - fromMs)} so far`
    : `took ${durationText(toMs - fromMs)}`;
  return `${shortCommand(entry.argv)}, ${statusText(entry)}, started ${clockText(fromMs, true)}, ${duration}`;
}

interface BarTipProps {
  readonly bar: Bar;
  /** Position in the timeline, in px. */
  readonly at: { readonly x: number; readonly y: number };
  readonly nowMs: number;
}

export function BarTip({ bar: { entry, fromMs, toMs }, at, nowMs }: BarTipProps) {
  return (
    <div
      className="timeline-tip"
      aria-hidden="true"
      style={{ left: `clamp(8px, ${at.x}px, calc(100% - 300px))`, top: at.y }}
    >
      <code>{shortCommand(entry.argv)}</code>
      <span>
        <b>{statusText(entry)}</b> · {clockText(fromMs, true)} ·{' '}
        {durationText(Math.min(toMs, nowMs) - fromMs)}
      </span>
      <span>{visible(entry.cwd)}</span>
      <span>{entry.sandbox === 'none' ? 'No sandbox' : visible(entry.sandbox)}</span>
    </div>
  );
}
