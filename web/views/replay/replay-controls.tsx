// Controls of a replay: play and pause, speed, marks, search, link, saving, and closing.
import {
  ChevronFirst,
  ChevronLast,
  Download,
  Flag,
  FastForward,
  Link,
  Pause,
  Play,
  Radio,
  Search,
  X,
} from 'lucide-react';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { clockText, durationText, numberText } from '../../../text/amounts.ts';
import { IDLE_MS } from '../../state/replay/replay-axis.ts';
import { isLive } from '../../../text/process-words.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { MenuButton, type MenuPart } from '../../parts/menu-button.tsx';
import { PopoverButton } from '../../parts/popover-button.tsx';
import { copyText } from '../../state/page/copy.ts';
import type { DownloadKind } from '../../state/page/masked-store.ts';
import { startSearch } from '../../state/page/searching.ts';
import { momentHref } from '../../state/replay/replaying.ts';
import {
  SPEEDS,
  type ReplayPlayer,
  type ReplayState,
  type Speed,
} from '../../screen/replay/replay-player.ts';
import { saveFile } from '../../screen/download/save-file.ts';
import { markText, markTone } from './mark-words.ts';
import { offsetText } from './position-text.ts';
import { rangeFrom, rangeTo } from './ranges.ts';
import { goToMark } from './replay-keys.ts';
import type { Range } from './seek-bar.tsx';

interface ReplayControlsProps {
  readonly info: ProcessInfo;
  readonly player: ReplayPlayer | null;
  readonly state: ReplayState | null;
  readonly range: Range | null;
  readonly onRange: (range: Range | null) => void;
  readonly onClose: () => void;
}

export function ReplayControls({ info, player, state, range, onRange, onClose }: ReplayControlsProps) {
  const {
    recording = null,
    axis = null,
    atMs = 0,
    isPlaying = false,
    speed = 1,
    skipsIdle = true,
  } = state ?? {};
  const isOff = !player || !axis;
  const marks = recording?.marks ?? [];
  const isRunning = isLive(info);
  return (
    <div className="replay-controls">
      <IconButton
        icon={isPlaying ? Pause : Play}
        label={isPlaying ? 'Pause' : 'Play'}
        hint={isPlaying ? 'Pause (Space)' : 'Play (Space)'}
        disabled={isOff}
        onClick={() => (isPlaying ? player?.pause() : player?.play())}
      />
      <IconButton
        icon={ChevronFirst}
        label="Previous mark"
        hint="Previous mark ([)"
        disabled={isOff || marks.length === 0}
        onClick={() => player && goToMark(player, marks, -1)}
      />
      <IconButton
        icon={ChevronLast}
        label="Next mark"
        hint="Next mark (])"
        disabled={isOff || marks.length === 0}
        onClick={() => player && goToMark(player, marks, 1)}
      />
      <span className="replay-label">Replay</span>
      <span className="replay-time">
        {axis ? (
          <>
            <b>{offsetText(atMs - axis.fromMs)}</b> / {durationText(axis.toMs - axis.fromMs)}
            <span className="replay-clock">{clockText(atMs, true)}</span>
          </>
        ) : null}
      </span>
      <select
        aria-label="Speed"
        title="Speed (< and >)"
        className="replay-speed"
        value={speed}
        disabled={isOff}
        onChange={(event) => player?.setSpeed(Number(event.target.value) as Speed)}
      >
        {SPEEDS.map((each) => (
          <option key={each} value={each}>
            {each}×
          </option>
        ))}
      </select>
      <IconButton
        icon={FastForward}
        label="Skip idle time"
        hint={`Skip idle time: pauses of more than ${durationText(IDLE_MS)} are shortened to half a second`}
        pressed={skipsIdle}
        disabled={isOff}
        onClick={() => player?.setSkipsIdle(!skipsIdle)}
      />
      {marks.length > 0 && axis ? (
        <PopoverButton
          icon={Flag}
          label="Marks"
          hint="Marks: input, actions, resizes, bells, prompts, errors, missing output and the exit"
          text={`${numberText(marks.length)}${recording?.isCut ? '+' : ''}`}
        >
          <ol className="replay-marks">
            {marks.map((mark, at) => (
              <li key={at}>
                <button type="button" data-tone={markTone(mark)} onClick={() => player?.seek(mark.atMs)}>
                  <span className="replay-mark-time">{offsetText(mark.atMs - axis.fromMs)}</span>
                  <span>{markText(mark)}</span>
                </button>
              </li>
            ))}
          </ol>
        </PopoverButton>
      ) : null}
      <span className="replay-spacer" />
      <span className="replay-search">
        <IconButton
          icon={Search}
          label="Search the screen at this moment"
          disabled={isOff}
          onClick={() => startSearch(info.key)}
        />
      </span>
      <IconButton
        icon={Link}
        label="Copy link to this moment"
        disabled={isOff}
        onClick={() => {
          const link = new URL(location.href);
          link.hash = momentHref(info.key, atMs - info.startedAtMs);
          void copyText(link.href);
        }}
      />
      <SaveMenu info={info} state={state} range={range} onRange={onRange} />
      <span className="replay-close">
        <IconButton
          icon={isRunning ? Radio : X}
          label={isRunning ? 'Return to live' : 'Close replay'}
          keepsText
          onClick={onClose}
        >
          {isRunning ? 'Live' : 'Close'}
        </IconButton>
      </span>
    </div>
  );
}

const KINDS: readonly (readonly [DownloadKind, string])[] = [
  ['cast', 'Save as asciicast'],
  ['text', 'Save as text'],
  ['html', 'Save as HTML, with colours'],
  ['raw', 'Save raw bytes'],
];

function SaveMenu({
  info,
  state,
  range,
  onRange,
}: Pick<ReplayControlsProps, 'info' | 'state' | 'range' | 'onRange'>) {
  const { client } = useConsole();
  const { axis = null, atMs = 0 } = state ?? {};
  const partsNow = (): readonly MenuPart[] => {
    if (!axis) return [];
    const time = (ms: number): string => offsetText(ms - axis.fromMs);
    return [
      {
        name: 'Range',
        items: [
          {
            id: 'whole',
            content: 'The whole recording',
            isCurrent: range === null,
            onChoose: () => onRange(null),
          },
          {
            id: 'from',
            content: `Begin the range at ${time(atMs)} (I)`,
            onChoose: () => onRange(rangeFrom(range, atMs, axis)),
          },
          {
            id: 'to',
            content: `End the range at ${time(atMs)} (O)`,
            onChoose: () => onRange(rangeTo(range, atMs, axis)),
          },
        ],
      },
      {
        name: 'Save',
        items: KINDS.map(([kind, title]) => ({
          id: kind,
          content: range === null ? title : `${title}: ${time(range.fromMs)} to ${time(range.toMs)}`,
          onChoose: () => void saveFile(client.connection, { info, kind, secrets: 'masked', range }),
        })),
      },
    ];
  };
  return <MenuButton icon={Download} label="Save the recording, or a range of it" partsNow={partsNow} />;
}
