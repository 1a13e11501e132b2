// A pane: the terminal of one process with its header, notices and, for pipes, an input line.
import { ArrowDownToLine, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useConsole } from '../../parts/console-context.tsx';
import { HiddenLinesBar, NoLineShown } from './hidden-lines.tsx';
import { HeldPane } from './held-pane.tsx';
import { KeyRow } from './key-row.tsx';
import { isReadyToType, takesTyping } from '../../state/processes/ready-to-type.ts';
import { SilentNote } from './silent-note.tsx';
import { StdinLine } from './stdin-line.tsx';
import { unknownKeys } from '../../state/layout/know-past.ts';
import { closePane, focusPane, goToPane, layoutStore } from '../../state/layout/layout-store.ts';
import { EndNotices } from '../ending/proof.tsx';
import { ownOf } from '../../state/processes/people.ts';
import { pipeViewStore, viewOf } from '../../state/page/pipe-view.ts';
import { commandLine } from '../../../text/command-line.ts';
import { isHeld, isLive, statusOf } from '../../../text/process-words.ts';
import { isRecorded } from '../../state/processes/recorded.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { removalText } from '../../state/processes/removal-text.ts';
import { useOwnName } from '../../parts/use-own-name.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { latePart } from '../../parts/late-part.tsx';
import { isMac } from '../../state/page/platform.ts';
import { CopyRequest } from './copy-request.tsx';
import { PaneBars } from './pane-bars.tsx';
import { PaneHeader } from './pane-header.tsx';
import { PaneSearchBar } from './pane-search-bar.tsx';
import type { TerminalSession } from '../../screen/terminal/terminal-session.ts';
import { replayingStore } from '../../state/replay/replaying.ts';
import { searchingStore, startSearch, stopSearch } from '../../state/page/searching.ts';
import { visible } from '../../../text/visible.ts';
import { numberText } from '../../../text/amounts.ts';

const ReplayView = latePart('The replay', async () => (await import('../replay/replay-view.tsx')).ReplayView);

const FORGOTTEN = 'The gateway no longer retains this output';

