// Search in the retained output of all processes: each hit opens its pane at that line.
import { CaseSensitive, Regex, Search } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/shallow';
import type { SearchHit, SearchResult } from '../../../protocol/looks.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { showFound } from '../../parts/show-found.ts';
import { linesOfSearch } from '../../state/processes/found-lines.ts';
import { commandLine, shortCommand } from '../../../text/command-line.ts';
import { bytesText, numberText } from '../../../text/amounts.ts';
import { isWaiting, statusOf } from '../../../text/process-words.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { whyNot } from '../../state/processes/why-not-start.ts';
import { distinctions } from '../../state/processes/process-title.ts';
import { StatusIcon } from '../../parts/status-icon.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { byProcess, foundText, hitText, type HitsOfProcess } from '../../state/processes/output-search.ts';
import { outputQuery, type SearchQuery } from '../../state/processes/search-query.ts';
import { useModal } from '../../parts/modal.tsx';
import { visible } from '../../../text/visible.ts';
import { errorSentence } from '../../../text/error-text.ts';

interface SearchDialogProps {
  readonly onClose: () => void;
  /** Called before a hit is shown in its pane. */
  readonly onOpened: () => void;
}

export function SearchDialog({ onClose, onOpened }: SearchDialogProps) {
  const { client, terminals } = useConsole();
  const dialog = useModal();
  const query = useStore(outputQuery);
  const { result, problem, isSearching } = useSearch(query);
  const found = byProcess(result?.hits ?? []);
  const distinct = useStore(
    processStore,
    useShallow(({ processes }) =>
      Object.fromEntries(distinctions(found.flatMap(({ key }) => processes[key] ?? []))),
    ),
  );
  const open = (hit: SearchHit): void => {
    const hits = found.flatMap((each) => each.hits);
    // Close the dialog first: nothing behind it can take the focus.
    onOpened();
    showFound(
      { client, terminals },
      { asked: null, query: query.text, lines: linesOfSearch(hits), at: hits.indexOf(hit), reader: null },
    );
  };
  return (
    <dialog
      ref={dialog}
      className="dialog search-dialog"
      aria-label="Search in all output"
      onClose={onClose}
      onKeyDown={walkHits}
    >
      <div className="search-dialog-field">
        <Search size={16} aria-hidden="true" />
        <input
          // A field of type `search` would handle the first Escape itself.
          type="text"
          enterKeyHint="search"
          autoFocus
          aria-label="Search for"
          placeholder="Search in all output"
          autoComplete="off"
          spellCheck={false}
          value={query.text}
          onChange={(event) => outputQuery.setState({ text: event.target.value })}
          onKeyDown={(event) => {
            const [first] = result?.hits ?? [];
            if (event.key === 'Enter' && first && !isSearching) open(first);
          }}
        />
        <IconButton
          icon={CaseSensitive}
          label="Match case"
          pressed={query.isCaseSensitive}
          onClick={() => outputQuery.setState({ isCaseSensitive: !query.isCaseSensitive })}
        />
        <IconButton
          icon={Regex}
          label="Regular expression"
          pressed={query.isRegex}
          onClick={() => outputQuery.setState({ isRegex: !query.isRegex })}
        />
      </div>
      <p role="status" className={`search-dialog-count ${problem ? 'bad' : ''}`}>
        {problem !== null
          ? visible(problem)
          : query.text === ''
            ? 'Searches all retained output, including that of ended processes.'
            : isSearching || !result
              ? 'Searching …'
              : `${foundText(result.hits, result.isComplete)} · searched ${bytesText(result.searchedBytes)}`}
      </p>
      {result && result.hits.length > 0 ? (
        <div className={`search-hits ${isSearching ? 'old' : ''}`}>
          {found.map((each) => (
            <Found
              key={`${each.key} ${query.text}`}
              found={each}
              distinction={distinct[each.key] ?? null}
              shown={found.length === 1 ? Infinity : SHOWN_OF_EACH}
              onOpen={open}
            />
          ))}
        </div>
      ) : null}
      <p className="hint search-dialog-keys">
        <kbd>↑</kbd> <kbd>↓</kbd> to move · <kbd>Enter</kbd> to open · <kbd>Esc</kbd> to close
      </p>
    </dialog>
  );
}

/** Number of hits shown initially per process if several processes have hits, so that none hides the others. */
const SHOWN_OF_EACH = 3;

