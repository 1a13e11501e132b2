// Pane of a start that is waiting for approval: the whole request, and the controls for deciding it.
import { useStore } from 'zustand';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { commandLine } from '../../../text/command-line.ts';
import { starterTitle } from '../../../text/client-title.ts';
import { approvalsStore, isOpen } from '../../state/approvals/approvals-store.ts';
import { identicalTo, outcomeText } from '../../state/approvals/request-words.ts';
import { closePane, focusPane } from '../../state/layout/layout-store.ts';
import { RequestBody } from '../approvals/request-body.tsx';
import { useTyping } from '../approvals/use-typing.tsx';

interface HeldPaneProps {
  /** Key of the pane, which is the id of the request. */
  readonly processKey: string;
  /** Entry of the request in the process list; undefined once the request is no longer pending. */
  readonly info: ProcessInfo | undefined;
}

export function HeldPane({ processKey, info }: HeldPaneProps) {
  const request = useStore(approvalsStore, ({ requests }) => requests.find(({ id }) => id === processKey));
  const identical = useStore(
    approvalsStore,
    ({ requests }) => identicalTo(requests.filter(isOpen)).get(processKey) ?? '',
  );
  const { isTyping, watched } = useTyping(processKey);
  return (
    <section
      role="region"
      tabIndex={0}
      aria-label={info ? `Waiting for approval: ${commandLine(info.argv)}` : 'Decided request'}
      data-place="pane"
      className="pane"
      data-process-key={processKey}
      data-process-status={info ? 'waiting-for-approval' : 'lost'}
      data-output-complete={false}
      data-exit-code=""
      onFocus={() => focusPane(processKey)}
    >
      <div className="pane-empty held-pane" {...watched}>
        {request && ((info && isOpen(request)) || isTyping) ? (
          <>
            <h2>{isOpen(request) ? 'Waiting for approval' : 'Already decided'}</h2>
            <p>
              {isOpen(request)
                ? `${starterTitle(request)} asks to start this process. It has not started.`
                : `${outcomeText(request, null)}.`}
            </p>
            <div className="request-inside">
              <RequestBody request={request} where="pane" place={0} identical={identical} />
            </div>
          </>
        ) : (
          <>
            {request && !isOpen(request) ? <p>{outcomeText(request, null)}.</p> : null}
            <p>This request is no longer waiting. If it was approved, its process is in the list.</p>
          </>
        )}
        <button
          type="button"
          className="link-button"
          data-repeats="closeTab"
          onClick={() => closePane(processKey)}
        >
          Close tab
        </button>
      </div>
    </section>
  );
}
