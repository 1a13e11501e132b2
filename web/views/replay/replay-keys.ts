// Keyboard control of a replay.
import type { RecordingMark } from '../../../protocol/replay.ts';
import { SPEEDS, type ReplayPlayer, type ReplayState } from '../../screen/replay/replay-player.ts';
import { rangeFrom, rangeTo } from './ranges.ts';
import type { Range } from './seek-bar.tsx';

/** Playback time skipped by an arrow key. */
const SKIP_MS = 5000;

interface Parts {
  readonly marks: readonly RecordingMark[];
  readonly setRange: (change: (range: Range | null) => Range | null) => void;
  readonly onClose: () => void;
}

/** Handles a key; returns false for a key that is not meant for the replay, for example one typed into a field. */
export function replayKey(
  event: KeyboardEvent,
  player: ReplayPlayer,
  { marks, setRange, onClose }: Parts,
): boolean {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return false;
  if (target.matches('select, input, textarea:not(.xterm-helper-textarea)')) return false;
  if (target.closest('[role="menu"], dialog, [popover]')) return false;
  if (key === ' ' && target.matches('button, a')) return false;
  const { state } = player;
  const { axis, atMs } = state;
  if (!axis) return false;
  switch (key) {
    case ' ':
      if (state.isPlaying) player.pause();
      else player.play();
      return true;
    case 'ArrowLeft':
    case 'ArrowRight': {
      const isBack = key === 'ArrowLeft';
      if (event.shiftKey) void player.step(isBack ? 'back' : 'forth');
      else player.skip(isBack ? -SKIP_MS : SKIP_MS);
      return true;
    }
    case 'Home':
      player.seek(axis.fromMs);
      return true;
    case 'End':
      player.seek(axis.toMs);
      return true;
    case '<':
    case '>':
      player.setSpeed(otherSpeed(state, key === '<' ? -1 : 1));
      return true;
    case '[':
    case ']':
      return goToMark(player, marks, key === '[' ? -1 : 1);
    case 'i':
      setRange((range) => rangeFrom(range, atMs, axis));
      return true;
    case 'o':
      setRange((range) => rangeTo(range, atMs, axis));
      return true;
    case 'p':
      onClose();
      return true;
    default:
      return false;
  }
}

function otherSpeed({ speed }: ReplayState, by: -1 | 1): (typeof SPEEDS)[number] {
  return SPEEDS[SPEEDS.indexOf(speed) + by] ?? speed;
}

/** Seeks to the nearest mark before or after the current position, if there is one; always returns true. */
export function goToMark(player: ReplayPlayer, marks: readonly RecordingMark[], by: -1 | 1): boolean {
  const { atMs } = player.state;
  const mark = by < 0 ? marks.findLast((each) => each.atMs < atMs) : marks.find((each) => each.atMs > atMs);
  if (mark) player.seek(mark.atMs);
  return true;
}
