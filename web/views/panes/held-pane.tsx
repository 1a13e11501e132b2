// The pane of a start that waits for approval: the whole command, and the ways to decide.
import { useStore } from 'zustand';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { commandLine } from '../../../text/command-line.ts';
import { visible } from '../../../text/visible.ts';
import { CopyLine } from '../../parts/copy-line.tsx';
import { closePane } from '../../state/layout/layout-store.ts';
import { processStore } from '../../state/processes/process-store.ts';

interface HeldPaneProps {
  /** The id of the request. */
  readonly processKey: string;
  /** None once the request no longer waits. */
  readonly info: ProcessInfo | undefined;
}

export function HeldPane({ processKey, info }: HeldPaneProps) {
  const mayOnlyLook = useStore(processStore, (state) => state.mayOnlyLook);
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
    >
      <div className="pane-empty held-pane">
        {info ? (
          <>
            <h2>Waiting for approval</h2>
            <p>
              {visible(info.startedBy)} asks to start this in <code>{visible(info.cwd)}</code>. It has not
              started.
            </p>
            <CopyLine text={commandLine(info.argv)} label={null} />
            {mayOnlyLook ? null : (
              <>
                <p>Decide on the gateway’s machine:</p>
                <CopyLine
                  text={`exec-console approve ${processKey}`}
                  label="Copy the line that approves it"
                />
                <CopyLine
                  text={`exec-console decline ${processKey}`}
                  label="Copy the line that declines it"
                />
              </>
            )}
          </>
        ) : (
          <p>This request no longer waits. If it was approved, its process is in the list.</p>
        )}
        <button type="button" className="link-button" onClick={() => closePane(processKey)}>
          Close tab
        </button>
      </div>
    </section>
  );
}
