// Summary of an absence in one card above the list: counts, and the names of processes that need attention.
import { BellRing, CircleX, Hand, MessageSquare, TextCursorInput, X } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { useConsole } from '../../parts/console-context.tsx';
import { openPane } from '../../state/layout/layout-store.ts';
import { countText } from '../../state/processes/process-counts.ts';
import { clockText, dateTimeText, durationText, numberText } from '../../../text/amounts.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { openDialog, showPanes } from '../../state/page/page-store.ts';
import { tightTitleAmong } from '../../state/processes/process-title.ts';
import type { Absence } from '../../state/attention/absence.ts';
import { attentionStore } from '../../state/attention/attention-store.ts';
import type { Cause, AttentionItem } from '../../state/attention/cause.ts';
import { clientNameOf } from '../../state/processes/client-name.ts';
import { agentTitle } from '../../../text/client-title.ts';

const ICONS: { readonly [cause in Cause]: typeof BellRing } = {
  approval: Hand,
  failed: CircleX,
  waits: TextCursorInput,
  notification: MessageSquare,
  ended: BellRing,
  bell: BellRing,
};

/** Number of items shown initially; a button unfolds the others, so that the card leaves room for the list. */
const SHOWN_FIRST = 3;
/** Maximum number of items in the unfolded card. */
const MOST_SHOWN = 100;

export function AwayDigest() {
  const { dismissAbsence } = useConsole();
  const absence = useStore(attentionStore, (state) => state.absence);
  const [unfolded, unfold] = useState<Absence | null>(null);
  if (!absence) return null;
  const { items, sinceMs, untilMs } = absence;
  const shown = items.slice(0, unfolded?.sinceMs === sinceMs ? MOST_SHOWN : SHOWN_FIRST);
  const more = items.length - shown.length;
  return (
    <section className="away-digest" aria-labelledby="away-title">
      <header>
        <h2 id="away-title">While you were away</h2>
        <span className="away-time">{durationText(untilMs - sinceMs)}</span>
        <IconButton icon={X} label="Dismiss activity" onClick={dismissAbsence} />
      </header>
      <p>{countsText(absence)}</p>
      <ul tabIndex={shown.length > SHOWN_FIRST ? 0 : -1} aria-label="Activity">
        {shown.map((each) => (
          <ItemLine key={each.key} item={each} />
        ))}
      </ul>
      <div className="away-more">
        {more > 0 ? (
          <button
            type="button"
            className="link-button"
            disabled={unfolded?.sinceMs === sinceMs}
            onClick={() => unfold(absence)}
          >
            {countText(more, 'more')}
          </button>
        ) : null}
        <button type="button" className="link-button" onClick={() => openDialog('away')}>
          Show report
        </button>
      </div>
    </section>
  );
}

function ItemLine({ item: { key, cause, name, text, atMs } }: { readonly item: AttentionItem }) {
  const Icon = ICONS[cause];
  const agent = useStore(processStore, ({ processes, sessions }) => {
    const info = processes[key];
    return info ? agentTitle({ clientName: clientNameOf(info, sessions), startedBy: info.startedBy }) : '';
  });
  const title = useStore(processStore, ({ processes }) => {
    const info = processes[key];
    return info ? tightTitleAmong(processes, info) : name;
  });
  return (
    <li>
      <button
        type="button"
        className="away-item"
        data-cause={cause}
        title={`${name}\n${text}\n${dateTimeText(atMs)}`}
        onClick={() => {
          openPane(key);
          showPanes();
        }}
      >
        <Icon size={14} aria-hidden="true" />
        <span className="away-name">{title}</span>
        <span className="away-text">{text}</span>
        <span className="away-agent">{agent}</span>
        <span className="away-clock">{clockText(atMs)}</span>
      </button>
    </li>
  );
}

/** Returns the nonzero counts, for example `12 started · 9 ended, 2 failed · 1 waiting for input · 1 notified`. */
function countsText({ started, ended, failed, waiting, notified, isComplete }: Absence): string {
  const parts = [
    started > 0 ? `${numberText(started)} started` : null,
    ended > 0 ? `${numberText(ended)} ended${failed > 0 ? `, ${numberText(failed)} failed` : ''}` : null,
    waiting > 0 ? `${numberText(waiting)} waiting for input` : null,
    countText(notified, 'notified') || null,
  ].filter((part) => part !== null);
  const text = parts.join(' · ');
  return isComplete ? text : `At least ${text}: the gateway no longer has older activity.`;
}