export function TerminalPane({ processKey }: { readonly processKey: string }) {
  const info = useStore(processStore, (state) => state.processes[processKey]);
  const terminal = useStore(processStore, (state) => state.terminals[processKey]);
  const isOnline = useStore(processStore, (state) => state.connection.kind === 'online');
  const isForgotten = useStore(processStore, (state) => state.forgotten.has(processKey));
  const removedBy = useStore(processStore, (state) => state.forgotten.get(processKey) ?? null);
  const own = useOwnName();
  const isFocused = useStore(layoutStore, (state) => state.focused === processKey);
  const isReadOnly = useStore(processStore, (state) => state.isReadOnly);
  const { terminals } = useConsole();
  const notify = (notice: string | null): void => terminals.get(processKey)?.notify(notice);
  const isLog =
    useStore(pipeViewStore, (state) => viewOf(state, processKey) === 'log') && info?.tty === false;
  const isSearching = useStore(searchingStore, ({ asked }) => asked[processKey] !== undefined);
  const isReplay = useStore(replayingStore, ({ asked }) => asked[processKey] !== undefined);
  const stopSearching = (): void => {
    stopSearch(processKey);
    goToPane(processKey);
  };
  const isTyping = info && takesTyping(info) && !isReadOnly && terminal?.hasKeyboard;
  const whyForgotten = removedBy === null ? FORGOTTEN : removalText(removedBy, own);
  const refusal = isForgotten
    ? `${whyForgotten}; the pane shows only what this page received`
    : terminal?.refusal;
  // A decided request leaves the list, but is not lost: its pane must show the decision, so the pane remembers that
  // the start was waiting. The pane of a lost process shows its earlier output, if any.
  const [wasHeld, setWasHeld] = useState(false);
  if (info && isHeld(info) !== wasHeld) setWasHeld(!wasHeld);
  const isGone = !info || (info.state === 'lost' && !isRecorded(info) && !terminals.get(processKey));
  if (wasHeld) return <HeldPane processKey={processKey} info={info} />;
  if (isGone) return <VanishedPane processKey={processKey} />;
  return (
    <section
      role="region"
      tabIndex={0}
      aria-label={commandLine(info.argv)}
      data-place="pane"
      className={`pane ${isFocused ? 'focused' : ''} ${isTyping ? 'typing' : ''} ${isOnline || !isLive(info) ? '' : 'offline'}`}
      data-process-key={info.key}
      data-process-status={statusOf(info)}
      data-output-complete={terminal?.isComplete ?? false}
      data-exit-code={info.exitCode ?? ''}
      onFocus={() => focusPane(processKey)}
    >
      <PaneHeader info={info} onError={notify} onSearch={() => startSearch(processKey)} />
      {/* The message is permanent, so it must not cover output. */}
      {refusal ? <p className="pane-strip">{visible(refusal)}</p> : null}
      <PaneBars processKey={processKey} />
      {isLog && !isReplay ? <HiddenLinesBar processKey={processKey} /> : null}
      {isReplay ? <ReplayView key={processKey} info={info} /> : null}
      {/* The terminal is unchanged behind a replay, and continues to receive output. */}
      <div className="pane-body" hidden={isReplay}>
        <TerminalHost processKey={processKey} />
        {isSearching && !isReplay ? <PaneSearchBar processKey={processKey} onClose={stopSearching} /> : null}
        {info.outputBytes === 0 ? (
          <SilentNote>{isLive(info) ? 'No output yet' : 'No output'}</SilentNote>
        ) : isLog ? (
          <NoLineShown processKey={processKey} />
        ) : null}
        <ToEnd processKey={processKey} />
        {isLog ? null : <ZoomButtons processKey={processKey} />}
        {terminal?.link ? (
          <p className="pane-link">
            {terminal.link}
            {isLog ? null : <span> · {isMac ? '⌘' : 'Ctrl'}+click opens it</span>}
          </p>
        ) : null}
        <div className="pane-notices">
          {/* The element is always present, so that screen readers announce text added later. */}
          <div role="status" aria-label="Hint">
            {terminal?.hint ? <p className="pane-notice">{terminal.hint}</p> : null}
          </div>
          <EndNotices info={info} onError={notify} />
          <CopyRequest info={info} />
          {isOnline && terminal?.hasJustReconnected && terminal.outage === null ? (
            <p className="pane-notice">Reconnected</p>
          ) : null}
        </div>
      </div>
      {info.tty && isLive(info) && !isReadOnly && !isReplay ? <KeyRow processKey={processKey} /> : null}
      {info.pipeStdin && isLive(info) && !isReadOnly && !isReplay ? (
        <StdinLine info={info} onError={notify} />
      ) : null}
    </section>
  );
}

/** Buttons that change the text size of this pane, visible only on touch devices. */
function ZoomButtons({ processKey }: { readonly processKey: string }) {
  const { terminals } = useConsole();
  return (
    <div className="pane-zoom">
      {ZOOMS.map(({ by, icon, label }) => (
        <IconButton key={by} icon={icon} label={label} onClick={() => terminals.get(processKey)?.zoom(by)} />
      ))}
    </div>
  );
}

const ZOOMS = [
  { by: 'smaller', icon: ZoomOut, label: 'Decrease text size' },
  { by: 'larger', icon: ZoomIn, label: 'Increase text size' },
] as const;

/** Button that returns to the end, with the number of new lines, while the reader has scrolled up or is selecting. */
function ToEnd({ processKey }: { readonly processKey: string }) {
  const { terminals } = useConsole();
  const newLines = useStore(processStore, (state) => state.terminals[processKey]?.newLines ?? null);
  const isHeld = useStore(processStore, (state) => state.terminals[processKey]?.isHeld ?? false);
  if (newLines === null && !isHeld) return null;
  const text = toEndText(newLines, isHeld);
  return (
    <button
      type="button"
      className={newLines === null ? 'to-new to-end while-selecting' : 'to-new to-end'}
      onClick={() => {
        terminals.get(processKey)?.toEnd();
        goToPane(processKey);
      }}
    >
      <ArrowDownToLine size={13} aria-hidden="true" />
      {text}
    </button>
  );
}