interface FoundProps {
  readonly found: HitsOfProcess;
  /** Text that distinguishes the process from others of the same name; null if it needs none. */
  readonly distinction: string | null;
  /** Number of hits shown initially; Infinity for all. */
  readonly shown: number;
  readonly onOpen: (hit: SearchHit) => void;
}

function Found({ found: { key, hits }, distinction, shown, onOpen }: FoundProps) {
  const lines = useRef<HTMLUListElement>(null);
  const [isUnfolded, setUnfolded] = useState(false);
  // A single further hit is shown itself: a button for it would need as much space.
  const folded = isUnfolded || hits.length <= shown + 1 ? 0 : hits.length - shown;
  const info = useStore(processStore, (state) => state.processes[key]);
  const name = info ? shortCommand(info.argv) : key;
  return (
    <section className="search-found" aria-label={distinction === null ? name : `${name} ${distinction}`}>
      <h3 title={info ? commandLine(info.argv) : undefined}>
        {info ? <StatusIcon status={statusOf(info)} isWaiting={isWaiting(info)} /> : null}
        <span className="search-found-name">
          {info?.label ? <b>{visible(info.label)} </b> : null}
          {name}
        </span>
        {distinction === null ? null : <span className="search-found-distinction">{distinction}</span>}
        <span className="search-found-count">{numberText(hits.length)}</span>
      </h3>
      <ul ref={lines}>
        {hits.slice(0, hits.length - folded).map((hit) => {
          const { before, match, after } = hitText(hit);
          return (
            <li key={hit.offset}>
              <button type="button" className="search-hit" onClick={() => onOpen(hit)}>
                {before}
                <mark>{match}</mark>
                {after}
              </button>
            </li>
          );
        })}
      </ul>
      {folded > 0 ? (
        <button
          type="button"
          className="search-hit more"
          onClick={() => {
            flushSync(() => setUnfolded(true));
            lines.current?.children[shown]?.querySelector('button')?.focus();
          }}
        >
          +{folded} more in this process
        </button>
      ) : null}
    </section>
  );
}

/** Moves between the field and the hits with the arrow keys. */
function walkHits(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, .search-hit')];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const to = stops[at + (event.key === 'ArrowDown' ? 1 : -1)];
  event.preventDefault();
  to?.focus();
}

interface Searching {
  readonly result: SearchResult | null;
  /** Reason why the search failed or cannot be sent, if so; an earlier result may still be shown. */
  readonly problem: string | null;
  readonly isSearching: boolean;
}

/** Pause in typing before a search is sent. */
const SEARCH_AFTER_MS = 200;

function useSearch(query: SearchQuery): Searching {
  const { client } = useConsole();
  const refusal = useStore(processStore, ({ connection }) => whyNot(connection, 'output cannot be searched'));
  const isOnline = refusal === null;
  const [answer, setAnswer] = useState<
    Omit<Searching, 'isSearching'> & { readonly query: SearchQuery | null }
  >({
    query: null,
    result: null,
    problem: null,
  });
  useEffect(() => {
    if (query.text === '' || !isOnline) return;
    let isWanted = true;
    const report = (result: SearchResult | null, problem: string | null): void => {
      // A newer search may have been sent in the meantime.
      if (isWanted) setAnswer({ query, result, problem });
    };
    const { text, isRegex, isCaseSensitive } = query;
    const timer = setTimeout(() => {
      client.connection
        .request('console/search', { query: text, regex: isRegex, caseSensitive: isCaseSensitive })
        .then(
          (result) => report(result, null),
          (error: unknown) => report(null, errorSentence(error)),
        );
    }, SEARCH_AFTER_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [client, query, isOnline]);
  useEffect(
    () =>
      client.processes.onChanged(({ recordingsRemoved }) => {
        const keys = recordingsRemoved?.recordings.map(({ key }) => key) ?? [];
        // A limit removes recordings of processes whose retained output can still be read.
        const gone = new Set(keys.filter((key) => !client.processes.get(key)));
        if (gone.size === 0) return;
        setAnswer(({ result, ...rest }) => {
          const hits = result?.hits.filter(({ key }) => !gone.has(key)) ?? [];
          return { ...rest, result: result && { ...result, hits } };
        });
      }),
    [client],
  );
  if (query.text === '') return { result: null, problem: null, isSearching: false };
  const isCurrent = answer.query === query;
  if (!isOnline) return { result: answer.result, problem: refusal, isSearching: false };
  return {
    result: answer.result,
    problem: isCurrent ? answer.problem : null,
    isSearching: !isCurrent,
  };
}
