// Seek bar of a replay: the amount of output over time, marks, the selected range, and the current position.
import { memo, useRef, useState, type PointerEvent } from 'react';
import type { RecordingMark, RecordingResult } from '../../../protocol/replay.ts';
import { clockText } from '../../../text/amounts.ts';
import type { ReplayAxis } from '../../state/replay/replay-axis.ts';
import { markText, markTone } from './mark-words.ts';
import { offsetText, positionText } from './position-text.ts';

/** Number of columns in the output chart. */
const COLUMNS = 240;
/** Maximum distance in px between the pointer and a mark that it hits. */
const NEAR_PX = 6;

export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

interface SeekBarProps {
  readonly recording: RecordingResult;
  readonly axis: ReplayAxis;
  readonly atMs: number;
  readonly range: Range | null;
  readonly onSeek: (atMs: number) => void;
}

interface Pointed {
  readonly atMs: number;
  readonly share: number;
  readonly marks: readonly RecordingMark[];
}

export function SeekBar({ recording, axis, atMs, range, onSeek }: SeekBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const pointAt = (event: PointerEvent): Pointed => {
    const { left = 0, width = 1 } = bar.current?.getBoundingClientRect() ?? {};
    const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
    const near = NEAR_PX / width;
    const distance = (mark: RecordingMark): number => Math.abs(axis.shareOf(mark.atMs) - share);
    const marks = recording.marks.filter((mark) => distance(mark) <= near);
    // A mark is very narrow, so a pointer near it counts as on the nearest one.
    const [mark] = marks.toSorted((a, b) => distance(a) - distance(b));
    return { atMs: mark ? mark.atMs : axis.atShare(share), share, marks };
  };
  return (
    <div
      ref={bar}
      role="slider"
      tabIndex={0}
      aria-label="Replay position"
      aria-valuemin={0}
      aria-valuemax={Math.round(axis.toMs - axis.fromMs)}
      aria-valuenow={Math.round(atMs - axis.fromMs)}
      aria-valuetext={positionText(axis, atMs)}
      className="seek-bar"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        onSeek(pointAt(event).atMs);
      }}
      onPointerMove={(event) => {
        const now = pointAt(event);
        setPointed(now);
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onSeek(axis.atShare(now.share));
      }}
      onPointerLeave={() => setPointed(null)}
      onPointerCancel={() => setPointed(null)}
    >
      <Output recording={recording} axis={axis} />
      {range === null ? null : (
        <span
          className="seek-range"
          style={{
            left: `${axis.shareOf(range.fromMs) * 100}%`,
            right: `${(1 - axis.shareOf(range.toMs)) * 100}%`,
          }}
        />
      )}
      <span className="seek-played" style={{ width: `${axis.shareOf(atMs) * 100}%` }} />
      <Marks recording={recording} axis={axis} />
      <span className="seek-thumb" style={{ left: `${axis.shareOf(atMs) * 100}%` }} />
      {pointed === null ? null : (
        <span
          className="seek-tip"
          aria-hidden="true"
          style={{ left: `clamp(64px, ${pointed.share * 100}%, calc(100% - 64px))` }}
        >
          <b>{offsetText(pointed.atMs - axis.fromMs)}</b> {clockText(pointed.atMs, true)}
          {pointed.marks.slice(0, 4).map((mark, at) => (
            <span key={at} className="seek-tip-mark" data-tone={markTone(mark)}>
              {markText(mark)}
            </span>
          ))}
        </span>
      )}
    </div>
  );
}

interface PictureProps {
  readonly recording: RecordingResult;
  readonly axis: ReplayAxis;
}

/** Amount of output over time, on a logarithmic scale. */
const Output = memo(function Output({ recording, axis }: PictureProps) {
  const { fromMs, binMs, bins, binBytes } = recording;
  const columns = Array.from({ length: COLUMNS }, () => 0);
  bins.forEach((bin, index) => {
    const at = Math.min(COLUMNS - 1, Math.floor(axis.shareOf(fromMs + bin * binMs) * COLUMNS));
    columns[at] = (columns[at] ?? 0) + (binBytes[index] ?? 0);
  });
  const most = Math.log2(Math.max(2, ...columns.map((bytes) => bytes + 1)));
  return (
    <svg className="seek-output" viewBox={`0 0 ${COLUMNS} 20`} preserveAspectRatio="none" aria-hidden="true">
      {columns.map((bytes, at) => {
        if (bytes === 0) return null;
        const height = Math.max(2, (Math.log2(bytes + 1) / most) * 20);
        return <rect key={at} x={at + 0.12} y={20 - height} width={0.76} height={height} />;
      })}
    </svg>
  );
});

const Marks = memo(function Marks({ recording, axis }: PictureProps) {
  return recording.marks.map((mark, at) => (
    <span
      key={at}
      className="seek-mark"
      data-tone={markTone(mark)}
      style={{ left: `${axis.shareOf(mark.atMs) * 100}%` }}
    />
  ));
});