function toEndText(newLines: number | null, isHeld: boolean): string {
  const lines = newLines === 1 ? '1 new line' : `${numberText(newLines ?? 0)} new lines`;
  const text = newLines ? lines : 'Go to the end';
  return isHeld ? `${text}; more may be waiting` : text;
}

/** Puts the terminal of the process into the pane; the terminal survives when the pane only moves. */
function TerminalHost({ processKey }: { readonly processKey: string }) {
  const { terminals } = useConsole();
  const host = useRef<HTMLDivElement>(null);
  const own = useStore(processStore, ({ connection }) => ownOf(connection));
  const isControlled = useStore(processStore, (state) => {
    const controller = state.processes[processKey]?.controller ?? null;
    return controller !== null && controller === own;
  });
  const wanted = useStore(layoutStore, (state) => (state.wanted?.key === processKey ? state.wanted : null));
  useEffect(() => {
    const element = host.current;
    const session = terminals.open(processKey);
    if (!element || !session) return;
    element.append(session.element);
    session.show(true);
    // Several changes in a row, for example while a divider is dragged, are combined into one.
    let frame = 0;
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => session.layOut());
    });
    observer.observe(element);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      session.show(false);
    };
  }, [processKey, terminals]);

  useEffect(() => {
    terminals.get(processKey)?.layOut(isControlled);
  }, [isControlled, processKey, terminals]);

  const view = useStore(pipeViewStore, (state) => viewOf(state, processKey));
  useEffect(() => {
    terminals.get(processKey)?.showAs(view);
  }, [view, processKey, terminals]);

  const hasTimes = useStore(pipeViewStore, (state) => state.hasTimes);
  useEffect(() => {
    terminals.get(processKey)?.log?.showTimes(hasTimes);
  }, [hasTimes, processKey, terminals]);

  const isStderrOnly = useStore(pipeViewStore, (state) => state.stderrOnly[processKey] ?? false);
  useEffect(() => {
    terminals.get(processKey)?.log?.showOnly(isStderrOnly ? 'stderr' : null);
  }, [isStderrOnly, processKey, terminals]);

  const wraps = useStore(pipeViewStore, (state) => state.wraps);
  useEffect(() => {
    terminals.get(processKey)?.log?.wrap(wraps);
  }, [wraps, processKey, terminals]);

  useEffect(() => {
    if (wanted) focusIn(terminals.get(processKey), host.current);
  }, [wanted, processKey, terminals]);

  return <div ref={host} className="pane-terminal" />;
}

/**
 * Focuses the output of a process with pipes or a terminal ready for typing; otherwise the pane, whose keys go to the
 * page.
 */
function focusIn(session: TerminalSession | undefined, host: HTMLElement | null): void {
  if (!session) return;
  const { processes, people, connection } = processStore.getState();
  const info = processes[session.process.key];
  if (!info?.tty || isReadyToType(info, { people, connection })) session.focus();
  else host?.closest<HTMLElement>('.pane')?.focus({ preventScroll: true });
}

/** Pane of a process with nothing to show: not loaded yet, unknown to the gateway, or lost without a readable recording. */
function VanishedPane({ processKey }: { readonly processKey: string }) {
  const isListed = useStore(processStore, (state) => state.isListed);
  const why = useStore(unknownKeys, ({ keys }) => keys.get(processKey));
  const own = useOwnName();
  const reason = why && ('reason' in why ? why.reason : `${removalText(why.removedBy, own)}.`);
  return (
    <section
      role="region"
      aria-label="Unknown process"
      data-place="pane"
      className="pane"
      data-process-key={processKey}
      data-process-status={reason === undefined ? 'starting' : 'lost'}
      data-output-complete={false}
      data-exit-code=""
    >
      <div className="pane-empty">
        <p>{reason ?? (isListed ? 'Loading …' : 'Connecting …')}</p>
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
