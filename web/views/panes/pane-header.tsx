// Header of a pane: title, status, facts and buttons.
import { RotateCcw, Search, X } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { mayAct } from '../../../client/connection-state.ts';
import { PaneMenu } from '../palette/pane-menu.tsx';
import { useConsole } from '../../parts/console-context.tsx';
import { TypeButton } from './type-button.tsx';
import { cutTabs } from '../../state/layout/cut-tabs.ts';
import { closePane, goToPane } from '../../state/layout/layout-store.ts';
import { dragPane } from '../../state/layout/pane-drag.ts';
import { LadderButtons } from '../ending/ladder-buttons.tsx';
import { EndFacts } from '../ending/proof.tsx';
import { RunWithoutSandbox } from './run-without-sandbox.tsx';
import { Question } from '../ending/question.tsx';
import { PipeViewToggle } from './pipe-view-toggle.tsx';
import { ControlButton } from '../../parts/control-button.tsx';
import { ControlledBy, Watchers } from '../../parts/watchers.tsx';
import { commandLine, processName, shortCommand } from '../../../text/command-line.ts';
import { durationText } from '../../../text/amounts.ts';
import { skippedText } from '../../../text/missing-output.ts';
import { elapsedMs, isDenied, isDraining, isWaiting, isLive, statusOf } from '../../../text/process-words.ts';
import { isShownOne, processStore } from '../../state/processes/process-store.ts';
import { SandboxChip, SandboxNote } from '../../parts/sandbox-note.tsx';
import { isOver, startAgain } from '../../state/starting/restart.ts';
import { StatusIcon } from '../../parts/status-icon.tsx';
import { LeftFact } from '../../parts/left-fact.tsx';
import { ProgressFact } from '../../parts/progress-fact.tsx';
import { StatusWord } from '../../parts/status-word.tsx';
import { useKnownAt } from '../../parts/use-known-at.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { isTouch } from '../../state/page/platform.ts';
import { visible } from '../../../text/visible.ts';
import { refusalSentence } from '../../state/page/refusal.ts';

interface PaneHeaderProps {
  readonly info: ProcessInfo;
  readonly onError: (message: string) => void;
  readonly onSearch: () => void;
}

export function PaneHeader({ info, onError, onSearch }: PaneHeaderProps) {
  const parts = useConsole();
  const { client, terminals } = parts;
  const isReadOnly = useStore(processStore, (state) => state.isReadOnly);
  const isOperator = useStore(processStore, ({ connection }) => mayAct(connection));
  const isTabCut = useStore(cutTabs, ({ keys }) => keys.has(info.key));
  const isOnlyOne = useStore(processStore, isShownOne);
  const process = terminals.get(info.key)?.process ?? client.processes.attach(info.key);
  const act = (what: Promise<unknown>): void => {
    what.catch((error: unknown) => onError(refusalSentence(error)));
  };
  const goOnByKeys = (): void => {
    // Focusing is useless on touch devices: it would only open the on-screen keyboard.
    if (!isTouch()) goToPane(info.key);
  };
  const type = (): void => {
    if (!isTouch()) terminals.get(info.key)?.focus();
  };
  // The sandbox policy is shown after a denial, unless the person has chosen to show or hide it.
  const [chosen, choose] = useState<boolean | null>(null);
  const isPolicyShown = chosen ?? isDenied(info);
  return (
    <>
      <header
        className="pane-header"
        draggable={!isOnlyOne}
        onDragStart={(event) => dragPane(event.dataTransfer, info.key)}
      >
        <span className="pane-about">
          <StatusIcon status={statusOf(info)} isWaiting={isWaiting(info)} />
          <span
            className={isTabCut ? 'pane-title tab-cut' : 'pane-title'}
            title={`${commandLine(info.argv)}\n${visible(info.cwd)}`}
          >
            {processName(info)}
          </span>
          <PaneFacts
            info={info}
            isPolicyShown={isPolicyShown}
            onTogglePolicy={() => choose(!isPolicyShown)}
          />
        </span>
        <TypeButton info={info} />
        {info.tty ? null : <PipeViewToggle processKey={info.key} />}
        <span className="pane-buttons">
          <Question place="pane" processKey={info.key} onError={onError} onAnswered={goOnByKeys}>
            {info.tty && isLive(info) && !isReadOnly ? (
              <ControlButton info={info} process={process} onAct={act} onTaken={type} />
            ) : null}
            {isOperator && isOver(info) ? (
              <IconButton
                icon={RotateCcw}
                label="Restart"
                keepsText
                hint={
                  info.restartable
                    ? 'Restart with the same settings'
                    : 'Restart: opens the form, since the gateway no longer retains the environment and sandbox'
                }
                onClick={() => act(startAgain(parts, info))}
              >
                Restart
              </IconButton>
            ) : null}
            <IconButton icon={Search} label="Search in this pane" onClick={onSearch} />
            {isReadOnly ? null : <LadderButtons info={info} onError={onError} onFocusLost={goOnByKeys} />}
            <PaneMenu processKey={info.key} />
            {isOnlyOne ? null : (
              <>
                <span className="apart" aria-hidden="true" />
                <IconButton
                  icon={X}
                  label="Close tab"
                  repeats="closeTab"
                  hint={isLive(info) ? 'Close tab (keeps the process running)' : 'Close tab'}
                  onClick={() => closePane(info.key)}
                />
              </>
            )}
          </Question>
        </span>
      </header>
      {isPolicyShown ? (
        <SandboxNote info={info}>
          <RunWithoutSandbox info={info} onError={onError} />
        </SandboxNote>
      ) : null}
    </>
  );
}

