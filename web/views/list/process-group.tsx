// Headings in the list: an agent with its connection state, and its threads.
import { ChevronDown, ChevronRight, CornerDownRight } from 'lucide-react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/shallow';
import { GroupMenu } from '../ending/group-menu.tsx';
import { countText } from '../../state/processes/process-counts.ts';
import { sessionOf, sessionText, type ProcessGroup } from '../../state/processes/process-groups.ts';
import { countedText } from '../../../text/amounts.ts';
import { processStore } from '../../state/processes/process-store.ts';
import type { RowProps } from '../../state/processes/row-props.ts';
import { threadName } from '../../state/processes/thread-names.ts';
import { useKnownAt } from '../../parts/use-known-at.tsx';
import { visible } from '../../../text/visible.ts';

interface GroupRowProps {
  readonly group: ProcessGroup;
  readonly isCollapsed: boolean;
  readonly row: RowProps;
  readonly onTurn: () => void;
}

export function GroupRow({ group, isCollapsed, row, onTurn }: GroupRowProps) {
  const { title, session, running, waiting, failed, total } = group;
  const Chevron = isCollapsed ? ChevronRight : ChevronDown;
  const state = useSessionState(group);
  const isOffline = useStore(processStore, ({ connection }) => connection.kind !== 'online');
  const live = [countText(waiting, 'waiting'), countText(running, 'running')].filter(Boolean);
  const runningText = live.length > 0 ? `${isOffline ? 'last known: ' : ''}${live.join(' · ')}` : null;
  const failedText = countText(failed, 'failed');
  const isEmpty = Object.values(group.rows).every(({ length }) => length === 0);
  const totalText = `${countText(total, 'total') ?? ''}${isEmpty ? ' (shown above)' : ''}`;
  // The text about a lost connection needs the space more than the counts.
  const counts = state?.isDetached ? [runningText] : [runningText, failedText, totalText];
  const texts = counts.filter((text) => text !== null && text !== '');
  return (
    <div
      {...row}
      className="process-group-title"
      aria-expanded={isEmpty ? undefined : !isCollapsed}
      data-session={session ?? 'console'}
      onClick={onTurn}
    >
      <span role="gridcell">
        <Chevron size={14} aria-hidden="true" />
        <span className="process-group-name" title={visible(title)}>
          <GroupName title={visible(title)} />
        </span>
        {state === null ? null : (
          <span
            className={`process-group-session ${state.isDetached ? 'missed' : ''}`}
            title={state.isDetached ? DETACHED : undefined}
          >
            {state.text}
          </span>
        )}
        {/* Counts by importance: those without room are omitted as a whole, before the name is shortened. */}
        <span
          className={`process-group-counts ${state?.isDetached ? 'if-room' : ''}`}
          title={texts.join(' · ')}
        >
          {texts.map((text, at) => (
            <span key={text}>{at === 0 ? text : ` · ${text}`}</span>
          ))}
        </span>
        <GroupMenu
          name={visible(title)}
          keys={group.threads.flatMap(({ keys }) => keys)}
          tabIndex={row.tabIndex}
        />
      </span>
    </div>
  );
}

const BETWEEN = ' · ';

/** Title whose distinguishing part is shortened last. */
function GroupName({ title }: { readonly title: string }) {
  const at = title.lastIndexOf(BETWEEN);
  if (at <= 0) return <span>{title}</span>;
  return (
    <>
      <span>{title.slice(0, at)}</span>
      <span className="process-group-own">{title.slice(at)}</span>
    </>
  );
}

interface ThreadRowProps {
  readonly thread: string;
  /** Parent thread, listed above, whose sub-agent this thread is; null when there is none. */
  readonly parent: string | null;
  readonly keys: readonly string[];
  readonly row: RowProps;
  readonly onOnly: (thread: string) => void;
}

export function ThreadRow({ thread, parent, keys, row, onOnly }: ThreadRowProps) {
  const [words, clock] = useStore(
    processStore,
    useShallow(({ processes }) => {
      const name = threadName(processes, thread, processes[keys[0] ?? '']?.startedBy);
      return [name?.words ?? 'Thread', name?.clock ?? ''];
    }),
  );
  return (
    <div {...row} className="process-thread" onClick={() => onOnly(thread)}>
      <span role="gridcell">
        <button
          type="button"
          tabIndex={-1}
          title={`Show only this thread (${visible(thread)}${parent === null ? '' : `, a sub-agent of ${visible(parent)}`})`}
        >
          {parent === null ? null : <CornerDownRight size={12} aria-label="Sub-agent:" />}
          <span className="process-thread-words">{words}</span>
          <span>
            {[clock, countedText(keys.length, 'process', 'processes')].map((each) => ` · ${each}`).join('')}
          </span>
        </button>
        <GroupMenu name={`${words} · ${clock}`} keys={keys} tabIndex={row.tabIndex} />
      </span>
    </div>
  );
}

interface NoThreadRowProps {
  readonly count: number;
  readonly row: RowProps;
}

/** Heading that separates processes without a thread from the thread above them. */
export function NoThreadRow({ count, row }: NoThreadRowProps) {
  return (
    <div {...row} className="process-thread no-thread">
      <span role="gridcell">No thread · {countedText(count, 'process', 'processes')}</span>
    </div>
  );
}

interface SessionState {
  readonly text: string;
  readonly isDetached: boolean;
}

const DETACHED =
  'The agent has ended or lost its connection. If it does not return in this time, its session and processes end.';

/** Returns the state of a session that is over, disconnected or reconnected; otherwise null. */
function useSessionState(group: ProcessGroup): SessionState | null {
  const { session, sessions, oldestStartMs } = group;
  const known = useStore(processStore, (state) => sessionOf(group, state.sessions));
  const isDetached = !!known && !known.isOver && known.detachedAtMs !== null;
  const now = useKnownAt(isDetached);
  if (session === null || known === null) return null;
  // Additional sessions of a group are not reconnections.
  const sinceMs = sessions.length > 1 ? Infinity : oldestStartMs;
  const text = sessionText(known, sinceMs, now);
  return text === null ? null : { text, isDetached };
}
