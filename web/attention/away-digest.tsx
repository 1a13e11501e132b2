// What happened while nobody looked, in one card over the list: counted, and what needs somebody by name.
import { BellRing, CircleX, MessageSquare, TextCursorInput, X } from 'lucide-react';
import { useStore } from 'zustand';
import { useConsole } from '../console-context.tsx';
import { openPane } from '../layout/layout-store.ts';
import { durationText } from '../processes/process-status.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { showPanes } from '../ui/page-store.ts';
import type { Absence } from './absence.ts';
import { attentionStore } from './attention-store.ts';
import type { Cause } from './cause.ts';

const ICONS: { readonly [cause in Cause]: typeof BellRing } = {
  failed: CircleX,
  waits: TextCursorInput,
  notification: MessageSquare,
  ended: BellRing,
  bell: BellRing,
};

export function AwayDigest() {
  const { haveRead } = useConsole();
  const absence = useStore(attentionStore, (state) => state.absence);
  if (!absence) return null;
  const { news, sinceMs, untilMs } = absence;
  return (
    <section className="away-digest" aria-labelledby="away-title">
      <header>
        <h2 id="away-title">While you were away</h2>
        <span className="away-time">{durationText(untilMs - sinceMs)}</span>
        <IconButton icon={X} label="Dismiss what happened" onClick={haveRead} />
      </header>
      <p>{countsText(absence)}</p>
      <ul>
        {news.map(({ key, cause, name, text }) => {
          const Icon = ICONS[cause];
          return (
            <li key={key}>
              <button
                type="button"
                className="away-news"
                data-cause={cause}
                onClick={() => {
                  openPane(key);
                  showPanes();
                }}
              >
                <Icon size={14} aria-hidden="true" />
                <span className="away-name">{name}</span>
                <span className="away-text">{text}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** `12 started, 9 ended, 2 of them failed, 1 waits for input`. */
function countsText({ started, ended, failed, waiting, isComplete }: Absence): string {
  const parts = [
    started > 0 ? `${started.toLocaleString('en')} started` : null,
    ended > 0 ? `${ended.toLocaleString('en')} ended${failed > 0 ? `, ${failed} failed` : ''}` : null,
    waiting > 0 ? `${waiting} ${waiting === 1 ? 'waits' : 'wait'} for input` : null,
  ].filter((part) => part !== null);
  const text = parts.join(' · ');
  return isComplete ? text : `At least ${text}: more happened than the gateway remembers.`;
}
