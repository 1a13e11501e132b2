// Content of a request in its card and its pane: the whole request, facts, and the controls for deciding.
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Approval } from '../../../protocol/approvals.ts';
import { errorText } from '../../../text/error-text.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { isOpen } from '../../state/approvals/approvals-store.ts';
import type { RequestPlace } from '../../state/approvals/request-view.ts';
import { noteRead } from '../../state/approvals/read-to-end.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { RequestActs } from './request-acts.tsx';
import { RequestCommand } from './request-command.tsx';
import { RequestFacts } from './request-facts.tsx';
import { useSettled } from './use-settled.tsx';

interface RequestBodyProps {
  readonly request: Approval;
  readonly where: RequestPlace;
  /** Index of the request's card. */
  readonly place: number;
  /** Ids of identical requests, separated by spaces. */
  readonly identical: string;
}

export function RequestBody({ request, where, place, identical }: RequestBodyProps) {
  const buttons = useRef<HTMLParagraphElement>(null);
  const isSettled = useSettled(request.id, place, buttons);
  const isReadOnly = useStore(processStore, (state) => state.isReadOnly);
  const { whole, problem } = useWhole(request);
  const [isRead, setRead] = useState(false);
  const read = useCallback(() => setRead(true), []);
  useEffect(() => noteRead({ id: request.id, place: where }, isRead), [request.id, where, isRead]);
  return (
    <>
      <RequestCommand request={whole ?? request} isWhole={whole !== null} onRead={read} />
      {problem === null ? null : (
        <p role="alert" className="request-note">
          Only the beginning can be shown: {problem}.
        </p>
      )}
      <RequestFacts request={whole ?? request} />
      {request.hasGoneOn ? (
        <p className="request-note">
          This request may be outdated: its thread has started another process since.
        </p>
      ) : null}
      {isReadOnly ? null : (
        <RequestActs
          request={request}
          place={where}
          buttons={buttons}
          isReady={isSettled && isOpen(request)}
          isRead={isRead}
          identical={identical === '' ? [] : identical.split(' ')}
        />
      )}
    </>
  );
}

interface Whole {
  /** The whole request; null until it has been loaded, or when it cannot be. */
  readonly whole: Approval | null;
  readonly problem: string | null;
}

/** Loads the rest of a very long command, so that nobody approves what they cannot see. */
function useWhole(request: Approval): Whole {
  const { client } = useConsole();
  const { id, isWhole } = request;
  const isOnline = useStore(processStore, ({ connection }) => connection.kind === 'online');
  const [read, setRead] = useState<Whole>({ whole: null, problem: null });
  useEffect(() => {
    if (isWhole || !isOnline) return;
    let isHere = true;
    const done = (result: Whole): void => {
      if (isHere) setRead(result);
    };
    client.connection
      .request('console/approvals', { id })
      .then(({ approvals: [approval] }) => done({ whole: approval ?? null, problem: null }))
      .catch((error: unknown) => done({ whole: null, problem: errorText(error) }));
    return () => {
      isHere = false;
    };
  }, [client, id, isWhole, isOnline]);
  return isWhole ? { whole: request, problem: null } : read;
}
