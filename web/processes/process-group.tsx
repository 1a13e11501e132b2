// A group of the list: who started these, how their connection stands, and what they are doing.
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useStore } from 'zustand';
import { useNow } from '../ui/use-now.tsx';
import { visible } from './command-line.ts';
import { filterWord } from './process-filter.ts';
import { sessionText, type ProcessGroup } from './process-groups.ts';
import { ProcessRow } from './process-row.tsx';
import { durationText } from './process-status.ts';
import { processStore } from './process-store.ts';

export interface ForRows {
  readonly openKeys: readonly string[];
  readonly focusedKey: string | null;
  readonly tabStop: string | null;
  readonly onVisit: (key: string) => void;
  readonly onOpen: (key: string) => void;
  readonly onFilter: (word: string) => void;
}

interface GroupOfProcessesProps {
  readonly group: ProcessGroup;
  readonly isCollapsed: boolean;
  readonly onToggle: (id: string) => void;
  readonly rows: ForRows;
}

export function GroupOfProcesses({ group, isCollapsed, onToggle, rows }: GroupOfProcessesProps) {
  const { id, title, session, threads, running, failed, total } = group;
  const Chevron = isCollapsed ? ChevronRight : ChevronDown;
  const failedText = failed > 0 ? `${failed} failed` : null;
  const state = useSessionState(
    session,
    threads.flatMap(({ keys }) => keys),
  );
  const runningText = running > 0 ? `${running} running` : null;
  // What became of the connection needs the room more.
  const counts = state?.isDetached ? [runningText] : [runningText, failedText, `${total}`];
  return (
    <section className="process-group" aria-label={visible(title)} data-session={session ?? 'console'}>
      <button
        type="button"
        className="process-group-title"
        aria-expanded={!isCollapsed}
        onClick={() => onToggle(id)}
      >
        <Chevron size={14} aria-hidden="true" />
        <span className="process-group-name" title={visible(title)}>
          {visible(title)}
        </span>
        {state === null ? null : (
          <span className={`process-group-session ${state.isDetached ? 'missed' : ''}`}>{state.text}</span>
        )}
        <span className="process-group-counts">{counts.filter(Boolean).join(' · ')}</span>
      </button>
      {isCollapsed
        ? null
        : threads.map(({ thread, keys }) => (
            <div key={thread ?? ''}>
              {thread === null ? null : <ThreadTitle thread={thread} onFilter={rows.onFilter} />}
              <div role="grid" aria-label={visible(thread === null ? title : `${title}, thread ${thread}`)}>
                {keys.map((key) => (
                  <ProcessRow
                    key={key}
                    processKey={key}
                    isOpen={rows.openKeys.includes(key)}
                    isFocused={rows.focusedKey === key}
                    isTabStop={rows.tabStop === key}
                    onVisit={rows.onVisit}
                    onOpen={rows.onOpen}
                    onFilter={rows.onFilter}
                  />
                ))}
              </div>
            </div>
          ))}
    </section>
  );
}

function ThreadTitle({ thread, onFilter }: { thread: string; onFilter: (word: string) => void }) {
  return (
    <button
      type="button"
      className="process-thread"
      title={`Only thread ${visible(thread)}`}
      onClick={() => onFilter(filterWord('thread', thread))}
    >
      thread {visible(thread)}
    </button>
  );
}

interface SessionState {
  readonly text: string;
  readonly isDetached: boolean;
}

/** Null where there is nothing to say. */
function useSessionState(session: string | null, keys: readonly string[]): SessionState | null {
  const known = useStore(processStore, ({ sessions }) => (session === null ? undefined : sessions[session]));
  const oldestStartMs = useStore(processStore, ({ processes }) =>
    Math.min(...keys.map((key) => processes[key]?.startedAtMs ?? Number.POSITIVE_INFINITY)),
  );
  const isDetached = known !== undefined && !known.isOver && known.detachedAtMs !== null;
  const now = useNow(isDetached);
  if (session === null) return null;
  const text = sessionText(known, oldestStartMs, (sinceMs) => durationText(now - sinceMs));
  return text === null ? null : { text, isDetached };
}
