// Bar above the panes that steps through the lines found by a search.
import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { clockText, numberText } from '../../../text/amounts.ts';
import { shortCommand } from '../../../text/command-line.ts';
import { agentTitle } from '../../../text/client-title.ts';
import { visible } from '../../../text/visible.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { stepFound } from '../../parts/show-found.ts';
import {
  hasMore,
  leaveFoundLines,
  showAllFound,
  stepOf,
  type FoundLine,
  type FoundLines,
} from '../../state/processes/found-lines.ts';
import { processStore } from '../../state/processes/process-store.ts';

export function FoundBar({ found }: { readonly found: FoundLines }) {
  const parts = useConsole();
  const [isReading, setReading] = useState(false);
  const { lines, at, query } = found;
  const line = lines[at];
  const more = hasMore(found);
  const step = (by: 1 | -1): void => {
    setReading(true);
    void stepFound(parts, by).finally(() => setReading(false));
  };
  return (
    <section className="found-bar" aria-label="Search results">
      <IconButton
        icon={ChevronLeft}
        label="Previous search result"
        hint="Previous search result (Shift+F4)"
        repeats="step"
        disabled={stepOf(found, -1) === null || isReading}
        onClick={() => step(-1)}
      />
      <IconButton
        icon={ChevronRight}
        label="Next search result"
        hint="Next search result (F4)"
        repeats="step"
        disabled={stepOf(found, 1) === null || isReading}
        onClick={() => step(1)}
      />
      <span className="found-count" role="status">
        {isReading ? 'Searching …' : `${at + 1} of ${numberText(lines.length)}${more ? '+' : ''}`}
      </span>
      <mark className="found-query">{visible(query)}</mark>
      {line ? <Subject line={line} /> : null}
      <button type="button" className="link-button" onClick={showAllFound}>
        Show all results
      </button>
      <IconButton icon={X} label="Close search results" onClick={leaveFoundLines} />
    </section>
  );
}

/** Process to which the line belongs, with its agent and the line's time, if known. */
function Subject({ line: { key, entry, atMs, isRemoved } }: { readonly line: FoundLine }) {
  const live = useStore(processStore, ({ processes }) => processes[key]);
  const info = live ?? entry;
  return (
    <span className="found-subject">
      {info ? <span className="found-command">{shortCommand(info.argv)}</span> : null}
      {info ? (
        <span>{agentTitle({ clientName: entry?.clientName ?? null, startedBy: info.startedBy })}</span>
      ) : null}
      {atMs === null ? null : <time dateTime={new Date(atMs).toISOString()}>{clockText(atMs, true)}</time>}
      {isRemoved ? <span>Recording removed</span> : null}
    </span>
  );
}
