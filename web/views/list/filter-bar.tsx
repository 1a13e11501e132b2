// Filter: a field with suggestions, and its words as chips that can be added and removed.
import { Search, X } from 'lucide-react';
import { useState, type RefObject } from 'react';
import { useStore } from 'zustand';
import { filterSuggestions } from '../../state/processes/filter-suggestions.ts';
import {
  filterWord,
  filterWords,
  withCompleted,
  withToggled,
  type FilterWord,
} from '../../state/processes/process-filter.ts';
import type { ListedCounts } from '../../state/processes/process-counts.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { threadName } from '../../state/processes/thread-names.ts';
import { visible } from '../../../text/visible.ts';
import { numberText } from '../../../text/amounts.ts';

interface FilterBarProps {
  readonly filter: string;
  readonly counts: ListedCounts;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onFilter: (filter: string) => void;
  /** Moves the focus from the field to the rows. */
  readonly onEnter: () => void;
}

export function FilterField({ filter, field, onFilter, onEnter }: Omit<FilterBarProps, 'counts'>) {
  // Suggestions are computed only on focus, since ten thousand processes take a moment.
  const [suggestions, setSuggestions] = useState<readonly string[]>([]);
  return (
    <label className="search">
      <Search size={14} aria-hidden="true" />
      <input
        ref={field}
        type="search"
        placeholder="Filter"
        title={`Words, or a field with a value, such as status:failed. Fields: status, agent, folder, label, thread, command, call, model. Exclude with !word, -folder:one or -"two words"`}
        aria-label="Filter processes"
        list="filter-suggestions"
        autoComplete="off"
        spellCheck={false}
        value={filter}
        onFocus={() => setSuggestions(filterSuggestions(processStore.getState()))}
        onBlur={() => setSuggestions([])}
        onChange={(event) => onFilter(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onEnter();
          else if (event.key === 'Escape' && filter === '') onEnter();
        }}
      />
      <kbd aria-hidden="true">/</kbd>
      {filter === '' ? null : (
        <button
          type="button"
          className="filter-clear"
          aria-label="Clear the filter"
          title="Clear the filter"
          onClick={() => {
            onFilter('');
            field.current?.focus();
          }}
        >
          <X size={14} aria-hidden="true" />
        </button>
      )}
      <datalist id="filter-suggestions">
        {suggestions.map((word) => (
          <option key={word} value={withCompleted(filter, word)} />
        ))}
      </datalist>
    </label>
  );
}

const STATUS_CHIPS = [
  ['waiting', 'Waiting'],
  ['failed', 'Failed'],
  ['running', 'Running'],
  ['left', 'Agent disconnected'],
  ['succeeded', 'Succeeded'],
  ['stopped', 'Stopped'],
  ['lost', 'Lost'],
] as const;

export function FilterChips({
  filter,
  counts,
  onFilter,
}: Pick<FilterBarProps, 'filter' | 'counts' | 'onFilter'>) {
  const words = filterWords(filter);
  const isOn = (status: string): boolean =>
    words.some(({ text }) => text.toLowerCase() === `status:${status}`);
  const shown = STATUS_CHIPS.filter(([status]) => counts[status] > 0 || isOn(status));
  const others = words.filter(
    ({ place, value, isWithout }) => value !== '' && (isWithout || (place !== null && place !== 'status')),
  );
  if (shown.length === 0 && others.length === 0) return null;
  return (
    <div className="filter-chips" role="group" aria-label="Filter by">
      {others.map((word) => (
        <GivenChip key={word.text} word={word} onRemove={() => onFilter(withToggled(filter, word.text))} />
      ))}
      {shown.map(([status, name]) => (
        <button
          key={status}
          type="button"
          className="chip"
          aria-pressed={isOn(status)}
          onClick={() => onFilter(withToggled(filter, filterWord('status', status)))}
        >
          {name} <span className="chip-count">{numberText(counts[status])}</span>
        </button>
      ))}
    </div>
  );
}

/** Pattern of generated thread ids; the chip shows the name of the thread instead. */
const MACHINE_ID = /^[\da-f-]{16,}$/i;

function GivenChip({ word, onRemove }: { readonly word: FilterWord; readonly onRemove: () => void }) {
  const { place, value, isWithout } = word;
  const isNamed = place === 'thread' && MACHINE_ID.test(value);
  const name = useStore(processStore, ({ processes }) =>
    isNamed ? (threadName(processes, value)?.words ?? value) : visible(value),
  );
  const what = [place, name].filter(Boolean).join(' ');
  return (
    <button
      type="button"
      className="chip given"
      aria-label={`Remove ${isWithout ? 'exclusion' : 'filter'} ${what}`}
      title={visible(value)}
      onClick={onRemove}
    >
      <span className="chip-text">
        {isWithout ? 'not ' : null}
        {place} <b>{name}</b>
      </span>
      <X size={12} aria-hidden="true" />
    </button>
  );
}
