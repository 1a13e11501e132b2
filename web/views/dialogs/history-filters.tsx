// Search field and filters of the history dialog.
import { CaseSensitive, Regex } from 'lucide-react';
import { useState } from 'react';
import type { HistoryEntry } from '../../../protocol/history.ts';
import { visible } from '../../../text/visible.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { isTouch } from '../../state/page/platform.ts';
import { historyQuery, LAST_MS, type HistoryQuery } from '../../state/processes/history-query.ts';

interface HistoryFiltersProps {
  readonly query: HistoryQuery;
  readonly entries: readonly HistoryEntry[];
}

const change = (part: Partial<HistoryQuery>): void => historyQuery.setState(part);

export function HistoryFilters({ query, entries }: HistoryFiltersProps) {
  const { text, isRegex, isCaseSensitive, sinceMs, isFailed, agent, folder } = query;
  const agents = useSeen(entries, ({ startedBy }) => startedBy);
  const folders = useSeen(entries, ({ cwd }) => cwd);
  return (
    <div className="history-filters">
      <span className="history-field">
        <input
          type="text"
          enterKeyHint="search"
          // The focus would open a touch screen's keyboard over the list.
          data-begin-here={isTouch() ? undefined : ''}
          aria-label="Search in recorded output"
          placeholder="Search in recorded output"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => change({ text: event.target.value })}
        />
        <IconButton
          icon={CaseSensitive}
          label="Match case"
          pressed={isCaseSensitive}
          onClick={() => change({ isCaseSensitive: !isCaseSensitive })}
        />
        <IconButton
          icon={Regex}
          label="Regular expression"
          pressed={isRegex}
          onClick={() => change({ isRegex: !isRegex })}
        />
      </span>
      <button
        type="button"
        className="chip"
        aria-pressed={sinceMs !== null}
        onClick={() => change({ sinceMs: sinceMs === null ? Date.now() - LAST_MS : null })}
      >
        Last 10m
      </button>
      <button
        type="button"
        className="chip"
        aria-pressed={isFailed}
        onClick={() => change({ isFailed: !isFailed })}
      >
        Failed
      </button>
      <Choice
        label="Agent"
        all="All agents"
        values={agents}
        value={agent}
        onChange={(next) => change({ agent: next })}
      />
      {folders.length > 1 || folder !== '' ? (
        <Choice
          label="Folder"
          all="All folders"
          values={folders}
          value={folder}
          onChange={(next) => change({ folder: next })}
        />
      ) : null}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  /** Text of the option that selects all values. */
  readonly all: string;
  readonly values: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Choice({ label, all, values, value, onChange }: ChoiceProps) {
  // The chosen value must be listed even if no process with it has been loaded yet.
  const shown = value === '' || values.includes(value) ? values : [value, ...values];
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{all}</option>
      {shown.map((each) => (
        <option key={each} value={each}>
          {visible(each)}
        </option>
      ))}
    </select>
  );
}

/** Returns all values seen since the dialog was opened, so that choosing one does not remove the others. */
function useSeen(
  entries: readonly HistoryEntry[],
  valueOf: (entry: HistoryEntry) => string,
): readonly string[] {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const unseen = entries.map(valueOf).filter((value) => !seen.has(value));
  if (unseen.length > 0) setSeen(new Set([...seen, ...unseen]));
  return [...seen].toSorted((one, other) => one.localeCompare(other));
}
