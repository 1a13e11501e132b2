// Agents' requests above the process list: a card for each, pauses, and the policy.
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { approvalsStore, isOpen } from '../../state/approvals/approvals-store.ts';
import { identicalTo } from '../../state/approvals/request-words.ts';
import { useOwnName } from '../../parts/use-own-name.tsx';
import { asksAnything, PolicyMenu } from './policy-menu.tsx';
import { PauseNotes } from './pause-notes.tsx';
import { RequestCard } from './request-card.tsx';
import { numberText } from '../../../text/amounts.ts';

/** Maximum number of cards drawn; the rest follow as these are decided. */
const MOST_CARDS = 50;

export function ApprovalsRegion() {
  const requests = useStore(approvalsStore, (state) => state.requests);
  const settings = useStore(approvalsStore, (state) => state.settings);
  const own = useOwnName();
  const identical = useMemo(() => identicalTo(requests.filter(isOpen)), [requests]);
  if (!settings || (requests.length === 0 && !asksAnything(settings))) return null;
  const waiting = requests.filter(isOpen).length;
  const shown = requests.slice(0, MOST_CARDS);
  const more = requests.length - shown.length;
  return (
    <section
      className="approvals"
      role="region"
      aria-label="Approvals"
      // Receives the focus of a request that is gone.
      tabIndex={-1}
      data-place="requests"
    >
      <header>
        <h2>Approvals</h2>
        <span role="status" className="approvals-count">
          {waiting === 0 ? 'Nothing is waiting' : `${numberText(waiting)} waiting`}
        </span>
        <PolicyMenu settings={settings} />
      </header>
      <PauseNotes settings={settings} />
      <div className="requests">
        {shown.map((request, at) => (
          <RequestCard
            key={request.id}
            request={request}
            place={at}
            own={own}
            identical={identical.get(request.id) ?? ''}
          />
        ))}
        {more > 0 ? (
          <p className="quiet">{numberText(more)} more waiting. More appear as these are decided.</p>
        ) : null}
      </div>
    </section>
  );
}
