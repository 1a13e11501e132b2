// A request as a card: the agent, the whole command and the controls for deciding; once decided, the person and the
// decision.
import { Hand } from 'lucide-react';
import { memo, useEffect, useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { Approval } from '../../../protocol/approvals.ts';
import { dateTimeText, durationText } from '../../../text/amounts.ts';
import { visible } from '../../../text/visible.ts';
import { useNow } from '../../parts/use-now.tsx';
import { isOpen } from '../../state/approvals/approvals-store.ts';
import { askedText, outcomeText, requestName } from '../../state/approvals/request-words.ts';
import { isMeant, requestView } from '../../state/approvals/request-view.ts';
import { RequestBody } from './request-body.tsx';
import { useTyping } from './use-typing.tsx';
import { starterTitle } from '../../../text/client-title.ts';
import { cutTo } from '../../../text/cut.ts';

interface RequestCardProps {
  readonly request: Approval;
  /** Index of the request's card. */
  readonly place: number;
  /** Token name of the page's user. */
  readonly own: string | null;
  /** Ids of identical requests, separated by spaces: unlike an array, an equal string causes no render. */
  readonly identical: string;
}

/** Maximum length, in characters, of the name that screen readers read and that a decided card shows. */
const NAME_CHARS = 200;

export const RequestCard = memo(function RequestCard({ request, place, own, identical }: RequestCardProps) {
  const { id } = request;
  const element = useRef<HTMLElement>(null);
  const focus = useStore(requestView, (state) =>
    isMeant(state.focus, { id, place: 'card' }) ? state.focus : null,
  );
  useEffect(() => {
    if (focus) element.current?.focus();
  }, [focus]);
  // A key meant for a request that has just gone must not act on the page.
  useLayoutEffect(
    () => () => {
      const { current } = element;
      if (current !== null && current === document.activeElement)
        current.closest<HTMLElement>('[data-place="requests"]')?.focus();
    },
    [],
  );
  const { isTyping, watched } = useTyping(id);
  const name = cutTo(requestName(request), NAME_CHARS);
  return (
    <article
      ref={element}
      tabIndex={0}
      className="request"
      data-approval-id={id}
      data-approval-state={request.state}
      data-place="request"
      aria-label={`${visible(request.startedBy)} ${askedText(request)}: ${name}`}
      {...watched}
    >
      <header>
        <Hand size={14} aria-hidden="true" />
        <Asker request={request} />
        {isOpen(request) ? <Age sinceMs={request.createdAtMs} /> : null}
      </header>
      {isOpen(request) || isTyping ? (
        <RequestBody request={request} where="card" place={place} identical={identical} />
      ) : (
        <p className="request-name">{name}</p>
      )}
      {isOpen(request) ? null : (
        <p role="status" className="request-outcome">
          {outcomeText(request, own)}
        </p>
      )}
    </article>
  );
});

function Asker({ request }: { readonly request: Approval }) {
  return (
    <span className="request-who">
      <b>{starterTitle(request)}</b> {askedText(request)}
    </span>
  );
}

function Age({ sinceMs }: { readonly sinceMs: number }) {
  const now = useNow(true);
  return (
    <time className="request-age" title={`Waiting since ${dateTimeText(sinceMs)}`}>
      {durationText(now - sinceMs)}
    </time>
  );
}
