// The search bar of a pane or a replay: text, options, and the number of matches.
import { ArrowDown, ArrowUp, CaseSensitive, Regex, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useConsole } from './console-context.tsx';
import { expressionProblem, loadExpressions } from '../state/processes/line-matcher.ts';
import {
  UNREAD_TEXT,
  UNSEARCHED_TEXT,
  type PaneMatches,
  type Searchable,
} from '../state/processes/searchable.ts';
import { IconButton } from './icon-button.tsx';
import { searchingStore } from '../state/page/searching.ts';
import { numberText } from '../../text/amounts.ts';

interface SearchBarProps {
  readonly processKey: string;
  readonly onClose: () => void;
  /** Content to search; undefined while there is none yet. */
  readonly search: Searchable | undefined;
  readonly matches: PaneMatches | null;
}

export function SearchBar({ processKey, search, matches, onClose }: SearchBarProps) {
  const { terminals } = useConsole();
  const asked = useStore(searchingStore, (state) => state.asked[processKey]);
  const field = useRef<HTMLInputElement>(null);
  const countId = useId();
  const [text, setText] = useState('');
  const [isRegex, setRegex] = useState(false);
  const [isCaseSensitive, setCaseSensitive] = useState(false);
  const toggleRegex = (): void =>
    void loadExpressions().then(
      () => setRegex(!isRegex),
      () =>
        terminals
          .get(processKey)
          ?.notify(
            'The regular-expression search could not be loaded. The gateway may have been updated: reload the page.',
          ),
    );
  const problem = isRegex ? expressionProblem(text) : null;
  const find = (direction: 'up' | 'down'): void =>
    void search?.find({ text, isRegex, isCaseSensitive }, direction);

  // The search starts at the newest match, since recent output matters most.
  useEffect(() => {
    search?.find({ text, isRegex, isCaseSensitive }, 'up', true);
  }, [search, text, isRegex, isCaseSensitive]);
  useEffect(() => () => search?.clear(), [search]);
  useEffect(() => {
    if (!asked) return;
    field.current?.focus();
    field.current?.select();
  }, [asked]);

  return (
    <form
      className="search-bar"
      role="search"
      aria-label="Search in this pane"
      onSubmit={(event) => {
        event.preventDefault();
        find('up');
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        if (event.key !== 'Enter' || !event.shiftKey) return;
        event.preventDefault();
        find('down');
      }}
    >
      <input
        ref={field}
        aria-label="Search for"
        placeholder="Search …"
        value={text}
        aria-invalid={problem !== null}
        title={problem === null ? undefined : WHAT_EXPRESSIONS}
        aria-describedby={countId}
        onChange={(event) => setText(event.target.value)}
      />
      <output id={countId} className={`search-count ${problem === null ? '' : 'bad'}`}>
        {problem ?? countText(text, matches)}
      </output>
      <IconButton
        icon={CaseSensitive}
        label="Match case"
        pressed={isCaseSensitive}
        onClick={() => setCaseSensitive(!isCaseSensitive)}
      />
      <IconButton icon={Regex} label="Regular expression" pressed={isRegex} onClick={toggleRegex} />
      <IconButton
        icon={ArrowUp}
        label="Previous match"
        hint="Previous match (Enter)"
        onClick={() => find('up')}
      />
      <IconButton
        icon={ArrowDown}
        label="Next match"
        hint="Next match (Shift+Enter)"
        onClick={() => find('down')}
      />
      <IconButton icon={X} label="Close search" hint="Close search (Esc)" onClick={onClose} />
    </form>
  );
}

const WHAT_EXPRESSIONS =
  'RE2 syntax: lookaround, backreferences and very large repetitions are not supported';

function countText(text: string, matches: PaneMatches | null): string {
  if (text === '') return '';
  if (!matches) return 'No results';
  const { recorded, hasUnread, hasUnsearched } = matches;
  if (recorded === 'failed') return 'Search incomplete: press Enter to try again';
  return resultText(matches) + (hasUnread ? UNREAD_TEXT : '') + (hasUnsearched ? UNSEARCHED_TEXT : '');
}

function resultText({ index, count, hasMore, hidden, recorded, searched = 0 }: PaneMatches): string {
  const hiddenText = hidden === 0 ? '' : ` (${numberText(hidden)} hidden: stderr only)`;
  if (count === 0 && recorded === 'searching') return `Searched ${Math.floor(searched * 100)}%${hiddenText}`;
  if (count === 0) return hidden === 0 ? 'No results' : `No results on stderr${hiddenText}`;
  const counted = `${numberText(count)}${hasMore ? '+' : ''}`;
  return (index < 0 ? `${counted} found` : `${numberText(index + 1)} of ${counted}`) + hiddenText;
}