interface PaneFactsProps {
  readonly info: ProcessInfo;
  readonly isPolicyShown: boolean;
  readonly onTogglePolicy: () => void;
}

function PaneFacts({ info, isPolicyShown, onTogglePolicy }: PaneFactsProps) {
  const now = useKnownAt(isLive(info));
  const isReadOnly = useStore(processStore, (state) => state.isReadOnly);
  const isOffline = useStore(processStore, ({ connection }) => connection.kind !== 'online');
  const isSilent = useStore(processStore, ({ connection }) => connection.kind === 'silent');
  // The bar that is shown once a key has been pressed already explains that keys are not sent.
  const hasBar = useStore(processStore, ({ terminals }) => (terminals[info.key]?.outage ?? null) !== null);
  return (
    <>
      <span className="pane-status">
        <StatusWord info={info} />
        {isOffline && isLive(info) ? (
          <span
            className="status-word waiting pane-offline"
            title="The pane shows the output received so far"
          >
            {isSilent ? 'Not responding' : 'Offline'}
            {info.tty && !isReadOnly && !hasBar ? (
              <span className="pane-keys-note">: keys are not sent</span>
            ) : null}
          </span>
        ) : null}
        <LeftFact info={info} now={now} />
        <ProgressFact progress={info.progress} />
        <EndFacts info={info} />
        <Missed processKey={info.key} />
        {isDraining(info) ? (
          <span title="The process has ended, but a process that it started holds its output pipe open.">
            output pipe still open
          </span>
        ) : null}
      </span>
      {/* Facts by importance: those without room are omitted as a whole, but are listed in “About this process”. */}
      <span className="pane-facts">
        <ControlledBy info={info} />
        <Watchers info={info} />
        <span className="pane-elapsed">{durationText(elapsedMs(info, now))}</span>
        <SandboxChip info={info} isOpen={isPolicyShown} onToggle={onTogglePolicy} />
        {info.label === null ? null : (
          <span className="pane-command" title={commandLine(info.argv)}>
            {shortCommand(info.argv)}
          </span>
        )}
        {info.size && isLive(info) ? (
          <span className="pane-size" title="Terminal size of the process; watching does not change it">
            {info.size.cols}×{info.size.rows}
          </span>
        ) : null}
      </span>
    </>
  );
}

function Missed({ processKey }: { readonly processKey: string }) {
  const missedBytes = useStore(processStore, (state) => state.terminals[processKey]?.missedBytes ?? 0);
  const isExact = useStore(processStore, (state) => state.terminals[processKey]?.isExact ?? true);
  if (missedBytes === 0) return null;
  return (
    <span
      className="status-word missed"
      title={`The gateway did not have this output in memory when this page read it. ${
        isExact ? 'The screen is still exact.' : 'The screen may differ until the program redraws it.'
      }`}
    >
      {skippedText(missedBytes)}
      {isExact ? '' : ', the screen may differ'}
    </span>
  );
}
